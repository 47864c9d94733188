# Sourced by run: `embed [FILE]`.
sample=embed
# shellcheck disable=SC1091
. "$tree/tests/bench/cp.sh"
