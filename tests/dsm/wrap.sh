#!/bin/bash
# Every function of wrap.txt has its hook, and every hook is in wrap.txt.
set -eu
nm "$2" | sed -n 's/^[0-9a-f]* [TW] __wrap_//p' | sort >"${3:?}.have"
sort "$1" >"$3.listed"
diff "$3.listed" "$3.have"
