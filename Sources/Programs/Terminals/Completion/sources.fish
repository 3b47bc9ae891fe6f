function __pedometer_sources
    pedometer devices --format csv 2>/dev/null | sed '1d;s/,.*//'; printf '%s\n' @schemes@
    # After a colon, fish would offer every file.
    string match -qr ':[^/]*$' -- (commandline -ct); or __fish_complete_path (commandline -ct)
end

