__pedometer_sources() {
    pedometer devices --format csv 2>/dev/null | sed '1d;s/,.*//'; printf '%s\n' @schemes@
}

# Bash takes the colon of a name for a word.
__pedometer_join_words() {
    local word before=
    for word in "${COMP_WORDS[@]:1:${COMP_CWORD}}"; do
        if [[ "${#unparsed_words[@]}" -gt 0 && ("${word}" == : || "${before}" == :) ]]; then
            unparsed_words[-1]+="${word}"
        else
            unparsed_words+=("${word}")
        fi
        before="${word}"
    done
}

__pedometer_add_sources() {
    local -r line="${COMP_LINE:0:${COMP_POINT}}"
    local -r typed="${line##*[[:space:]]}"
    local source
    while IFS='' read -r source; do
        [[ "${source}" == "${typed}"* ]] && COMPREPLY+=("${source#"${typed%"${cur}"}"}")
    done < <(__pedometer_sources)
    [[ "${#COMPREPLY[@]}" -gt 0 ]] && compopt +o filenames 2>/dev/null
    [[ "${COMPREPLY[*]}" == *: ]] && compopt -o nospace 2>/dev/null
    # After a colon, all files would match.
    [[ "${typed}" == *: && "${#COMPREPLY[@]}" -gt 0 ]] && return
    while IFS='' read -r source; do
        COMPREPLY+=("${source}")
    done < <(compgen -f -- "${cur}")
}

