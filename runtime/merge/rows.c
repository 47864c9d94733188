/*
 * Sums into rows behind a table of pointers (`double **grad`, `int ***count`), and scratch space
 * there. For the region the rows stand behind
 * each other in one piece, each `stride` bytes, which is copied and folded as an array is; a body
 * gets a table that leads into its copy. What is behind the end of a row stays zero: otherwise the
 * loop has touched more of the row than there is before its neighbour or the end of its memory.
 */
#include "runtime/base/memory.h"
#include "runtime/region/region.h"
#include "runtime/threads/context.h"

#include "dsm/dsm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What is open, the last first: a copy of each. */
static struct orrery_rows *opened;

enum { POINTER = sizeof(char *) };

struct start {
    const char *at;
    long row;
};

static int by_address(const void *a, const void *b) {
    const struct start *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* The rows cannot be copied: ends the job, or leaves the loop to its serial text, which is said
 * once to who asked for it. */
__attribute__((format(printf, 2, 3))) static void give_up(struct orrery_rows *rows,
                                                          const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!rows->fallback)
        dsm_fail(1, "%s: %s", rows->where, text);
    if (rows->fallback == 1 && !rows->refused)
        fprintf(stderr, "orrery: %s: runs serially: %s\n", rows->where, text);
    rows->refused = 1;
}

static long entries_of(char **table, long count, long step) {
    char *base;
    size_t bytes;
    if (!dsm_find(table, &base, &bytes))
        return count;
    long there = (base + bytes - (char *)table) / step;
    return count > 0 && count < there ? count : there;
}

/* The first entry that is in an allocation: a table that is counted from 1 begins in front of it.
 * In other memory all are taken to be there. */
static long first_of(char **table, long count) {
    char *base;
    size_t bytes;
    for (long i = 0; i < count; ++i)
        if (dsm_find(table + i, &base, &bytes))
            return i;
    return 0;
}

static long count_of(struct orrery_rows *rows, char **table, long count, long step) {
    long entries = entries_of(table, count, step);
    if (entries > 0)
        return entries;
    give_up(rows,
            "how many rows %s has, which every row of the grid needs a copy of, is not known; "
            "allocate its table with malloc",
            rows->name);
    return 0;
}

static void copy_entries(char **to, char **table, long count) {
    long first = first_of(table, count);
    memcpy(to + first, table + first, (size_t)(count - first) * sizeof *to);
}

/* The rows behind all inner tables, each table's at a multiple of the pitch. */
static void gather(struct orrery_rows *rows, long inner) {
    long outer = rows->count, first = first_of(rows->table, outer);
    for (long i = first; i < outer; ++i) {
        long n = rows->table[i] ? count_of(rows, (char **)rows->table[i], inner, POINTER) : 0;
        rows->pitch = n > rows->pitch ? n : rows->pitch;
    }
    rows->count = outer * rows->pitch;
    rows->rows = dsm_own_alloc((size_t)(rows->count + 1) * sizeof *rows->rows);
    memset(rows->rows, 0, (size_t)rows->count * sizeof *rows->rows);
    for (long i = first; i < outer; ++i)
        if (rows->table[i])
            copy_entries(rows->rows + i * rows->pitch, (char **)rows->table[i],
                         count_of(rows, (char **)rows->table[i], inner, POINTER));
}

/* The rows that structures lead to by the pointer at byte `at` of each: they stand `step` bytes
 * apart, or behind the table's entries. */
static void gather_members(struct orrery_rows *rows, long step, long at) {
    const long first = step ? 0 : first_of(rows->table, rows->count);
    rows->rows = dsm_own_alloc((size_t)(rows->count + 1) * sizeof *rows->rows);
    memset(rows->rows, 0, (size_t)rows->count * sizeof *rows->rows);
    for (long i = first; i < rows->count; ++i) {
        const char *structure = step ? (const char *)rows->table + i * step : rows->table[i];
        if (structure)
            memcpy(&rows->rows[i], structure + at, sizeof *rows->rows);
    }
}

/* A row ends where its memory does, or where the next begins. Whole elements only. */
static void measure(struct orrery_rows *rows, long need, unsigned long element) {
    struct start *starts = dsm_own_alloc((size_t)(rows->count + 1) * sizeof *starts);
    long first = rows->rows == rows->table ? first_of(rows->table, rows->count) : 0;
    for (long i = 0; i < rows->count; ++i)
        starts[i] = (struct start){i < first ? NULL : rows->rows[i], i};
    qsort(starts, (size_t)rows->count, sizeof *starts, by_address);
    for (long i = 0; i < rows->count; ++i) {
        char *base;
        size_t bytes;
        long *length = &rows->bytes[starts[i].row];
        *length = 0;
        if (!starts[i].at || !dsm_find(starts[i].at, &base, &bytes))
            continue;
        const char *end = base + bytes;
        if (i + 1 < rows->count && starts[i + 1].at < end)
            end = starts[i + 1].at;
        if (end < base + bytes && end - starts[i].at < need)
            give_up(rows, "rows %ld and %ld of %s overlap, and the loop needs them apart",
                    starts[i].row, starts[i + 1].row, rows->name);
        *length = (end - starts[i].at) / (long)element * (long)element;
        rows->stride = *length > rows->stride ? *length : rows->stride;
    }
    dsm_own_free(starts);
}

