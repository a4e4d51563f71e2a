# To be sourced: system packages that are missing are installed, or named to the person.

# install_system NAME "PROGRAMS:PACKAGE ...": PROGRAMS are alternatives, joined by commas.
install_system() {
    missing=""
    for entry in $2; do
        have_one "${entry%%:*}" || missing="$missing ${entry##*:}"
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "$1: installing$missing"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends $missing >/dev/null
    else
        echo "$1: please install these system packages, then run it again:$missing" >&2
        exit 1
    fi
}

have_one() {
    for program in $(echo "$1" | sed 's/,/ /g'); do
        command -v "$program" >/dev/null 2>&1 && return 0
    done
    return 1
}
