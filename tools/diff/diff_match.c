#include "tools/diff/diff.h"

#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void pair_files(struct diff_file *a, struct diff_file *b) {
    a->pair = b;
    b->pair = a;
}

/* The only file without a pair that is called so, or NULL. */
static struct diff_file *only(struct diff_analysis *analysis, const char *name) {
    struct diff_file *found = NULL;
    for (int i = 0; i < analysis->nfiles; ++i) {
        struct diff_file *file = &analysis->files[i];
        if (file->pair || strcmp(base_name(file->name), base_name(name)) != 0)
            continue;
        if (found)
            return NULL;
        found = file;
    }
    return found;
}

static void match_files(struct diff_analysis *before, struct diff_analysis *after) {
    for (int i = 0; i < before->nfiles; ++i)
        for (int j = 0; j < after->nfiles && !before->files[i].pair; ++j)
            if (!after->files[j].pair && strcmp(before->files[i].name, after->files[j].name) == 0)
                pair_files(&before->files[i], &after->files[j]);
    for (int i = 0; i < before->nfiles; ++i) {
        struct diff_file *file = &before->files[i];
        struct diff_file *other = file->pair ? NULL : only(after, file->name);
        if (other && only(before, file->name) == file)
            pair_files(file, other);
    }
    if (before->nfiles == 1 && after->nfiles == 1 && !before->files[0].pair)
        pair_files(&before->files[0], &after->files[0]);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* How well two loops go together; 0: not at all. */
static int alike(const struct diff_loop *a, const struct diff_loop *b) {
    if (strcmp(a->function, b->function) != 0 || strcmp(a->variable, b->variable) != 0 ||
        a->depth != b->depth)
        return 0;
    return 2 + (a->parallel == b->parallel && strcmp(a->strategy, b->strategy) == 0);
}

/* best[i][j]: the most that loops from i of one file and from j of the other can have in common,
 * kept in their order. */
static void match_loops(struct arena *arena, struct diff_file *a, struct diff_file *b) {
    size_t columns = (size_t)b->nloops + 1;
    int *best = arena_alloc(arena, ((size_t)a->nloops + 1) * columns * sizeof *best);
    memset(best, 0, ((size_t)a->nloops + 1) * columns * sizeof *best);
    for (int i = a->nloops - 1; i >= 0; --i)
        for (int j = b->nloops - 1; j >= 0; --j) {
            int *row = best + (size_t)i * columns, *next = row + columns;
            int score = alike(&a->loops[i], &b->loops[j]);
            int skip = next[j] > row[j + 1] ? next[j] : row[j + 1];
            row[j] = score && score + next[j + 1] > skip ? score + next[j + 1] : skip;
        }
    for (int i = 0, j = 0; i < a->nloops && j < b->nloops;) {
        const int *row = best + (size_t)i * columns, *next = row + columns;
        int score = alike(&a->loops[i], &b->loops[j]);
        if (score && row[j] == score + next[j + 1]) {
            a->loops[i].pair = &b->loops[j];
            b->loops[j++].pair = &a->loops[i++];
        } else if (row[j] == next[j]) {
            ++i;
        } else {
            ++j;
        }
    }
}

void diff_match(struct diff_analysis *before, struct diff_analysis *after) {
    match_files(before, after);
    for (int i = 0; i < before->nfiles; ++i)
        if (before->files[i].pair)
            match_loops(before->arena, &before->files[i], before->files[i].pair);
}
