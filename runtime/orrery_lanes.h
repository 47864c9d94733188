#ifndef ORRERY_LANES_H
#define ORRERY_LANES_H
/* Vectors for iterations that run in lanes (scheduler/emit/lanes.c): as wide as the processor that
 * the program is compiled for has them. A group is four of them. Part of orrery_body.h, and of files
 * that stand alone. */

#if defined(__OPTIMIZE__) && defined(__FLT_EVAL_METHOD__) && defined(__STDC_VERSION__) &&          \
    !defined(ORRERY_NO_VECTORS)
#if (__FLT_EVAL_METHOD__ == 0 || __FLT_EVAL_METHOD__ == 16) && __SIZEOF_LONG__ == 8 &&             \
    __STDC_VERSION__ >= 199901L
#define ORRERY_VECTORS 1
#endif
#endif

#ifdef ORRERY_VECTORS
#if defined(__AVX512F__)
#define ORRERY_VECTORS_BYTES 64
#define ORRERY_VECTORS_4(x)                                                                        \
    ORRERY_VECTORS_FOUR(x), ORRERY_VECTORS_FOUR(x), ORRERY_VECTORS_FOUR(x), ORRERY_VECTORS_FOUR(x)
#define ORRERY_VECTORS_8(x) ORRERY_VECTORS_FOUR(x), ORRERY_VECTORS_FOUR(x)
#elif defined(__AVX__)
#define ORRERY_VECTORS_BYTES 32
#define ORRERY_VECTORS_4(x) ORRERY_VECTORS_FOUR(x), ORRERY_VECTORS_FOUR(x)
#define ORRERY_VECTORS_8(x) ORRERY_VECTORS_FOUR(x)
#else
#define ORRERY_VECTORS_BYTES 16
#define ORRERY_VECTORS_4(x) ORRERY_VECTORS_FOUR(x)
#define ORRERY_VECTORS_8(x) x, x
#endif
#define ORRERY_VECTORS_FOUR(x) x, x, x, x

/* Iterations of a group, by the bytes of their numbers; fewer than LEAST are not worth one, nor is a
 * loop of fewer rounds than ROUNDS. MOST: rows of all tiles, which
 * stand on the stack. */
#define ORRERY_VECTORS_OF_4 ORRERY_VECTORS_BYTES
#define ORRERY_VECTORS_OF_8 (ORRERY_VECTORS_BYTES / 2)
#define ORRERY_VECTORS_LEAST (ORRERY_VECTORS_BYTES / 8)
#define ORRERY_VECTORS_ROUNDS 4
#define ORRERY_VECTORS_MOST 1024

typedef float orrery_vector_f32
    __attribute__((__vector_size__(ORRERY_VECTORS_BYTES), __may_alias__));
typedef double orrery_vector_f64
    __attribute__((__vector_size__(ORRERY_VECTORS_BYTES), __may_alias__));
typedef int orrery_vector_i32 __attribute__((__vector_size__(ORRERY_VECTORS_BYTES), __may_alias__));
typedef long orrery_vector_i64
    __attribute__((__vector_size__(ORRERY_VECTORS_BYTES), __may_alias__));

#define ORRERY_VECTORS_INLINE static __inline__ __attribute__((__always_inline__, __unused__))

/* A number in all lanes; a where `when` holds, else b. */
#define ORRERY_VECTORS_WORDS(NAME, NUMBER, MASK, COUNT)                                            \
    ORRERY_VECTORS_INLINE orrery_vector_##NAME orrery_vector_##NAME##_of(NUMBER x) {               \
        return (orrery_vector_##NAME){ORRERY_VECTORS_##COUNT(x)};                                  \
    }                                                                                              \
    ORRERY_VECTORS_INLINE orrery_vector_##NAME orrery_vector_##NAME##_pick(                        \
        orrery_vector_##MASK when, orrery_vector_##NAME a, orrery_vector_##NAME b) {               \
        return (orrery_vector_##NAME)(((orrery_vector_##MASK)a & when) |                           \
                                      ((orrery_vector_##MASK)b & ~when));                          \
    }
ORRERY_VECTORS_WORDS(f32, float, i32, 4)
ORRERY_VECTORS_WORDS(f64, double, i64, 8)
ORRERY_VECTORS_WORDS(i32, int, i32, 4)
ORRERY_VECTORS_WORDS(i64, long, i64, 8)
#endif

#endif
