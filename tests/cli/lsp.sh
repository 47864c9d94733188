#!/bin/bash
# orrery lsp, by a client of ours that checks every message, and in Neovim.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || exit 77

python3 "$here/lsp.py" "$orrery" "$work" || fail "the client"
expect 2 "$orrery" lsp mf.c
says err 'it takes no files'

command -v nvim >/dev/null || exit 77
printf 'void twice(double *restrict a, long n) {\n#pragma orrery parallell\n    for (long i = 0; i < n; ++i)\n        a[i] *= 2;\n}\n' >twice.c
ORRERY=$orrery timeout 120 nvim --headless --clean -c "luafile $here/lsp.lua" twice.c </dev/null >nvim.out 2>&1 ||
    { cat nvim.out; fail "Neovim"; }
expect 0 "$cc" -Werror=serial -c twice.c
