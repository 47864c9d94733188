# Sourced by run: `lines`: lines of code, without comments and blank lines: of each sample (what it shares with others
# counted apart), of its function with the marked loop, and of what makes it parallel (the pragmas); Orion's for the
# same algorithm, as published (EuroSys 2019: MF 87, AdaRev 108, SLR 118, LDA 398, GBT 695, in Julia); and of
# parallel programs written by hand, where their source is named: LIBMF (PEER_LIBMF), GloVe (PEER_GLOVE).
count() {
    cat "$@" | cc -x c -w -fpreprocessed -dD -E -P - | grep -c '[^[:space:]]'
}

# The functions that hold a marked loop.
marked() {
    cc -x c -w -fpreprocessed -dD -E -P "$1" | awk '
        /^[a-z].*\(/ { text = 0; holds = 0 }
        /[^ \t]/ { text++ }
        /#pragma orrery|ORRERY_PARALLEL/ { holds = 1 }
        /^}/ { if (holds) all += text; holds = text = 0 }
        END { print all + 0 }'
}

orion() {
    case $1 in
    mf) echo 87 ;;
    mf_adarev) echo 108 ;;
    slr) echo 118 ;;
    lda) echo 398 ;;
    gbt) echo 695 ;;
    *) echo - ;;
    esac
}

# by_hand NAME: lines of the parallel program that others wrote for it.
by_hand() {
    case $1 in
    mf) [ -z "${PEER_LIBMF:-}" ] || { count "$PEER_LIBMF"/mf.cpp "$PEER_LIBMF"/mf.h "$PEER_LIBMF"/mf-train.cpp; return 0; } ;;
    glove) [ -z "${PEER_GLOVE:-}" ] || { count "$PEER_GLOVE"/src/*.[ch]; return 0; } ;;
    esac
    echo -
}

for source in "$tree"/samples/*/*.c; do
    name=$(basename "$source" .c)
    folder=$(dirname "$source")
    case $source in */integration/*) continue ;; esac
    own=$(sed -n "s|^#include \"\([^/]*\.h\)\"|$folder/\1|p" "$source")
    # shellcheck disable=SC2086
    echo "lines $name program=$(count "$source" $own) function=$(marked "$source")" \
        "pragmas=$(grep -c '#pragma orrery\|^ *ORRERY_PARALLEL' "$source") orion=$(orion "$name") by_hand=$(by_hand "$name")" |
        tee -a "$work/lines"
done
echo "lines shared=$(count "$tree"/samples/common/*.h)" \
    "median_program=$(sed 's/.*program=\([0-9]*\).*/\1/' "$work/lines" | median)" \
    "median_pragmas=$(sed 's/.*pragmas=\([0-9]*\).*/\1/' "$work/lines" | median)"
