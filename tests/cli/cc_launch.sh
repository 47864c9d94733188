#!/bin/bash
# orrery launch, orrery-cc --launch: the compiler of the command is the host compiler, cache and all.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
expect 0 "$orrery" launch -Rorrery gcc -O2 mf.c -o mf -lm
says err 'mf\.c:[0-9:]+ remark: parallel'
expect 0 ./mf
says out '^epoch 3 rmse'

# A compiler and a cache whose paths have blanks and quotes.
mkdir "it's a folder"
printf '#!/bin/sh\necho "compiler $#" >>"%s/asked"\nexec gcc "$@"\n' "$work" >"it's a folder/my cc"
printf '#!/bin/sh\necho cache >>"%s/asked"\nexec "$@"\n' "$work" >"it's a folder/ccache"
chmod +x "it's a folder"/*
expect 0 "$cc" --launch "$work/it's a folder/ccache" "$work/it's a folder/my cc" -c mf.c -o mf.o
says asked '^cache$' '^compiler'
rm asked
expect 0 "$cc" -Rorrery --launch=1 "$work/it's a folder/my cc" mf.o -o linked -lm
says asked '^compiler'
expect 0 ./linked
# A project whose compiler is orrery-cc already: once is enough.
expect 0 "$orrery" launch "$cc" -c mf.c -o twice.o
cmp -s mf.o twice.o || fail "orrery-cc behind orrery launch made another object"

expect 2 "$orrery" launch
says err 'no compiler'
expect 2 "$cc" --launch
says err 'needs a compiler'
expect 2 "$cc" --launch=3 gcc -c
says err 'needs a compiler'
expect 127 "$orrery" launch no-such-compiler -c mf.c
says err "cannot run 'no-such-compiler'"

# A plan for one source of several.
mkdir sub
cp mf.c sub/mf.c
sed 's/static void train/void second/; /int main/,$d' mf.c >other.c
expect 0 "$orrery" plan mf.c -o plan.json
sed -i 's/"strategy": "rotation-2d"/"strategy": "serial"/' plan.json
expect 0 "$cc" -plan-of mf.c=plan.json sub/mf.c other.c -o several -lm
says err 'sub/mf\.c.*serial'
lacks 'other\.c' err || fail "the plan of mf.c met other.c"
expect 0 "$cc" -plan-of f.c=plan.json sub/mf.c other.c -o several -lm
silent err
expect 2 "$cc" -plan-of plan.json mf.c -o wrong -lm
says err 'needs SOURCE=FILE'

# -auto leaves alone what may become part of a shared library.
cat >fill.c <<'EOF'
void fill(double *a, long n) {
    for (long i = 0; i < n; i++)
        a[i] = 1;
}
EOF
expect 0 "$cc" -auto -Rorrery -fPIC -c fill.c -o fill.o
says err 'may become a shared library'
expect 0 gcc -shared fill.o -o libfill.so
expect 0 "$cc" -auto -shared -fPIC fill.c -o libfill.so
expect 0 "$cc" -auto -Rorrery -fPIE -c fill.c -o fill.o
says err 'fill\.c:2:5: remark: parallel'
