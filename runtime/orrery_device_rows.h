/*
 * Of orrery_device.h: rows that are loaded while the body runs on records in front of theirs
 * (docs/gpu.md, "Rows loaded ahead"). Included by that header alone.
 */
#ifndef ORRERY_DEVICE_ROWS_H
#define ORRERY_DEVICE_ROWS_H

#ifdef __CUDACC__

enum { ORRERY_STAGE_LANES = ORRERY_LANES };

ORRERY_DEVICE int orrery_stage_lane(void) {
    return orrery_lane_number();
}

/* Begins to copy 4, 8 or 16 bytes (`bytes` is a constant), each to and from a multiple of that; or
 * nothing. By the second-level cache where it can. */
ORRERY_DEVICE void orrery_copy_begin(void *to, const void *from, const int bytes, int have) {
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if (bytes == 16)
        asm volatile("{ .reg .pred have; setp.ne.s32 have, %2, 0;"
                     " @have cp.async.cg.shared.global [%0], [%1], 16; }"
                     :
                     : "r"(at), "l"(__cvta_generic_to_global(from)), "r"(have)
                     : "memory");
    else if (bytes == 8)
        asm volatile("{ .reg .pred have; setp.ne.s32 have, %2, 0;"
                     " @have cp.async.ca.shared.global [%0], [%1], 8; }"
                     :
                     : "r"(at), "l"(__cvta_generic_to_global(from)), "r"(have)
                     : "memory");
    else
        asm volatile("{ .reg .pred have; setp.ne.s32 have, %2, 0;"
                     " @have cp.async.ca.shared.global [%0], [%1], 4; }"
                     :
                     : "r"(at), "l"(__cvta_generic_to_global(from)), "r"(have)
                     : "memory");
}

/* 16 bytes from shared memory: as a statement of its own, so that they come to where they stay. */
ORRERY_DEVICE void orrery_stage_read(void *to, const void *stage) {
    unsigned v[4];
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"((unsigned)__cvta_generic_to_shared(stage))
                 : "memory");
    __builtin_memcpy(to, v, sizeof v);
}

ORRERY_DEVICE void orrery_stage_write(void *stage, const void *from) {
    unsigned v[4];
    __builtin_memcpy(v, from, sizeof v);
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(stage)), "r"(v[0]), "r"(v[1]), "r"(v[2]),
                   "r"(v[3])
                 : "memory");
}

/* What has begun since the last time is one group, even if it is nothing. */
ORRERY_DEVICE void orrery_copies_commit(void) {
    asm volatile("cp.async.commit_group;" : : : "memory");
}

/* All groups but the last `left`, a constant, are there. */
ORRERY_DEVICE void orrery_copies_await(const int left) {
    if (left == 0)
        asm volatile("cp.async.wait_group 0;" : : : "memory");
    else if (left == 1)
        asm volatile("cp.async.wait_group 1;" : : : "memory");
    else
        asm volatile("cp.async.wait_group 2;" : : : "memory");
}

#else

enum { ORRERY_STAGE_LANES = 1 };

ORRERY_DEVICE int orrery_stage_lane(void) {
    return 0;
}

ORRERY_DEVICE void orrery_copy_begin(void *to, const void *from, const int bytes, int have) {
    if (have)
        __builtin_memcpy(to, from, (unsigned long)bytes);
}

ORRERY_DEVICE void orrery_stage_read(void *to, const void *stage) {
    __builtin_memcpy(to, stage, 16);
}

ORRERY_DEVICE void orrery_stage_write(void *stage, const void *from) {
    __builtin_memcpy(stage, from, 16);
}

ORRERY_DEVICE void orrery_copies_commit(void) {
}

ORRERY_DEVICE void orrery_copies_await(const int left) {
    (void)left;
}

#endif

/*
 * Rows on their way stand in stages: each has the rows of one record, in the multiprocessor's
 * shared memory, beside which the next ones are copied. A lane copies what it uses itself, so it
 * waits for no other. Lane l has piece p at (p * ORRERY_STAGE_LANES + l) times the piece's size.
 */

/* A record's rows of up to `most` numbers each; `words`: what a number of every row takes together,
 * 4 bytes each. */
#define ORRERY_STAGE(most, words)                                                                  \
    (((most) + ORRERY_WIDE - 1) / ORRERY_WIDE * 16 * ORRERY_STAGE_LANES * (words))

/* How many stages a warp has: four, or as many as there is room for; 0: less than two. */
#define ORRERY_STAGE_ROOM (12288 / ORRERY_LANES * ORRERY_STAGE_LANES)
#define ORRERY_NO_STAGE(most, words) ((most) == 0 || (words) == 0)
#define ORRERY_STAGES_FIT(most, words)                                                             \
    (ORRERY_NO_STAGE(most, words)                                                                  \
         ? 0                                                                                       \
         : ORRERY_STAGE_ROOM / (ORRERY_STAGE(most, words) + ORRERY_NO_STAGE(most, words)))
