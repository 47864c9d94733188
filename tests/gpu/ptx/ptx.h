/*
 * What kernels call that translate.py made C of: where a lane is, how it reads and writes memory,
 * how it meets other lanes (machine.c, order.c); and PTX's arithmetic where it is not C's.
 * `line`: of the PTX, for messages.
 */
#ifndef ORRERY_TESTS_PTX_H
#define ORRERY_TESTS_PTX_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Scopes: whom an order is kept for. */
enum { PTX_CTA, PTX_GPU, PTX_SYS, PTX_SCOPES };
enum { PTX_RELAXED, PTX_ACQUIRE, PTX_RELEASE, PTX_ACQ_REL };
enum { PTX_IDX, PTX_UP, PTX_DOWN, PTX_BFLY };
enum { PTX_BALLOT, PTX_ANY, PTX_ALL, PTX_UNI };
enum { PTX_FOLD_ADD, PTX_FOLD_MIN, PTX_FOLD_MAX, PTX_FOLD_AND, PTX_FOLD_OR, PTX_FOLD_XOR };
enum { PTX_THREADS = 128 };

/* A kernel: its name, the host's function by which the runtime knows it (NULL: it does not), its
 * text, bytes of its shared memory. */
struct ptx_entry {
    const char *name;
    const void *known_as;
    void (*run)(char *job);
    unsigned shared;
};

void ptx_tell(const struct ptx_entry *entries, unsigned long count);

uint32_t ptx_thread(void);
uint32_t ptx_block(void);
uint32_t ptx_blocks(void);
uint64_t ptx_clock(void);
char *ptx_shared(unsigned offset);

/* Accesses that no order is kept for. They check; the caller does them. */
void ptx_read(const void *at, unsigned bytes, int line);
void ptx_read_constant(const void *at, unsigned bytes, int line);
void ptx_write(void *at, unsigned bytes, int line);
void ptx_aligned(const void *at, unsigned bytes, int line);

/* Strong ones. Between a load and a store of `ptx_atom` nothing else runs. */
uint64_t ptx_load(const char *at, unsigned bytes, int order, int scope, int line);
void ptx_store(char *at, uint64_t value, unsigned bytes, int order, int scope, int line);
uint64_t ptx_atom_load(const char *at, unsigned bytes, int order, int scope, int line);
void ptx_atom_store(char *at, uint64_t value, unsigned bytes, int order, int scope);
void ptx_fence(int scope, int sequential, int line);

/* cp.async: copies on their way, by groups. What they read must not change meanwhile, and what they
 * write is nothing until they are waited for: all groups but the last `left`. */
void ptx_copy_begin(char *to, const char *from, unsigned bytes, int line);
void ptx_copies_commit(void);
void ptx_copies_await(unsigned left, int line);

void ptx_meet_warp(uint32_t lanes, int line);
void ptx_meet_block(int line);
uint32_t ptx_shuffle(int how, uint32_t value, uint32_t from, uint32_t clamp, uint32_t lanes,
                     int *there, int line);
uint32_t ptx_vote(int how, int says, uint32_t lanes, int line);
uint32_t ptx_fold(int how, int is_signed, uint32_t value, uint32_t lanes, int line);
void ptx_pause(void);
_Noreturn void ptx_exit(void);
_Noreturn void ptx_trap(int line);

/* ---- bits ---- */

#define ORRERY_PTX static inline __attribute__((__unused__))

ORRERY_PTX float ptx_f32_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

ORRERY_PTX double ptx_f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

ORRERY_PTX uint32_t ptx_bits_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

ORRERY_PTX uint64_t ptx_bits_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* ---- by type ---- */

/* Shifts by more than the width give what shifting one by one gives. */
#define PTX_SHIFT(kind, type, width)                                                               \
    ORRERY_PTX type ptx_left_##kind(type x, uint32_t n) {                                          \
        return n >= (width) ? 0 : (type)(x << n);                                                  \
    }                                                                                              \
    ORRERY_PTX type ptx_right_##kind(type x, uint32_t n) {                                         \
        return n >= (width) ? (type)(x >> ((width) - 1) >> 1) : (type)(x >> n);                    \
    }
#define PTX_LEAST(kind, type)                                                                      \
    ORRERY_PTX type ptx_min_##kind(type x, type y) {                                               \
        return x < y ? x : y;                                                                      \
    }                                                                                              \
    ORRERY_PTX type ptx_max_##kind(type x, type y) {                                               \
        return x > y ? x : y;                                                                      \
    }
#define PTX_HIGH(kind, type, wide, width)                                                          \
    ORRERY_PTX type ptx_high_##kind(type x, type y) {                                              \
        return (type)(((wide)x * (wide)y) >> (width));                                             \
    }
/* What is no number gives 0, what is too large the largest. */
#define PTX_WHOLE(kind, type, least, most)                                                         \
    ORRERY_PTX type ptx_whole_##kind(double x) {                                                   \
        if (x != x)                                                                                \
            return 0;                                                                              \
        return x <= (double)(least) ? (least) : x >= (double)(most) ? (most) : (type)x;            \
    }