/* What has to be done of orrery_rows_open. */
struct opening {
    struct orrery_rows rows;
    long count, inner, step, at, need;
    unsigned long element;
};

static void pieces_copy(struct orrery_rows *rows) {
    size_t bytes = orrery_rows_bytes(rows->count, rows->stride);
    struct orrery_rows *copy = dsm_own_alloc(sizeof *copy);
    rows->flat = memset(orrery_memory_aligned(bytes), 0, bytes);
    for (long i = 0; i < rows->count; ++i)
        if (rows->bytes[i])
            memcpy(rows->flat + i * rows->stride, rows->rows[i], (size_t)rows->bytes[i]);
    *copy = *rows;
    copy->next = opened;
    opened = copy;
}

static void rows_open(void *data) {
    struct opening *opening = data;
    struct orrery_rows *rows = &opening->rows;
    rows->count =
        count_of(rows, rows->table, opening->count, opening->step ? opening->step : POINTER);
    if (opening->inner >= 0)
        gather(rows, opening->inner);
    else if (opening->step != POINTER || opening->at != 0)
        gather_members(rows, opening->step, opening->at);
    rows->bytes = dsm_own_alloc((size_t)(rows->count + 1) * sizeof *rows->bytes);
    measure(rows, opening->need, opening->element);
    if (rows->stride == 0 && !rows->refused)
        give_up(rows,
                "the size of the rows of %s, which every row of the grid needs a copy of, is not "
                "known; allocate them with malloc, and let the table's pointers lead into that "
                "memory (rows that begin in front of it to be counted from 1 do not: make them one "
                "element longer instead)",
                rows->name);
    if (!rows->refused)
        pieces_copy(rows);
}

struct orrery_rows orrery_rows_make(void *table, long count, long inner, long step, long at,
                                    long need, unsigned long element, const char *name,
                                    const char *where, int fallback) {
    struct opening opening = {
        {.table = table, .rows = table, .name = name, .where = where, .fallback = fallback},
        count,
        inner,
        step,
        at,
        need,
        element};
    struct dsm_status status;
    if (table && !fallback)
        rows_open(&opening);
    else if (table && !dsm_attempt(rows_open, &opening, &status)) {
        opening.rows.flat = NULL;
        give_up(&opening.rows, "%s", status.why);
    }
    return opening.rows;
}

/* Bytes between the end of a row and the next row's place,
 * or the piece's end, that are not zero. */
static bool is_beyond(const struct orrery_rows *rows, long row) {
    const char *from = rows->flat + row * rows->stride + rows->bytes[row];
    const char *to =
        rows->flat + (row + 1 < rows->count ? (size_t)((row + 1) * rows->stride)
                                            : orrery_rows_bytes(rows->count, rows->stride));
    bool beyond = false;
    for (const char *at = from; at < to && !beyond; ++at)
        beyond = *at != 0;
    return beyond;
}

void orrery_rows_check(const void *flat) {
    struct orrery_rows *rows = opened;
    while (rows && rows->flat != flat)
        rows = rows->next;
    for (long i = 0; rows && i < rows->count && !rows->refused; ++i)
        if (is_beyond(rows, i)) {
            give_up(rows,
                    "the loop adds to elements of row %ld of %s that are not its own: the row ends "
                    "%ld bytes from its start",
                    i, rows->name, rows->bytes[i]);
            orrery_context_stop();
        }
}

static void opened_remove(const struct orrery_rows *rows) {
    struct orrery_rows **link = &opened;
    while (*link && (*link)->flat != rows->flat)
        link = &(*link)->next;
    struct orrery_rows *copy = *link;
    if (copy) {
        *link = copy->next;
        dsm_own_free(copy);
    }
}

void orrery_rows_close(struct orrery_rows *rows) {
    if (rows->ran)
        orrery_rows_check(rows->flat);
    for (long i = 0; rows->ran && i < rows->count; ++i)
        if (rows->bytes[i])
            memcpy(rows->rows[i], rows->flat + i * rows->stride, (size_t)rows->bytes[i]);
    if (rows->flat)
        opened_remove(rows);
    if (rows->flat)
        orrery_memory_free(rows->flat);
    if (rows->rows != rows->table)
        dsm_own_free(rows->rows);
    dsm_own_free(rows->bytes);
}

void *orrery_rows_table(int slot, void *copy, long count, long pitch, long stride) {
    static _Thread_local struct {
        char **table;
        long room;
    } mine[ORRERY_ROWS_SLOTS];
    long outer = pitch ? count / pitch : 0;
    if (mine[slot].room < count + outer) {
        dsm_own_free(mine[slot].table);
        mine[slot].table = dsm_own_alloc((size_t)(count + outer) * sizeof(char *));
        mine[slot].room = count + outer;
    }
    char **table = mine[slot].table, **rows = table + outer;
    for (long i = 0; i < count; ++i)
        rows[i] = (char *)copy + i * stride;
    for (long i = 0; i < outer; ++i)
        table[i] = (char *)(rows + i * pitch);
    return table;
}
