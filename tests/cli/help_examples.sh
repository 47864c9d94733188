#!/bin/bash
# Every example of every --help is run as it stands there, in a folder that has what they name.
. "$(dirname "$0")/lib.sh"

PATH=$BIN:$PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 HOME=$work
mkdir -p include build .zsh/functions

cp "$tree"/samples/mf/mf.c .
sed -i "1i #undef K" mf.c # which -DK=32 defines
awk 'BEGIN { srand(1); for (i = 0; i < 4000; ++i) print int(rand() * 90), int(rand() * 60), rand() * 5 }' |
    awk '{ if (!(($1, $2) in seen)) { seen[$1, $2] = 1; line[n++] = ($1 + 1) " " ($2 + 1) " " $3 } }
         END { print "%%MatrixMarket matrix coordinate real general"; print 90, 60, n; for (i = 0; i < n; ++i) print line[i] }' >ratings.csv
cp ratings.csv part.csv
cat >kernel.c <<'EOF'
void scale(double *restrict a, const double *restrict b, int n) {
    for (int i = 0; i < n; ++i)
        a[i] = 2 * b[i];
}
EOF
printf 'localhost slots=8\n' >hosts
printf '{"schema": "orrery-cluster/1", "cores_per_node": 4, "nodes": 300}\n' >c.json
printf 'cmake_minimum_required(VERSION 3.21)\nproject(mf C)\nadd_executable(mf mf.c)\ntarget_link_libraries(mf PRIVATE m)\n' >CMakeLists.txt
# What the examples say of optimization is for orrery-cc; the compiler behind it need not take its time.
mkdir bin
printf '#!/bin/bash\nexec cc "${@/#-O3/-O1}"\n' >bin/light
chmod +x bin/light
export ORRERY_CC=$work/bin/light
printf '#!/bin/sh\nprintf "mf-made: mf.c\\n\\t$CC -O2 mf.c -o mf-made -lm\\n" >Makefile\n' >configure
chmod +x configure
expect 0 cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
rm build/CMakeCache.txt
for file in before after; do
    expect 0 orrery analyze --format=json mf.c
    cp out $file.json
done
expect 0 orrery-cc -O3 mf.c -o mf -lm
# What may not be installed here.
for name in less:cat clang:cc clang-19:cc; do
    command -v "${name%:*}" >/dev/null || ln -s "$(command -v "${name#*:}")" "bin/${name%:*}"
done
PATH=$PATH:$work/bin

examples() {
    "$@" --help | sed -n '/^examples:/,/^$/p' | sed '1d; /^$/d; s/^  //'
}

count=0
# run LINE: one example, without what stands behind it in words
run() {
    count=$((count + 1))
    timeout 300 bash -c "${1%%  *}" >out 2>err </dev/null || fail "status $? of the example: $1"
}

for command in "orrery" $(orrery --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/orrery:\1/p') "orrery-cc"; do
    example=
    while IFS= read -r line; do
        case $line in
        *\\)
            line=${line%\\}
            example="$example${line#"${line%%[! ]*}"}"
            ;;
        *)
            run "$example${line#"${line%%[! ]*}"}"
            example=
            ;;
        esac
    done < <(examples ${command/:/ })
done
[ "$count" -ge 40 ] || fail "only $count examples found"
