# Sourced by run: `served`, another name of prefetch.
. "$tree/tests/bench/prefetch.sh"
