function __pedometer_sources
    pedometer devices --format csv 2>/dev/null | sed '1d;s/,.*//'; printf '%s\n' @schemes@
end

