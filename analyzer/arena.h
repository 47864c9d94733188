/*
 * Memory and text of the compile side: everything is allocated from one arena and freed at the end.
 */
#ifndef ORRERY_ANALYZER_ARENA_H
#define ORRERY_ANALYZER_ARENA_H

#include <stdarg.h>
#include <stddef.h>

/* A pool that is only ever freed whole. Running out of memory ends the program with a message. */
struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *arena);

/*
 * A place to come back to. Rewinding takes back all that was allocated since: for computations that
 * leave no more than an answer. Marks are rewound in reverse order.
 */
struct arena_mark {
    struct block *block, *next; /* the first block, and the one behind it */
    size_t used;
};
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* `bytes` zeroed bytes, aligned for any type. Never NULL. */
void *arena_alloc(struct arena *arena, size_t bytes);

char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3), nonnull));
char *arena_vprintf(struct arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0), nonnull));

/*
 * Makes room for one more element in `*items` (`count` used, elements of `size` bytes) and returns
 * the possibly moved array; capacities are powers of two, so no capacity is stored.
 */
void *arena_grow(struct arena *arena, void *items, int count, size_t size);

/* Appends `value` to the array `items` with counter `count`, both lvalues. */
#define ARENA_PUSH(arena, items, count, value)                                                     \
    do {                                                                                           \
        (items) = arena_grow((arena), (items), (count), sizeof *(items));                          \
        (items)[(count)++] = (value);                                                              \
    } while (0)

#endif
