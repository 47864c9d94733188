# Sourced by run: `glove [FILE]`.
sample=glove
# shellcheck disable=SC1091
. "$tree/tests/bench/cp.sh"