#define ORRERY_STAGES(most, words)                                                                 \
    (ORRERY_STAGES_FIT(most, words) > 4   ? 4                                                      \
     : ORRERY_STAGES_FIT(most, words) > 1 ? ORRERY_STAGES_FIT(most, words)                         \
                                          : 0)

/* How many records ahead. */
ORRERY_DEVICE int orrery_ahead_by(const long most, const int words) {
    const int stages = (int)ORRERY_STAGES(most, words);
    return stages ? stages - 1 : 0;
}

#define ORRERY_STAGED(suffix, type)                                                                \
    /* Begins to copy a row, if the lane should `have` it. */                                      \
    ORRERY_DEVICE void orrery_stage_put_##suffix(unsigned char *stage, const type *row, long n,    \
                                                 const long most, const int full, int have) {      \
        enum { EACH = sizeof(type), PIECES = sizeof(type) / 4 };                                   \
        const int lane = orrery_stage_lane();                                                      \
        ORRERY_UNROLL                                                                              \
        for (int b = 0; b < orrery_chunks(most); ++b) {                                            \
            const long k = orrery_kept_at(most, b);                                                \
            const int many = orrery_lane_has(most, n, k, full);                                    \
            const char *from = (const char *)(row + k);                                            \
            const int whole =                                                                      \
                most >= ORRERY_WIDE && (full || (many == 4 && (unsigned long)from % 16 == 0));     \
            ORRERY_UNROLL                                                                          \
            for (int p = 0; p < PIECES && most >= ORRERY_WIDE; ++p)                                \
                orrery_copy_begin(stage + ((b * PIECES + p) * ORRERY_STAGE_LANES + lane) * 16,     \
                                  from + 16 * p, 16, have && whole);                               \
            ORRERY_UNROLL                                                                          \
            for (int j = 0; j < 4; ++j)                                                            \
                if (most < ORRERY_WIDE && j < many)                                                \
                    orrery_copy_begin(stage + (j * ORRERY_STAGE_LANES + lane) * EACH,              \
                                      from + j * ORRERY_LANES * EACH, EACH, have);                 \
                else if (most >= ORRERY_WIDE && !full && j < many)                                 \
                    orrery_copy_begin(                                                             \
                        stage + ((b * PIECES + j * EACH / 16) * ORRERY_STAGE_LANES + lane) * 16 +  \
                            j * EACH % 16,                                                         \
                        from + j * EACH, EACH, have && !whole);                                    \
        }                                                                                          \
    }                                                                                              \
    /* To registers. */                                                                            \
    ORRERY_DEVICE void orrery_stage_get_##suffix(type *to, const unsigned char *stage,             \
                                                 const long most, const int full) {                \
        enum { EACH = 16 / sizeof(type), PIECES = sizeof(type) / 4 };                              \
        const int lane = orrery_stage_lane();                                                      \
        ORRERY_UNROLL                                                                              \
        for (int p = 0; p < PIECES * orrery_chunks(most) && most >= ORRERY_WIDE; ++p)              \
            orrery_stage_read(to + p * EACH, stage + (p * ORRERY_STAGE_LANES + lane) * 16);        \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4 && most < ORRERY_WIDE; ++j)                                          \
            if (!full || j < most / ORRERY_LANES)                                                  \
                to[j] = ((const type *)(const void *)stage)[j * ORRERY_STAGE_LANES + lane];        \
    }                                                                                              \
    /* From registers, as if it had been copied. */                                                \
    ORRERY_DEVICE void orrery_stage_set_##suffix(unsigned char *stage, const type *from,           \
                                                 const long most, const int full) {                \
        enum { EACH = 16 / sizeof(type), PIECES = sizeof(type) / 4 };                              \
        const int lane = orrery_stage_lane();                                                      \
        ORRERY_UNROLL                                                                              \
        for (int p = 0; p < PIECES * orrery_chunks(most) && most >= ORRERY_WIDE; ++p)              \
            orrery_stage_write(stage + (p * ORRERY_STAGE_LANES + lane) * 16, from + p * EACH);     \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4 && most < ORRERY_WIDE; ++j)                                          \
            if (!full || j < most / ORRERY_LANES)                                                  \
                ((type *)(void *)stage)[j * ORRERY_STAGE_LANES + lane] = from[j];                  \
    }                                                                                              \
    ORRERY_DEVICE void orrery_row_move_##suffix(type *to, const type *from, const long most,       \
                                                const int full) {                                  \
        ORRERY_UNROLL                                                                              \
        for (int j = 0; j < 4 * orrery_chunks(most); ++j)                                          \
            if (!full || most >= ORRERY_WIDE || j < most / ORRERY_LANES)                           \
                to[j] = from[j];                                                                   \
    }

