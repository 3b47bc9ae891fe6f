__pedometer_add_sources() {
    local -a sources
    sources=(${(f)"$(pedometer devices --format csv 2>/dev/null | sed '1d;s/,.*//'; printf '%s\n' @schemes@)"})
    compadd -- ${sources:#*:}
    compadd -S '' -- ${(M)sources:#*:}
    _files
}

