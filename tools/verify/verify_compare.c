#include "tools/verify/verify_compare.h"

#include "analyzer/analyzer.h"
#include "runtime/report/verify_format.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

/* `what`: the run that is held against one thread, whose region `number` is looked at. */
struct comparison {
    const char *what;
    bool replay;
    struct verify_tally *tally;
    uint64_t number;
};

static FILE *open_record(const char *path) {
    FILE *in = fopen(path, "rb");
    if (in && orrery_verify_begin(in) == 0)
        return in;
    fprintf(stderr, "orrery verify: %s\n",
            in ? "a run left a record that is none" : "a run left no record: no parallel loop ran");
    if (in)
        fclose(in);
    return NULL;
}

static int cut_short(void) {
    fprintf(stderr, "orrery verify: a run's record is cut short\n");
    return -1;
}

int verify_summarize(const char *path, struct verify_summary *summary) {
    struct orrery_verify_record record;
    FILE *in = open_record(path);
    int got = 0;
    if (!in)
        return -1;
    *summary = (struct verify_summary){.regions = 0};
    while ((got = orrery_verify_next(in, &record)) > 0) {
        summary->regions += !record.region.between;
        summary->contraction |= record.region.contraction != 0;
        summary->automatic |= record.region.automatic != 0;
        for (uint32_t i = 0; i < record.region.nitems; ++i) {
            const struct orrery_verify_item *item = &record.items[i];
            ++summary->items;
            summary->bytes += item->data_bytes;
            summary->unknown += item->unknown != 0;
            if (item->merged && !summary->merged_name[0])
                snprintf(summary->merged_name, sizeof summary->merged_name, "%s", record.names[i]);
            if (item->unknown)
                snprintf(summary->unknown_name, sizeof summary->unknown_name, "%s",
                         record.names[i]);
        }
        orrery_verify_free(&record);
    }
    fclose(in);
    return got < 0 ? cut_short() : 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

static double value_of(const char *at, uint64_t size) {
    float f;
    double d;
    long double l;
    if (size == sizeof f) {
        memcpy(&f, at, sizeof f);
        return f;
    }
    if (size == sizeof d) {
        memcpy(&d, at, sizeof d);
        return d;
    }
    memcpy(&l, at, sizeof l);
    return (double)l;
}

static double epsilon_of(uint64_t size) {
    return size == sizeof(float)    ? FLT_EPSILON
           : size == sizeof(double) ? DBL_EPSILON
                                    : LDBL_EPSILON;
}

/*
 * A sum of n numbers in two orders differs by at most about n * epsilon * (sum of magnitudes)
 * (Higham, Accuracy and Stability, 4.2); the largest element stands for the magnitudes.
 */
static bool within_rounding(const struct orrery_verify_item *item, const char *a, const char *b,
                            uint64_t iterations) {
    double largest = 0, bound;
    uint64_t size = item->element_size;
    for (uint64_t at = 0; at + size <= item->data_bytes; at += size)
        largest = fmax(largest, fmax(fabs(value_of(a + at, size)), fabs(value_of(b + at, size))));
    bound = (double)iterations * epsilon_of(size) * largest;
    for (uint64_t at = 0; at + size <= item->data_bytes; at += size) {
        double left = value_of(a + at, size), right = value_of(b + at, size);
        bool same = memcmp(a + at, b + at, size) == 0 || (isnan(left) && isnan(right));
        if (!same && !(fabs(left - right) <= bound))
            return false;
    }
    return true;
}

/* The type is not recorded: the bits, and what they are as the numbers of that size. */
static void print_value(const char *at, uint64_t size) {
    uint32_t word;
    uint64_t wide;
    if (size == 4) {
        memcpy(&word, at, 4);
        fprintf(stderr, "0x%08" PRIx32 " (%.9g as float, %" PRId32 " as int)", word,
                value_of(at, size), (int32_t)word);
    } else if (size == 8) {
        memcpy(&wide, at, 8);
        fprintf(stderr, "0x%016" PRIx64 " (%.17g as double, %" PRId64 " as long)", wide,
                value_of(at, size), (int64_t)wide);
    } else {
        fprintf(stderr, "0x");
        for (uint64_t i = size < 16 ? size : 16; i-- > 0;)
            fprintf(stderr, "%02x", (unsigned char)at[i]);
    }
}

/* ---- differences ----------------------------------------------------------------------------- */

/* The key of row number `row` of those recorded. */
static int64_t key_of(const struct orrery_verify_record *record, uint32_t i, uint64_t row) {
    const struct orrery_verify_item *item = &record->items[i];
    uint64_t seen = 0;
    for (uint64_t k = 0; k < item->keys_bytes * 8; ++k) {
        seen += (unsigned char)record->keys[i][k / 8] >> k % 8 & 1;
        if (seen == row + 1)
            return item->low + (int64_t)k;
    }
    return item->low + (int64_t)row;
}

/* `file.c:12, pass 3 (region 7)`: where the program was. */
static void print_where(const struct orrery_verify_record *record, uint64_t number) {
    fprintf(stderr, "loop %s:%" PRIu32 ", pass %" PRIu64 " (region %" PRIu64 ")", record->file,
            record->region.line, record->region.pass, number);
    if (record->region.merge)
        fprintf(stderr, ", after merge %" PRIu32, record->region.merge);
}

/* The place of byte `at`: of what is cut by keys row and column. */
static void print_place(const struct orrery_verify_record *record, uint32_t i, uint64_t at) {
    const struct orrery_verify_item *item = &record->items[i];
    uint64_t size = item->element_size ? item->element_size : 1;
    bool rows = item->row_bytes && (item->row_bytes < item->data_bytes || item->keys_bytes);
    fprintf(stderr, ", %s %s", item->kind == ORRERY_VERIFY_REDUCTION ? "reduction" : "array",
            record->names[i]);
    if (rows && item->row_bytes > size)
        fprintf(stderr, ", row of key %" PRId64 ", column %" PRIu64,
                key_of(record, i, at / item->row_bytes), at % item->row_bytes / size);
    else if (rows)
        fprintf(stderr, ", element of key %" PRId64, key_of(record, i, at / item->row_bytes));
    else if (item->data_bytes > size)
        fprintf(stderr, ", element %" PRIu64, at / size);
}

static void print_difference(const struct orrery_verify_record *a,
                             const struct orrery_verify_record *b, uint32_t i, const char *what,
                             uint64_t number) {
    const struct orrery_verify_item *item = &a->items[i];
    uint64_t size = item->element_size ? item->element_size : 1, at = 0;
    while (at < item->data_bytes && a->data[i][at] == b->data[i][at])
        ++at;
    at -= (item->row_bytes ? at % item->row_bytes : at) % size;
    fprintf(stderr, "different: %s: ", what);
    print_where(a, number);
    print_place(a, i, at);
    fprintf(stderr, "\n  one thread: ");
    uint64_t left = item->data_bytes - at;
    print_value(a->data[i] + at, left < size ? left : size);
    fprintf(stderr, "\n  %s: ", what);
    print_value(b->data[i] + at, left < size ? left : size);
    fputc('\n', stderr);
}

/* ---- regions --------------------------------------------------------------------------------- */

static bool same_keys(const struct orrery_verify_record *a, const struct orrery_verify_record *b,
                      uint32_t i) {
    return a->items[i].keys_bytes == b->items[i].keys_bytes &&
           memcmp(a->keys[i], b->keys[i], a->items[i].keys_bytes) == 0;
}

static int compare_item(const struct orrery_verify_record *a, const struct orrery_verify_record *b,
                        uint32_t i, const struct comparison *with) {
    const struct orrery_verify_item *left = &a->items[i], *right = &b->items[i];
    struct verify_tally *tally = with->tally;
    if (left->data_bytes != right->data_bytes || left->low != right->low || !same_keys(a, b, i) ||
        strcmp(a->names[i], b->names[i]) != 0) {
        fprintf(stderr, "different: %s: ", with->what);
        print_where(a, with->number);
        fprintf(stderr, ": %s was recorded with another shape\n", a->names[i]);
        return 1;
    }
    tally->bytes += left->data_bytes;
    if (memcmp(a->data[i], b->data[i], left->data_bytes) == 0)
        return 0;
    if (with->replay && left->floating &&
        within_rounding(left, a->data[i], b->data[i], a->region.iterations)) {
        ++tally->rounded;
        return 0;
    }
    print_difference(a, b, i, with->what, with->number);
    return 1;
}

static int compare_region(const struct orrery_verify_record *a,
                          const struct orrery_verify_record *b, const struct comparison *with) {
    if (a->region.nitems != b->region.nitems || a->region.iterations != b->region.iterations) {
        fprintf(stderr, "different: %s: ", with->what);
        print_where(a, with->number);
        fprintf(stderr,
                ": %" PRIu64 " iterations, %" PRIu32 " arrays and reductions, with one "
                "thread %" PRIu64 " and %" PRIu32 "\n",
                b->region.iterations, b->region.nitems, a->region.iterations, a->region.nitems);
        return 1;
    }
    for (uint32_t i = 0; i < a->region.nitems; ++i)
        if (compare_item(a, b, i, with) != 0)
            return 1;
    with->tally->regions += !a->region.between;
    with->tally->between += a->region.between;
    return 0;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* What tells a record from others, in the arena, its place in the file, and whether it was met. */
struct listed {
    const char *file, *merged; /* of the loop; of a merge's array */
    struct orrery_verify_region region;
    long at;
    bool met;
};

/* Those of one file, in order of identity. */
struct entries {
    int count;
    struct listed *list;
};

static struct listed entry_of(const struct orrery_verify_record *record, long at) {
    bool merged = record->region.merge && record->region.nitems > 0;
    return (struct listed){record->file, merged ? record->names[0] : "", record->region, at, false};
}

static int number_order(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/* 0: one execution of one loop, and the same that stood in it. */
static int identity_order(const struct listed *a, const struct listed *b) {
    int order = strcmp(a->file, b->file);
    order = order ? order : number_order(a->region.line, b->region.line);
    order = order ? order : number_order(a->region.pass, b->region.pass);
    order = order ? order : number_order(a->region.between, b->region.between);
    order = order ? order : number_order(a->region.merge, b->region.merge);
    return order ? order : strcmp(a->merged, b->merged);
}

static int entry_order(const void *a, const void *b) {
    const struct listed *left = a, *right = b;
    int order = identity_order(left, right);
    return order ? order : (left->at > right->at) - (left->at < right->at);
}

/* All that is left of a file. False: it is cut short. */
static bool entries_read(struct arena *arena, FILE *in, struct entries *entries) {
    struct orrery_verify_record record;
    int got = 0;
    for (long at = ftell(in); (got = orrery_verify_next(in, &record)) > 0; at = ftell(in)) {
        struct listed entry = entry_of(&record, at);
        entry.file = arena_strdup(arena, entry.file);
        entry.merged = arena_strdup(arena, entry.merged);
        ARENA_PUSH(arena, entries->list, entries->count, entry);
        orrery_verify_free(&record);
    }
    if (entries->count)
        qsort(entries->list, (size_t)entries->count, sizeof *entries->list, entry_order);
    return got == 0;
}

/* The first one of that identity that was not met yet; NULL: there is none. */
static struct listed *entry_find(const struct entries *entries, const struct listed *wanted) {
    int low = 0, high = entries->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const struct listed *entry = &entries->list[middle];
        int order = identity_order(entry, wanted);
        if (order < 0 || (order == 0 && entry->met))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < entries->count && identity_order(&entries->list[low], wanted) == 0;
    return found ? &entries->list[low] : NULL;
}

/*
 * One run has no such record. Arrays that are served on several ranks are nowhere whole between
 * merges. Loops that nobody marked may run serially here and in parallel there.
 */
static int missed(const struct listed *entry, const char *by, const struct comparison *with) {
    const struct orrery_verify_region *region = &entry->region;
    if (region->merge)
        return 0;
    with->tally->alone += region->automatic;
    if (region->automatic)
        return 0;
    fprintf(stderr,
            "different: %s: loop %s:%" PRIu32 ", pass %" PRIu64 ": ran in parallel %s only\n",
            with->what, entry->file, region->line, region->pass, by);
    return 1;
}

static int compare_found(FILE *right, struct listed *entry, const struct orrery_verify_record *a,
                         const struct comparison *with) {
    struct orrery_verify_record b;
    entry->met = true;
    if (fseek(right, entry->at, SEEK_SET) != 0 || orrery_verify_next(right, &b) <= 0)
        return cut_short();
    int different = compare_region(a, &b, with);
    orrery_verify_free(&b);
    return different;
}

/* `right` is only read where an entry says. */
static int compare_runs(FILE *left, FILE *right, const struct entries *entries,
                        struct comparison *with) {
    struct orrery_verify_record a;
    int got = 0, different = 0;
    while (!different && (got = orrery_verify_next(left, &a)) > 0) {
        const struct listed wanted = entry_of(&a, 0);
        struct listed *entry = entry_find(entries, &wanted);
        different = entry ? compare_found(right, entry, &a, with)
                          : missed(&wanted, "with one thread", with);
        with->number += !a.region.between;
        orrery_verify_free(&a);
    }
    if (!different && got < 0)
        return cut_short();
    for (int i = 0; i < entries->count && !different; ++i)
        if (!entries->list[i].met)
            different = missed(&entries->list[i], "there", with);
    return different;
}

/* A run whose loops were all serial has left no file. */
int verify_compare(const char *reference, const char *other, const char *what, bool replay,
                   struct verify_tally *tally) {
    FILE *left = open_record(reference), *right = NULL;
    struct entries entries = {0, NULL};
    struct arena *arena = arena_new();
    struct comparison with = {what, replay, tally, 1};
    int status = left ? 0 : -1;
    if (left && access(other, F_OK) == 0) {
        right = open_record(other);
        status = !right ? -1 : entries_read(arena, right, &entries) ? 0 : cut_short();
    }
    if (status == 0)
        status = compare_runs(left, right, &entries, &with);
    arena_free(arena);
    if (left)
        fclose(left);
    if (right)
        fclose(right);
    return status;
}
