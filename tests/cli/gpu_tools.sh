#!/bin/bash
# gpu_tools.sh KERNEL: tools/nvcc and tools/nvdisasm, which know one piece of machine code: a loop of KERNEL_32 (a load, an
# addition that waits for it, a store); KERNEL_64 has none.
set -eu
kernel=$1
mkdir tools
cat >tools/nvcc <<N
#!/bin/sh
while [ "\$1" != -o ]; do shift; done
: >"\$2"
echo "ptxas info    : Compiling entry function '${kernel}_64' for 'sm_90'" >&2
echo "ptxas info    : Used 250 registers, used 0 barriers" >&2
echo "ptxas info    : Compiling entry function '${kernel}_32' for 'sm_90'" >&2
echo "ptxas info    : Used 40 registers, used 0 barriers, 16384 bytes smem" >&2
N
# line ADDRESS TEXT STALL SETS WAIT
line() {
    printf '        /*%s*/  %s ;  /* 0x0000000000000000 */\n    /* 0x%016x */\n' "$1" "$2" $((($3 | 16 | $4 << 5 | 7 << 8 | $5 << 11) << 41))
}
{
    echo ".text.${kernel}_64:"
    line 0000 'EXIT' 5 7 0
    echo ".text.${kernel}_32:"
    line 0000 'MOV R1, R2' 1 7 0
    echo '.L_x_1:'
    line 0010 '@P0 LDG.E.128 R4, desc[UR4][R2.64]' 2 0 0
    line 0020 'FADD R4, R4, R5' 4 7 1
    line 0030 'STG.E.128 desc[UR4][R2.64], R4' 1 7 0
    line 0040 '@P1 BRA `(.L_x_1)' 5 7 0
    line 0050 'EXIT' 5 7 0
} >code
printf '#!/bin/sh\ncat %q\n' "$PWD/code" >tools/nvdisasm
chmod +x tools/*
