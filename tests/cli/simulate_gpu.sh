#!/bin/bash
# orrery simulate --gpu: what a loop of machine code takes, by hand; the blocks of a ring, by hand; what is refused; a real
# kernel's machine code, which is kept here, beside what a GPU took.
. "$(dirname "$0")/lib.sh"

mf_program mf.c
expect 0 "$cc" -O2 mf.c -o mf -lm
expect 0 env ORRERY_GRID=2x2 ORRERY_VISITS=1 ORRERY_THREADS=1 ORRERY_PROFILE=mf.profile ./mf 5000
expect 0 "$orrery" emit -target gpu --kernels mf.cu -o mf.gpu.c mf.c
kernel=$(sed -n 's/^ORRERY_ENTRY(\(.*\)_entry,.*/\1/p' mf.cu | head -n 1)

# A load whose barrier the addition waits for: 270 cycles, and 4 + 1 + 5 until the branch is through.
bash "$(dirname "$0")/gpu_tools.sh" "$kernel"
export ORRERY_NVCC=$PWD/tools/nvcc ORRERY_NVDISASM=$PWD/tools/nvdisasm
expect 0 "$orrery" simulate --gpu h200 --kernels mf.cu --row 32 mf.profile
says out "${kernel}_32: 40 registers, 16384 bytes of shared memory, 48 warps per multiprocessor" \
    'an iteration: 4 instructions, 280 cycles of a warp alone, 1024 bytes of rows' 'rows and batons that wait'

says out '^the heaviest baton: [0-9]+ iterations, handed on 1 times: '
expect 2 "$orrery" simulate --gpu h200 --kernels mf.cu --row 32 --grid 4x4 mf.profile
says err 'with --gpu measure on that grid'

# ring ITERATIONS SECONDS [THE HEAVIEST BATON'S]: of four blocks; 280 cycles of 1.98 GHz each, 1,360 between two blocks of a warp, 3,400 for a baton.
ring() {
    python3 - mf.profile "$1" >ring.profile <<'P'
import json
import sys
profile = json.load(open(sys.argv[1], encoding='utf-8'))
loop = profile['loops'][0]
for step, count in zip(loop['steps'], sys.argv[2].split()):
    step[2] = int(count)
json.dump(profile, sys.stdout)
P
    expect 0 "$orrery" simulate --gpu h200 --kernels mf.cu --row 32 --format json ring.profile
    python3 - "$2" "${3:-$2}" <<'P' || fail "blocks of $1: $(cat out)"
import json
import sys
found = json.load(open('out', encoding='utf-8'))
assert found['schema'] == 'orrery-gpu/1' and found['cycles'] == 280
assert abs(found['heaviest_seconds'] / (eval(sys.argv[2]) / 1.98e9) - 1) < 1e-4
sys.exit(abs(found['seconds'] / (eval(sys.argv[1]) / 1.98e9) - 1) > 1e-4)
P
}
ring '1000 1000 1000 1000' '2 * 280000 + 3400'
ring '1000 500 500 500' '280000 + 3400 + 140000' '280000 + 3400 + 140000'
ring '1000 0 2000 0' '280000 + 1360 + 560000' '560000 + 3400'

expect 1 "$orrery" simulate --gpu h300 --kernels mf.cu mf.profile
says err 'no device is called h300: a100, h100, h200'
expect 1 "$orrery" simulate --gpu h200 --kernels mf.cu --row 64 mf.profile
says err 'has no loop over records whose rows are loaded ahead'
expect 2 "$orrery" simulate --gpu h200 mf.profile
says err 'belong together'
expect 1 "$orrery" simulate --gpu h200 --kernels mf.cu --row 128 mf.profile
says err 'mf.cu has no kernel for rows of 128 numbers'
expect 1 "$orrery" simulate --gpu h200 --kernels mf.cu --kernel other --row 32 mf.profile
says err 'mf.cu has no kernel of that name for rows of 32 numbers'
expect 0 "$orrery" simulate --gpu h200 --kernels mf.cu --kernel "$kernel" --row 32 mf.profile
echo "echo \"ptxas info    : Compiling entry function 'other_40' for 'sm_90'\"" >>tools/nvcc
expect 1 "$orrery" simulate --gpu h200 --kernels mf.cu --row 32 mf.profile
says err "mf.cu has several kernels: --kernel says which, as $kernel"
ORRERY_NVDISASM=/nowhere/nvdisasm expect 1 "$orrery" simulate --gpu h200 --kernels mf.cu --kernel "$kernel" --row 32 mf.profile
says err 'ORRERY_NVDISASM says which'

# The kernel of mf at rows of 128 numbers, by nvcc 13.0 and nvdisasm 13.5 (`nvdisasm -c -hex`, of which only what is read is
# left). ncu counted of it on an H100 145 instructions and 572 cycles of a rating, 84 of which wait for rows that one of the
# three ratings before has (docs/measurements.md): those the model leaves out.
rm tools/*
cat >tools/nvcc <<'N'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
: >"$2"
echo "ptxas info    : Compiling entry function 'orrery_kernel_128' for 'sm_90'" >&2
echo "ptxas info    : Used 116 registers, used 0 barriers, 16384 bytes smem" >&2
N
printf '#!/bin/sh\ngzip -dc %q\n' "$here/gpu_code_128.gz" >tools/nvdisasm
chmod +x tools/*
expect 0 "$orrery" simulate --gpu h100 --kernels mf.cu --row 128 mf.profile
says out 'orrery_kernel_128: 116 registers, 16384 bytes of shared memory, 16 warps per multiprocessor' '2048 bytes of rows'
awk '/^an iteration:/ { found = 1; exit !($3 > .9 * 145 && $3 < 1.1 * 145 && $5 > .9 * (572 - 84) && $5 < 1.1 * (572 - 84)) }
     END { if (!found) exit 1 }' out || fail "far from what was measured: $(grep '^an iteration' out)"