/* One that is not a number gives the other; -0.0 is below 0.0. */
#define PTX_FLOAT(kind, type, suffix)                                                              \
    ORRERY_PTX type ptx_min_##kind(type x, type y) {                                               \
        return x != x ? y : y != y || x < y || (x == y && signbit(x)) ? x : y;                     \
    }                                                                                              \
    ORRERY_PTX type ptx_max_##kind(type x, type y) {                                               \
        return x != x ? y : y != y || x > y || (x == y && !signbit(x)) ? x : y;                    \
    }                                                                                              \
    ORRERY_PTX type ptx_abs_##kind(type x) {                                                       \
        return fabs##suffix(x);                                                                    \
    }                                                                                              \
    ORRERY_PTX type ptx_root_##kind(type x) {                                                      \
        return sqrt##suffix(x);                                                                    \
    }                                                                                              \
    ORRERY_PTX type ptx_sign_from_##kind(type sign, type x) {                                      \
        return copysign##suffix(x, sign);                                                          \
    }

PTX_SHIFT(b16, uint16_t, 16)
PTX_SHIFT(u16, uint16_t, 16)
PTX_SHIFT(s16, int16_t, 16)
PTX_SHIFT(b32, uint32_t, 32)
PTX_SHIFT(u32, uint32_t, 32)
PTX_SHIFT(s32, int32_t, 32)
PTX_SHIFT(b64, uint64_t, 64)
PTX_SHIFT(u64, uint64_t, 64)
PTX_SHIFT(s64, int64_t, 64)
PTX_LEAST(u16, uint16_t)
PTX_LEAST(s16, int16_t)
PTX_LEAST(u32, uint32_t)
PTX_LEAST(s32, int32_t)
PTX_LEAST(u64, uint64_t)
PTX_LEAST(s64, int64_t)
PTX_HIGH(u32, uint32_t, uint64_t, 32)
PTX_HIGH(s32, int32_t, int64_t, 32)
__extension__ PTX_HIGH(u64, uint64_t, unsigned __int128, 64) __extension__ PTX_HIGH(s64, int64_t,
                                                                                    __int128, 64)
    PTX_WHOLE(u8, uint8_t, 0, UINT8_MAX) PTX_WHOLE(s8, int8_t, INT8_MIN, INT8_MAX)
        PTX_WHOLE(u16, uint16_t, 0, UINT16_MAX) PTX_WHOLE(s16, int16_t, INT16_MIN, INT16_MAX)
            PTX_WHOLE(u32, uint32_t, 0, UINT32_MAX) PTX_WHOLE(s32, int32_t, INT32_MIN, INT32_MAX)
                PTX_WHOLE(u64, uint64_t, 0, UINT64_MAX)
                    PTX_WHOLE(s64, int64_t, INT64_MIN, INT64_MAX) PTX_FLOAT(f32, float, f)
                        PTX_FLOAT(f64, double, )

                            ORRERY_PTX int16_t ptx_abs_s16(int16_t x) {
    return (int16_t)(x < 0 ? -x : x);
}

ORRERY_PTX int32_t ptx_abs_s32(int32_t x) {
    return x < 0 ? (int32_t)(0u - (uint32_t)x) : x;
}

ORRERY_PTX int64_t ptx_abs_s64(int64_t x) {
    return x < 0 ? (int64_t)(0ul - (uint64_t)x) : x;
}

ORRERY_PTX uint32_t ptx_ones_b32(uint32_t x) {
    return (uint32_t)__builtin_popcount(x);
}

ORRERY_PTX uint32_t ptx_ones_b64(uint64_t x) {
    return (uint32_t)__builtin_popcountl(x);
}

ORRERY_PTX uint32_t ptx_zeros_b32(uint32_t x) {
    return x ? (uint32_t)__builtin_clz(x) : 32;
}

ORRERY_PTX uint32_t ptx_zeros_b64(uint64_t x) {
    return x ? (uint32_t)__builtin_clzl(x) : 64;
}

ORRERY_PTX uint32_t ptx_reversed_b32(uint32_t x) {
    uint32_t y = 0;
    for (int i = 0; i < 32; ++i)
        y |= (x >> i & 1u) << (31 - i);
    return y;
}

/* `bits` bits of x from `from` on. */
ORRERY_PTX uint64_t ptx_extract_u64(uint64_t x, uint32_t from, uint32_t bits) {
    uint64_t mask = bits % 256 >= 64 ? ~0ul : (1ul << bits % 256) - 1;
    return from % 256 >= 64 ? 0 : x >> from % 256 & mask;
}

ORRERY_PTX uint32_t ptx_extract_u32(uint32_t x, uint32_t from, uint32_t bits) {
    return (uint32_t)ptx_extract_u64(x, from, bits);
}

/* The same with the lowest `bits` bits of `in` in their place. */
ORRERY_PTX uint64_t ptx_insert_b64(uint64_t in, uint64_t x, uint32_t from, uint32_t bits) {
    uint64_t mask = bits % 256 >= 64 ? ~0ul : (1ul << bits % 256) - 1;
    return from % 256 >= 64 ? x : (x & ~(mask << from % 256)) | (in & mask) << from % 256;
}

ORRERY_PTX uint32_t ptx_insert_b32(uint32_t in, uint32_t x, uint32_t from, uint32_t bits) {
    return (uint32_t)ptx_insert_b64(in, x, from, bits);
}

#endif
