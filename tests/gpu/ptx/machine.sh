#!/bin/bash
# machine.sh BINDIR: what machine.c and translate.py make of kernels of a few lines, which no compiler has seen: the litmus
# tests of PTX's memory model, lanes that work together, arithmetic, and what may not be.
. "$(dirname "$0")/../../lib.sh"
bin=$1
cd "$work"
. "$here/build.sh"
printf '.version 9.0\n.target sm_90\n.address_size 64\n' >litmus.ptx

# kernel NAME TEXT: registers %a %b %c, predicates %p %q; %m: memory, %i: the thread of its block, %k: the block
kernel() {
    echo "CASE($1)" >>cases.h
    cat >>litmus.ptx <<P
.visible .entry $1(.param .align 8 .b8 $1_param_0[$job]) {
    .reg .pred %p, %q; .reg .b32 %a, %b, %c, %i, %k; .reg .b64 %m, %at; .reg .f32 %f;
    ld.param.u64 %m, [$1_param_0];
    mov.u32 %i, %tid.x; mov.u32 %k, %ctaid.x;
    $2
    END: ret;
}
P
}
printf '#include "orrery_device.h"\nint size = sizeof(struct orrery_kernel_job);\nchar job[sizeof(struct orrery_kernel_job)];\n' >size.c
gcc -I"$include" -c size.c -o size.o
job=$((16#$(nm -S size.o | awk '/ job$/ { print $2 }')))

# first_alone N: threads but the first of each of N blocks are done
first_alone='setp.ne.u32 %p, %i, 0; @%p bra END; setp.gt.u32 %p, %k, 1; @%p bra END;'
# passing NAME RELEASE LOOK BEHIND: a message from block 0 to block 1, with a flag
passing() {
    kernel "$1" "$first_alone setp.ne.u32 %p, %k, 0; @%p bra READ;
    st.u32 [%m], 7; $2 bra END;
    READ: $3 setp.eq.u32 %p, %a, 0; @%p bra READ; $4 ld.u32 %b, [%m]; st.u32 [%m+128], %b;"
}
passing good_release 'st.release.gpu.u32 [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' ''
passing good_fences 'fence.acq_rel.gpu; st.relaxed.gpu.u32 [%m+64], 1;' 'ld.relaxed.gpu.u32 %a, [%m+64];' 'fence.acq_rel.gpu;'
passing good_volatile 'membar.gl; st.volatile.u32 [%m+64], 1;' 'ld.volatile.u32 %a, [%m+64];' 'membar.gl;'
passing good_atom 'atom.release.gpu.add.u32 %a, [%m+64], 1;' 'atom.acquire.gpu.or.b32 %a, [%m+64], 0;' ''
passing good_red 'red.release.gpu.add.u32 [%m+64], 1;' 'ld.acquire.sys.u32 %a, [%m+64];' ''
passing bad_store 'st.relaxed.gpu.u32 [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' ''
passing bad_load 'st.release.gpu.u32 [%m+64], 1;' 'ld.relaxed.gpu.u32 %a, [%m+64];' ''
passing bad_weak_store 'st.u32 [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' ''
passing bad_weak_load 'st.release.gpu.u32 [%m+64], 1;' 'ld.u32 %a, [%m+64];' ''
passing bad_block_store 'st.release.cta.u32 [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' ''
passing bad_block_load 'st.release.gpu.u32 [%m+64], 1;' 'ld.acquire.cta.u32 %a, [%m+64];' ''
passing bad_block_fence 'fence.acq_rel.cta; st.relaxed.gpu.u32 [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' ''
passing bad_fence_before 'st.release.gpu.u32 [%m+64], 1;' 'fence.acq_rel.gpu; ld.relaxed.gpu.u32 %a, [%m+64];' ''
passing bad_atom 'atom.add.u32 %a, [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' ''
passing bad_constant 'st.release.gpu.u32 [%m+64], 1;' 'ld.acquire.gpu.u32 %a, [%m+64];' 'ld.global.nc.u32 %c, [%m];'

# inside NAME BETWEEN: thread 0 of block 0 writes, thread 40 (NAME's second word: 1) reads
inside() {
    kernel "$1" "setp.ne.u32 %p, %k, 0; @%p bra END; setp.ne.u32 %p, %i, 0; @!%p st.u32 [%m], 7; $3
    setp.eq.u32 %q, %i, $2; @!%q bra END; ld.u32 %b, [%m]; st.u32 [%m+128], %b;"
}
inside good_block 40 'bar.sync 0;'
inside good_warp 1 'bar.warp.sync -1;'
inside bad_warps 40 'bar.warp.sync -1;'
inside bad_lanes 1 ''
inside bad_shuffled 1 'shfl.sync.idx.b32 %a, %i, 0, 31, -1;'
inside bad_other_lanes 1 'setp.gt.u32 %q, %i, 15; @%q bar.warp.sync 0xffff0000;'

shared='.shared .align 4 .b8 table[512]; mov.u32 %a, %i; mul.wide.u32 %at, %i, 4; .reg .b64 %s; mov.u64 %s, table;
    add.s64 %s, %s, %at; st.shared.u32 [%s], %i;'
back='setp.ne.u32 %p, %k, 0; @%p bra END; xor.b32 %b, %i, 127; mul.wide.u32 %at, %b, 4; mov.u64 %s, table;
    add.s64 %s, %s, %at; ld.shared.u32 %b, [%s]; setp.gt.u32 %p, %i, 31; @%p bra END; mul.wide.u32 %at, %i, 4;
    add.s64 %at, %m, %at; st.u32 [%at], %b;'
kernel good_shared "$shared bar.sync 0; $back"
kernel bad_shared "$shared bar.warp.sync -1; $back"

# lanes NAME TEXT: the first warp alone; %b of each lane is stored
lanes() {
    kernel "$1" "setp.gt.u32 %p, %i, 31; @%p bra END; setp.ne.u32 %p, %k, 0; @%p bra END; $2
    mul.wide.u32 %at, %i, 4; add.s64 %at, %m, %at; st.u32 [%at], %b;"
}
lanes good_down 'shfl.sync.down.b32 %b|%p, %i, 1, 31, -1;'
lanes good_up 'shfl.sync.up.b32 %b|%p, %i, 1, 0, -1;'
lanes good_bfly 'shfl.sync.bfly.b32 %b|%p, %i, 16, 31, -1;'
lanes good_ballot 'and.b32 %a, %i, 1; setp.ne.u32 %p, %a, 0; vote.sync.ballot.b32 %b, %p, -1; shr.u32 %b, %b, 28;'
lanes good_redux 'redux.sync.max.s32 %b, %i, -1;'
lanes good_bits 'bfe.u32 %b, 0xabcd, 4, 8; bfi.b32 %b, %i, %b, 8, 8; popc.b32 %a, %b; brev.b32 %c, %a; shf.l.wrap.b32 %b, %a, %c, 1; shr.u32 %b, %b, 24;'
lanes good_whole 'mov.f32 %f, 0fc0200000; cvt.rzi.s32.f32 %b, %f; neg.s32 %b, %b;'
lanes bad_divergent 'setp.eq.u32 %q, %i, 9; @!%q shfl.sync.idx.b32 %b, %i, 0, 31, -1;'
lanes bad_absent 'shfl.sync.idx.b32 %b, %i, 0, 31, 0x7fffffff;'
lanes bad_together 'st.u32 [%m], %i; mov.u32 %b, 0;'
lanes bad_misaligned '.reg .b32 %w; ld.v2.u32 {%b, %w}, [%m+4];'
lanes bad_outside 'ld.u32 %b, [%m+256];'
lanes bad_forever 'AGAIN: ld.acquire.gpu.u32 %b, [%m]; setp.eq.u32 %p, %b, 0; @%p bra AGAIN;'

# copies NAME WAIT: cp.async of what the lane has just written
copies() {
    lanes "$1" ".shared .align 4 .b8 stage[128]; .reg .b64 %s; mul.wide.u32 %at, %i, 4; mov.u64 %s, stage; add.s64 %s, %s, %at;
    add.s64 %at, %m, %at; st.u32 [%at], %i; cp.async.ca.shared.global [%s], [%at], 4; cp.async.commit_group; $2 ld.shared.u32 %b, [%s];"
}
copies good_copies 'cp.async.wait_group 0;'
copies bad_early 'cp.async.commit_group; cp.async.wait_group 2;'
copies bad_changed 'st.u32 [%at], 99; cp.async.wait_group 0;'

ptx_machine
ptx_object litmus
python3 "$here/translate.py" --table litmus.ptx "$here/litmus.c" >table.c
gcc -O1 -w -fno-pie -std=gnu17 -I. -I"$tree" -I"$include" -I"$here" -c table.c -o table.o
ld -r table.o machine.o -o litmus.main.o
ptx_link litmus

# expect_sum NAME 'SUM OTHER'
expect_sum() {
    expect 0 ./litmus "$1"
    [ "$(cat out)" = "$2" ] || fail "$1: $(cat out), not $2"
}
for seed in 1 2 3; do
    export ORRERY_DEBUG=gpu_shuffle=$seed
    for name in release fences volatile atom red; do expect_sum "good_$name" '8 7'; done
    for name in block warp; do expect_sum "good_$name" '7 7'; done
    expect_sum good_shared '3568 0'
    expect_sum good_down '527 0'
    expect_sum good_copies '496 0'
    expect_sum bad_early "$(((16#a5a5a5a5 * 32) & 16#ffffffff)) 0"
    expect_sum good_up '465 0'
    expect_sum good_bfly '496 0'
    expect_sum good_ballot '320 0'
    expect_sum good_redux '992 0'
    expect_sum good_whole '64 0'
    expect_sum good_bits '3584 0'
done
for name in store load weak_store weak_load block_store block_load block_fence fence_before atom constant warps lanes shuffled \
    shared together; do
    refuses 1 'a race: it' ./litmus "bad_$name"
done
refuses 1 'none of the lanes that it meets' ./litmus bad_absent
refuses 1 'no warp can go on' ./litmus bad_divergent
refuses 1 'no multiple of that' ./litmus bad_misaligned
refuses 1 'a cp.async copies changes before' ./litmus bad_changed
refuses 1 'where the device has no memory' ./litmus bad_outside
refuses 1 'no warp can go on: lane' ./litmus bad_forever
refuses 1 '17 blocks wait for each other, and 16 are there' ./litmus good_release 17

# What is not known ends the translation.
printf '.visible .entry k(.param .b64 p) {\n    .reg .b32 %%a;\n    dp4a.u32.u32 %%a, %%a, %%a, %%a;\n}\n' >unknown.ptx
refuses 1 'line 3: instruction dp4a.u32.u32 is not translated' python3 "$here/translate.py" unknown.ptx