ORRERY_STAGED(i32, int)
ORRERY_STAGED(u32, unsigned)
ORRERY_STAGED(i64, long)
ORRERY_STAGED(u64, unsigned long)
ORRERY_STAGED(f32, float)
ORRERY_STAGED(f64, double)

/* ---- which -------------------------------------------------------------------------------------- */

/*
 * How a record gets one of its rows, and who else gets it from there. SAME: the record before has
 * it, it stays in registers. COPIED: ahead, to the record's stage. TAKEN: a record that runs while
 * the row would be copied has it, and puts it there. LATE: it only overlaps such a one, and is loaded
 * behind it. GIVES_2, GIVES_3: the record so many behind this one takes it.
 */
enum {
    ORRERY_SAME = 1,
    ORRERY_COPIED = 2,
    ORRERY_TAKEN = 4,
    ORRERY_LATE = 8,
    ORRERY_GIVES_2 = 16,
    ORRERY_GIVES_3 = 32,
    ORRERY_WAYS = 6 /* bits */
};

/* `at`: the lane's row, of `bytes`; of `count` lanes. */
ORRERY_DEVICE unsigned orrery_ahead_of(const void *at, unsigned long bytes, int count,
                                       const int ahead) {
    const int lane = orrery_lane_number();
    const unsigned long mine = (unsigned long)at;
    int apart = 0, late = 0;
    unsigned ways = 0;
    ORRERY_UNROLL
    for (int d = 1; d == 1 || d <= ahead; ++d) {
        const int there = lane >= d && lane < count && !apart && !late;
        const unsigned long before = orrery_from_lane_u64(mine, lane >= d ? lane - d : 0);
        if (there && before == mine)
            apart = d;
        else
            late |= d <= ahead && there && mine - before + (bytes - 1) < 2 * bytes - 1;
    }
    if (lane < count)
        ways = apart == 1 ? ORRERY_SAME : apart ? ORRERY_TAKEN : late ? ORRERY_LATE : ORRERY_COPIED;
    ORRERY_UNROLL
    for (int d = 2; d <= ahead; ++d) {
        const int behind = orrery_from_lane_i32(apart, lane + d < ORRERY_LANES ? lane + d : lane);
        if (lane + d < count && behind == d)
            ways |= d == 2 ? ORRERY_GIVES_2 : ORRERY_GIVES_3;
    }
    return ways;
}

ORRERY_DEVICE void orrery_fetch_row(const void *at, unsigned long bytes) {
    const unsigned long most = bytes < 1024 ? bytes : 1024;
    for (unsigned long b = 0; b < most; b += 128)
        orrery_fetch_ahead((const char *)at + b);
}

/* A row as chunks of four numbers per lane, to registers or from there. `full`: it has `most`
 * numbers, at a place for loads of 16 bytes. */
#define ORRERY_WHOLE_ROW(suffix, type)                                                             \
    ORRERY_DEVICE void orrery_row_load_##suffix(type *to, const type *from, long n,                \
                                                const long most, const int full) {                 \
        ORRERY_UNROLL                                                                              \
        for (int b = 0; b < orrery_chunks(most); ++b) {                                            \
            const long k = orrery_kept_at(most, b);                                                \
            if (full && most >= ORRERY_WIDE)                                                       \
                orrery_load_four_##suffix(to + 4 * b, from + k);                                   \
            else                                                                                   \
                orrery_load_kept_##suffix(to + 4 * b, from + k, orrery_lane_has(most, n, k, full), \
                                          most);                                                   \
        }                                                                                          \
    }                                                                                              \
    ORRERY_DEVICE void orrery_row_store_##suffix(type *to, const type *from, long n,               \
                                                 const long most, const int full) {                \
        ORRERY_UNROLL                                                                              \
        for (int b = 0; b < orrery_chunks(most); ++b) {                                            \
            const long k = orrery_kept_at(most, b);                                                \
            if (full && most >= ORRERY_WIDE)                                                       \
                orrery_store_four_##suffix(to + k, from + 4 * b);                                  \
            else                                                                                   \
                orrery_store_kept_##suffix(to + k, from + 4 * b,                                   \
                                           orrery_lane_has(most, n, k, full), most);               \
        }                                                                                          \
    }

ORRERY_WHOLE_ROW(i32, int)
ORRERY_WHOLE_ROW(u32, unsigned)
ORRERY_WHOLE_ROW(i64, long)
ORRERY_WHOLE_ROW(u64, unsigned long)
ORRERY_WHOLE_ROW(f32, float)
ORRERY_WHOLE_ROW(f64, double)

#endif
