# Sourced by the runners of this folder, which are called with the path of a program. Sets: program,
# orrery, orrery_cc, tools. The first comment of a program says
#
#   loop: parallel STRATEGY       one line per marked loop, in the order of the text; "A|B": either
#   loop: serial CODE
#   result: same                  what the parallel program prints is what gcc's prints
#   result: near T                ... each number by at most the relative difference T
#   ranks: refused WORDS          several ranks are refused, and the message says so
#   waits: WORDS                  what is not built yet: the loops are not found so, and when they are the
#                                 test says that the line has to go
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

program=$1
build=${TREE_BUILD:?}
orrery=$build/bin/orrery
orrery_cc=$build/bin/orrery-cc
tools=$build/tests

# The values of `$1:` lines in the program's first comment.
expected() {
    sed -n "1,/\*\//s|^[ /]*\* $1: ||p" "$program"
}
