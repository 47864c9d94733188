#!/bin/sh
# Makes a ratings matrix in Matrix Market text out of the tensor `name state year log(count)`.
#
#   make_part.sh part ssa.tns.gz > names.mtx     the part that ships here
#   make_part.sh whole ssa.tns.gz > ssa.mtx      every entry
#   make_part.sh tensor ssa.tns.gz > names.tns   a smaller part, as a tensor of three ways
#
# Rows are names, columns are (state, year) pairs, both renumbered without gaps; the entries stand in
# a random order that is the same on every machine (Park and Miller's generator, exact in doubles).
# `part` keeps names with at least 20 entries, and of those every entry with probability SHARE.
set -eu
LC_ALL=C
export LC_ALL

LEAST=20
SHARE=0.2525
TENSOR_SHARE=0.06
YEARS=116

usage() {
    echo "usage: make_part.sh part|whole|tensor FILE[.gz]" >&2
    exit 2
}

read_input() {
    case $1 in
    *.gz) gzip -dc -- "$1" ;;
    *) cat -- "$1" ;;
    esac
}

# `name column value` of the entries to keep, each behind its random key.
draw() {
    read_input "$1" | awk -v least="$2" -v share="$3" -v years=$YEARS '
        function next_random() {
            state = (state * 16807) % 2147483647
            return state
        }
        BEGIN { state = 20090306 }
        NF != 4 { print "line " NR ": not `name state year value`" > "/dev/stderr"; exit 1 }
        {
            entry[NR] = $1 " " ($2 - 1) * years + $3 " " $4
            name[NR] = $1
            ++count[$1]
        }
        END {
            for (i = 1; i <= NR; ++i) {
                if (count[name[i]] < least || next_random() / 2147483647 >= share)
                    continue
                print next_random(), entry[i]
            }
        }'
}

# Gives names and columns numbers without gaps, in ascending order of the old ones.
renumber() {
    awk '
        { row[NR] = $2; column[NR] = $3; value[NR] = $4 }
        $2 > last_row { last_row = $2 }
        $3 > last_column { last_column = $3 }
        { has_row[$2] = 1; has_column[$3] = 1 }
        END {
            for (i = 1; i <= last_row; ++i)
                if (i in has_row) new_row[i] = ++rows
            for (i = 1; i <= last_column; ++i)
                if (i in has_column) new_column[i] = ++columns
            print "%%MatrixMarket matrix coordinate real general"
            print "% US baby names: row = name, column = (state, year), value = log(count)"
            print "% US Social Security Administration, public domain"
            print rows, columns, NR
            for (i = 1; i <= NR; ++i)
                print new_row[row[i]], new_column[column[i]], value[i]
        }'
}

# `name state year value` per line, names without gaps.
as_tensor() {
    awk -v years=$YEARS '
        !($2 in new_row) { new_row[$2] = ++rows }
        { print new_row[$2], int(($3 - 1) / years) + 1, ($3 - 1) % years + 1, $4 }'
}

[ $# -eq 2 ] || usage
[ -r "$2" ] || { echo "make_part.sh: cannot read $2" >&2; exit 1; }
case $1 in
part) draw "$2" $LEAST $SHARE ;;
whole) draw "$2" 0 2 ;;
tensor) draw "$2" $LEAST $TENSOR_SHARE ;;
*) usage ;;
esac | sort -n -k1,1 | if [ "$1" = tensor ]; then as_tensor; else renumber; fi
