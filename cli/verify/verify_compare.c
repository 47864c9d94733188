#include "cli/verify/verify_compare.h"

#include "runtime/report/verify_format.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>

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
        summary->regions++;
        summary->contraction |= record.region.contraction != 0;
        for (uint32_t i = 0; i < record.region.nitems; i++) {
            const struct orrery_verify_item *item = &record.items[i];
            summary->items++;
            summary->bytes += item->data_bytes;
            summary->floating += item->floating != 0;
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

/* ---- values ------------------------------------------------------------------------------------
 */

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

static void print_difference(const struct orrery_verify_record *a,
                             const struct orrery_verify_record *b, uint32_t i, const char *what) {
    const struct orrery_verify_item *item = &a->items[i];
    uint64_t size = item->element_size ? item->element_size : 1, at = 0;
    while (at < item->data_bytes && a->data[i][at] == b->data[i][at])
        at++;
    at -= at % size;
    fprintf(stderr, "different: %s: loop %s:%" PRIu32 ", pass %" PRIu64 ", ", what, a->file,
            a->region.line, a->region.pass);
    if (item->kind == ORRERY_VERIFY_REDUCTION)
        fprintf(stderr, "reduction %s", a->names[i]);
    else
        fprintf(stderr, "array %s", a->names[i]);
    if (item->row_bytes && item->row_bytes < item->data_bytes)
        fprintf(stderr, ", row %" PRIu64 " of those touched (from %" PRId64 " on)",
                at / item->row_bytes, item->low);
    fprintf(stderr, ", element %" PRIu64 "\n  one thread: ",
            (item->row_bytes ? at % item->row_bytes : at) / size);
    uint64_t left = item->data_bytes - at;
    print_value(a->data[i] + at, left < size ? left : size);
    fprintf(stderr, "\n  %s: ", what);
    print_value(b->data[i] + at, left < size ? left : size);
    fputc('\n', stderr);
}

/* ---- regions -----------------------------------------------------------------------------------
 */

static int compare_item(const struct orrery_verify_record *a, const struct orrery_verify_record *b,
                        uint32_t i, const char *what, bool replay, struct verify_tally *tally) {
    const struct orrery_verify_item *left = &a->items[i], *right = &b->items[i];
    if (left->data_bytes != right->data_bytes || left->low != right->low ||
        strcmp(a->names[i], b->names[i]) != 0) {
        fprintf(stderr,
                "different: %s: loop %s:%" PRIu32 ", pass %" PRIu64
                ": %s was recorded with another shape\n",
                what, a->file, a->region.line, a->region.pass, a->names[i]);
        return 1;
    }
    tally->arrays += left->kind == ORRERY_VERIFY_ARRAY && !left->unknown;
    tally->reductions += left->kind == ORRERY_VERIFY_REDUCTION;
    tally->unknown += left->unknown != 0;
    tally->bytes += left->data_bytes;
    if (memcmp(a->data[i], b->data[i], left->data_bytes) == 0)
        return 0;
    if (replay && left->floating &&
        within_rounding(left, a->data[i], b->data[i], a->region.iterations)) {
        tally->rounded++;
        return 0;
    }
    print_difference(a, b, i, what);
    return 1;
}

static int compare_region(const struct orrery_verify_record *a,
                          const struct orrery_verify_record *b, const char *what, bool replay,
                          struct verify_tally *tally) {
    if (strcmp(a->file, b->file) != 0 || a->region.line != b->region.line ||
        a->region.pass != b->region.pass || a->region.nitems != b->region.nitems ||
        a->region.iterations != b->region.iterations) {
        fprintf(stderr,
                "different: %s: loop %s:%" PRIu32 " pass %" PRIu64 " (%" PRIu64
                " iterations) ran where one thread ran loop %s:%" PRIu32 " pass %" PRIu64
                " (%" PRIu64 " iterations)\n",
                what, b->file, b->region.line, b->region.pass, b->region.iterations, a->file,
                a->region.line, a->region.pass, a->region.iterations);
        return 1;
    }
    tally->regions++;
    for (uint32_t i = 0; i < a->region.nitems; i++)
        if (compare_item(a, b, i, what, replay, tally) != 0)
            return 1;
    return 0;
}

static int compare_open(FILE *left, FILE *right, const char *what, bool replay,
                        struct verify_tally *tally) {
    for (;;) {
        struct orrery_verify_record a, b;
        int got_a = orrery_verify_next(left, &a), got_b = orrery_verify_next(right, &b), different;
        if (got_a < 0 || got_b < 0)
            different = cut_short();
        else if (got_a == 0 && got_b == 0)
            return 0;
        else if (got_a == 0 || got_b == 0)
            different = fprintf(stderr, "different: %s: ran %s parallel regions than one thread\n",
                                what, got_a ? "fewer" : "more") > 0;
        else
            different = compare_region(&a, &b, what, replay, tally);
        if (got_a > 0)
            orrery_verify_free(&a);
        if (got_b > 0)
            orrery_verify_free(&b);
        if (different)
            return different;
    }
}

int verify_compare(const char *reference, const char *other, const char *what, bool replay,
                   struct verify_tally *tally) {
    FILE *left = open_record(reference), *right = left ? open_record(other) : NULL;
    int status = right ? compare_open(left, right, what, replay, tally) : -1;
    if (left)
        fclose(left);
    if (right)
        fclose(right);
    return status;
}
