#include "poison.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

enum { MOST_AREAS = 48, PAGE = 4096, READ = 1, WRITTEN = 2, LATE = 98, SECONDS = 10 };

/*
 * An area of the nest under way. at: where its element 0 is, or would be; first, last: the elements
 * that there are; block: what it lies in; touched: READ and WRITTEN by byte; image: its bytes when
 * a copy begins; trap: an element that leads back to itself, or -1.
 */
struct place {
    const struct poison_area *area;
    enum poison_kind kind;
    char *at, *block;
    long first, last, pages, trap;
    unsigned char *touched, *image;
};

static struct {
    struct place places[MOST_AREAS];
    const struct poison_nest *nest;
    const struct poison_run *run;
    int count;
    bool tracing;
} now;

/* ---- the recorder that traced copies call ---- */

static void touch(const void *address, size_t size, int how) {
    for (int a = 0; now.tracing && a < now.count; ++a) {
        struct place *place = &now.places[a];
        long at = (const char *)address - place->at, end = (place->last + 1) * place->area->stride;
        for (size_t k = 0; at >= 0 && at < end && k < size && at + (long)k < end; ++k)
            place->touched[at + (long)k] |= (unsigned char)how;
    }
}

#define RECORD(n)                                                                                  \
    void __tsan_read##n(void *at);                                                                 \
    void __tsan_write##n(void *at);                                                                \
    void __tsan_unaligned_read##n(void *at);                                                       \
    void __tsan_unaligned_write##n(void *at);                                                      \
    void __tsan_read##n(void *at) {                                                                \
        touch(at, n, READ);                                                                        \
    }                                                                                              \
    void __tsan_write##n(void *at) {                                                               \
        touch(at, n, WRITTEN);                                                                     \
    }                                                                                              \
    void __tsan_unaligned_read##n(void *at) {                                                      \
        touch(at, n, READ);                                                                        \
    }                                                                                              \
    void __tsan_unaligned_write##n(void *at) {                                                     \
        touch(at, n, WRITTEN);                                                                     \
    }

RECORD(1)
RECORD(2)
RECORD(4)
RECORD(8)
RECORD(16)

void __tsan_read_range(void *at, unsigned long size);
void __tsan_write_range(void *at, unsigned long size);
void __tsan_func_entry(void *from);
void __tsan_func_exit(void);
void __tsan_init(void);

void __tsan_read_range(void *at, unsigned long size) {
    touch(at, size, READ);
}

void __tsan_write_range(void *at, unsigned long size) {
    touch(at, size, WRITTEN);
}

void __tsan_func_entry(void *from) {
    (void)from;
}

void __tsan_func_exit(void) {
}

void __tsan_init(void) {
}

/* ---- chance ---- */

static unsigned long mixed(unsigned long x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebUL;
    return x ^ x >> 31;
}

/* The same for the same element of the same cell of the same run, whatever else is asked for. */
static unsigned long chance(const struct place *place, const struct poison_cell *cell, long i,
                            int what) {
    unsigned long x = now.run->seed * 0x9e3779b97f4a7c15UL + (unsigned long)(place - now.places);
    x = mixed(x) + (unsigned long)(cell - place->area->cells);
    return mixed(mixed(x) + (unsigned long)i * 16 + (unsigned long)what);
}

static long among(unsigned long x, long low, long high) {
    return high <= low ? low : low + (long)(x % (unsigned long)(high - low + 1));
}

/* ---- values ---- */

static size_t type_size(enum poison_type type) {
    static const size_t sizes[] = {[POISON_CHAR] = 1,
                                   [POISON_UCHAR] = 1,
                                   [POISON_SHORT] = sizeof(short),
                                   [POISON_INT] = sizeof(int),
                                   [POISON_UNSIGNED] = sizeof(unsigned),
                                   [POISON_LONG] = sizeof(long),
                                   [POISON_BOOL] = sizeof(bool),
                                   [POISON_FLOAT] = sizeof(float),
                                   [POISON_DOUBLE] = sizeof(double),
                                   [POISON_POINTER] = sizeof(void *)};
    return sizes[type];
}

static bool is_real(enum poison_type type) {
    return type == POISON_FLOAT || type == POISON_DOUBLE;
}

static char *cell_at(const struct place *place, const struct poison_cell *cell, long i) {
    return place->at + i * place->area->stride + cell->offset;
}

static void put_real(char *at, enum poison_type type, double value) {
    float narrow = (float)value;
    memcpy(at, type == POISON_FLOAT ? (void *)&narrow : (void *)&value, type_size(type));
}

static void put_whole(char *at, enum poison_type type, long value) {
    bool truth = value != 0;
    if (is_real(type))
        put_real(at, type, (double)value);
    else
        memcpy(at, type == POISON_BOOL ? (void *)&truth : (void *)&value, type_size(type));
}

static void put_pointer(char *at, const void *value) {
    memcpy(at, &value, sizeof value);
}

/* Where an element of an area is, or would be. */
static char *element(int area, long i) {
    return now.places[area].at + i * now.places[area].area->stride;
}

static long whole_of(const struct place *place, const struct poison_cell *cell, long i) {
    static const int often[] = {0, 4, 15, 50, 95, 100};
    unsigned long x = chance(place, cell, i, 0);
    bool drawn = (long)(chance(place, cell, -1, 1) % 6) >= 0 &&
                 (int)(chance(place, cell, i, 2) % 100) < often[chance(place, cell, -1, 1) % 6];
    switch (cell->fill) {
    case FILL_FLAG:
        return drawn ? among(x, cell->low, cell->high) : 0;
    case FILL_ROWS: {
        long sparse = among(chance(place, cell, -1, 3), 0, 3), sum = cell->low;
        for (long k = 0; k < i; ++k)
            sum += sparse ? among(chance(place, cell, k, 4), -2 * sparse, 4) > 2 : 0;
        return sum < cell->high ? sum : cell->high;
    }
    case FILL_BACK:
        return i % 5 == 0 ? i : i - 1;
    case FILL_STEP:
        return i * cell->step;
    case FILL_ENDED:
        return i % 5 == 4 ? -1 : among(x, cell->low, cell->high);
    default:
        return (int)(x >> 40) % 100 < cell->chance ? 0 : among(x, cell->low, cell->high);
    }
}

static void *pointer_of(const struct place *place, const struct poison_cell *cell, long i) {
    unsigned long x = chance(place, cell, i, 0);
    long count = now.places[cell->target].area->count;
    if ((int)(x >> 40) % 100 < cell->chance)
        return NULL;
    if (cell->fill == FILL_BACK)
        return i % 5 == 0 ? NULL : element(cell->target, i - 1);
    if (cell->fill == FILL_STEP)
        return element(cell->target, i * cell->step);
    return element(cell->target, among(x, 0, count / cell->step - 1) * cell->step);
}

static void fill_cell(const struct place *place, const struct poison_cell *cell, long i) {
    static const double signs[] = {0.0, -0.0, 0.0, -0.0, 1.0, -1.0, -0.0, 2.0};
    char *at = cell_at(place, cell, i);
    if (cell->type == POISON_POINTER)
        put_pointer(at, pointer_of(place, cell, i));
    else if (cell->fill == FILL_SIGNS && is_real(cell->type))
        put_real(at, cell->type,
                 signs[chance(place, cell, i, 0) % (2 + 2 * (chance(place, cell, -1, 1) % 4))]);
    else
        put_whole(at, cell->type, whole_of(place, cell, i));
}

static void fill_all(void) {
    for (int a = 0; a < now.count; ++a) {
        const struct place *place = &now.places[a];
        size_t size = (size_t)(place->last - place->first + 1) * (size_t)place->area->stride;
        memset(place->at + place->first * place->area->stride, 0, size);
        for (int c = 0; c < place->area->ncells; ++c)
            for (long i = place->first; i <= place->last; ++i)
                fill_cell(place, &place->area->cells[c], i);
    }
}

/* ---- poison ---- */

static void poison_whole(char *at, const struct poison_cell *cell, unsigned long x) {
    static const long indices[] = {INT_MIN, INT_MAX, -1000000, 1 << 28, 100000000, -1, 123456};
    static const long others[] = {INT_MIN, -1, 0, INT_MAX, 77, 1 << 20};
    if (cell->with == WITH_DIVISOR)
        put_whole(at, cell->type, x % 4 ? 0 : -1);
    else if (cell->with == WITH_DIVIDEND)
        put_whole(at, cell->type, INT_MIN);
    else if (cell->with == WITH_INDEX)
        put_whole(at, cell->type, indices[x % 7]);
    else
        put_whole(at, cell->type, others[x % 6]);
}

static void poison_real(char *at, const struct poison_cell *cell, unsigned long x) {
    const double values[] = {(double)NAN, INFINITY, -INFINITY, -1e30, -0.0, 1e30};
    if (cell->with == WITH_DIVISOR)
        put_real(at, cell->type, 0.0);
    else
        put_real(at, cell->type, values[x % 6]);
}

static void *wild(unsigned long x) {
    static const uintptr_t values[] = {0, 0, 16, 0x4141414141414141};
    return (void *)values[x % 4];
}

/* Whether no byte of a cell was read. */
static bool is_unread(const struct place *place, const struct poison_cell *cell, long i) {
    long at = i * place->area->stride + cell->offset;
    for (size_t k = 0; k < type_size(cell->type); ++k)
        if (place->touched[at + (long)k] & (READ | WRITTEN))
            return false;
    return true;
}

/* The next element of which a cell is not read, or -1. */
static long next_unread(const struct place *place, const struct poison_cell *cell, long i) {
    for (; i <= place->last; ++i)
        if (is_unread(place, cell, i))
            return i;
    return -1;
}

/* Links back to themselves; those that are numbers in pairs. */
static long poison_chain(struct place *place, const struct poison_cell *cell) {
    long found = 0, i = next_unread(place, cell, place->first), other;
    if (cell->type == POISON_POINTER) {
        for (; i >= 0; i = next_unread(place, cell, i + 1), ++found) {
            put_pointer(cell_at(place, cell, i), place->at + i * place->area->stride);
            place->trap = i;
        }
        return found;
    }
    for (; i >= 0 && (other = next_unread(place, cell, i + 1)) >= 0; found += 2) {
        put_whole(cell_at(place, cell, i), cell->type, other);
        put_whole(cell_at(place, cell, other), cell->type, i);
        i = next_unread(place, cell, other + 1);
    }
    return found;
}

static void poison_one(const struct place *place, const struct poison_cell *cell, long i) {
    unsigned long x = chance(place, cell, i, 5);
    char *at = cell_at(place, cell, i);
    if (cell->type == POISON_POINTER) {
        long trap = now.places[cell->target].trap;
        put_pointer(at, trap >= 0 && x >> 20 & 1 ? element(cell->target, trap) : wild(x));
    } else if (is_real(cell->type)) {
        poison_real(at, cell, x);
    } else {
        poison_whole(at, cell, x);
    }
}

/* All of one cell that is not read; how many. Those that are links go first. */
static long poison_cell(struct place *place, const struct poison_cell *cell, bool links) {
    long found = 0;
    if ((cell->with == WITH_CHAIN) != links)
        return 0;
    if (links)
        return poison_chain(place, cell);
    for (long i = next_unread(place, cell, place->first); i >= 0;
         i = next_unread(place, cell, i + 1), ++found)
        poison_one(place, cell, i);
    return found;
}

/* Whether a byte of an element was touched. */
static bool is_touched(const struct place *place, long i) {
    for (long k = 0; k < place->area->stride; ++k)
        if (place->touched[i * place->area->stride + k])
            return true;
    return false;
}

static bool is_used(const struct place *place) {
    for (long i = place->first; i <= place->last; ++i)
        if (is_touched(place, i))
            return true;
    return false;
}

static void poison_all(void) {
    for (int links = 1; links >= 0; --links)
        for (int a = 0; a < now.count; ++a)
            for (int c = 0; c < now.places[a].area->ncells; ++c) {
                const struct poison_area *area = now.places[a].area;
                long found = poison_cell(&now.places[a], &area->cells[c], links);
                if (found > 0)
                    printf(" %s.%s:%ld", area->name, area->cells[c].name, found);
            }
}

/* ---- where areas are ---- */

static long bytes_of(const struct poison_area *area) {
    return (long)area->stride * area->count;
}

/* Where a nest's memory is; ranks and devices have none that is mapped:
 * POISON_HEAP is set there. */
static enum poison_kind kind_of(const struct poison_area *area) {
    return area->kind == POISON_MAPPED && getenv("POISON_HEAP") ? POISON_HEAP : area->kind;
}

static void place_new(struct place *place, const struct poison_area *area) {
    *place =
        (struct place){.area = area, .kind = kind_of(area), .last = area->count - 1, .trap = -1};
    place->touched = calloc((size_t)bytes_of(area), 1);
    place->image = malloc((size_t)bytes_of(area));
    place->pages = (bytes_of(area) + PAGE - 1) / PAGE;
    if (place->kind == POISON_DECLARED) {
        place->block = area->declared;
    } else if (place->kind == POISON_HEAP) {
        place->block = malloc((size_t)bytes_of(area));
    } else {
        long size = (place->pages + 2) * PAGE;
        place->block = mmap(NULL, (size_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(place->block + PAGE, (size_t)place->pages * PAGE, PROT_READ | PROT_WRITE);
    }
}

static void place_free(struct place *place) {
    free(place->touched);
    free(place->image);
    if (place->kind == POISON_HEAP)
        free(place->block);
    else if (place->kind == POISON_MAPPED)
        munmap(place->block, (size_t)(place->pages + 2) * PAGE);
}

/* All elements, as a run begins. */
static void place_whole(struct place *place) {
    place->first = 0;
    place->last = place->area->count - 1;
    place->trap = -1;
    place->at = place->block + (place->kind == POISON_MAPPED ? PAGE : 0);
    memset(place->touched, 0, (size_t)bytes_of(place->area));
}

/* Only the elements from the first to the last that are used, at one end of the pages. */
static void place_cut(struct place *place, int cut) {
    long stride = place->area->stride;
    if (place->kind != POISON_MAPPED || !cut || !is_used(place))
        return;
    while (!is_touched(place, place->last))
        --place->last;
    while (!is_touched(place, place->first))
        ++place->first;
    place->at = cut == 1 ? place->block + (1 + place->pages) * PAGE - (place->last + 1) * stride
                         : place->block + PAGE - place->first * stride;
}

static void save(void) {
    for (int a = 0; a < now.count; ++a) {
        struct place *place = &now.places[a];
        long from = place->first * place->area->stride;
        memcpy(place->image + from, place->at + from,
               (size_t)((place->last + 1) * place->area->stride - from));
    }
}

static void restore(void) {
    for (int a = 0; a < now.count; ++a) {
        struct place *place = &now.places[a];
        long from = place->first * place->area->stride;
        memcpy(place->at + from, place->image + from,
               (size_t)((place->last + 1) * place->area->stride - from));
    }
}

/* ---- runs ---- */

/* Of every byte; `touched`: of numbers that the traced copy touched, which poison leaves alone. */
static unsigned long digest(bool touched) {
    unsigned long sum = 14695981039346656037UL;
    for (int a = 0; a < now.count; ++a) {
        const struct place *place = &now.places[a];
        for (int c = 0; c < place->area->ncells; ++c)
            for (long i = place->first; i <= place->last; ++i) {
                const struct poison_cell *cell = &place->area->cells[c];
                const char *at = cell_at(place, cell, i);
                if (touched && (is_unread(place, cell, i) || cell->type == POISON_POINTER))
                    continue;
                for (size_t k = 0; k < type_size(cell->type); ++k)
                    sum = (sum ^ (unsigned char)at[k]) * 1099511628211UL;
            }
    }
    return sum;
}

/* What is handed to the nest in place of an area that nobody touches. */
static void *nowhere(int area) {
    unsigned long x = mixed(now.run->seed * 31UL + (unsigned long)area);
    if (now.run->wild == 1 && x % 4 == 0)
        return now.places[area].at;
    if (now.places[area].area->tested || x % 3 == 0)
        return (void *)(0x4141410000000000 + (uintptr_t)area * 0x1000000);
    return x % 3 == 1 ? (void *)(uintptr_t)(16 + area * PAGE / 32) : NULL;
}

/* What is handed to the nest, when inputs are poison or before. */
static void pointers(void **at, bool poisoned) {
    for (int a = 0; a < now.count; ++a) {
        const struct place *place = &now.places[a];
        bool kept = is_used(place) || place->kind == POISON_DECLARED;
        at[a] = poisoned && now.run->wild && !kept ? nowhere(a) : place->at;
    }
}

static void copy_run(enum poison_copy copy) {
    void *at[MOST_AREAS];
    printf("> %s %d %d\n", now.nest->name, (int)(now.run - now.nest->runs), (int)copy);
    fflush(stdout);
    pointers(at, copy != COPY_TRACED);
    now.tracing = copy == COPY_TRACED;
    now.nest->call(copy, at, now.run->numbers);
    now.tracing = false;
}

static unsigned long copy_again(enum poison_copy copy, unsigned long *touched) {
    restore();
    copy_run(copy);
    *touched = digest(true);
    return digest(false);
}

/* Areas that nobody touches and whose pointers are wild, as area.*:1. */
static void print_wild(void) {
    void *at[MOST_AREAS];
    pointers(at, true);
    for (int a = 0; a < now.count; ++a)
        if (at[a] != now.places[a].at)
            printf(" %s.*:1", now.places[a].area->name);
}

static void run_one(void) {
    const struct itimerval limit = {.it_value = {SECONDS, 0}}, none = {0};
    unsigned long traced, serial, tested, kept, again;
    setitimer(ITIMER_PROF, &limit, NULL);
    for (int a = 0; a < now.count; ++a)
        place_whole(&now.places[a]);
    fill_all();
    copy_run(COPY_TRACED);
    traced = digest(true);
    for (int a = 0; a < now.count; ++a)
        place_cut(&now.places[a], now.run->cut);
    fill_all();
    printf("#");
    poison_all();
    print_wild();
    printf("\n");
    save();
    serial = copy_again(COPY_SERIAL, &kept);
    tested = copy_again(COPY_TESTED, &again);
    setitimer(ITIMER_PROF, &none, NULL);
    printf("= %s %d %s\n", now.nest->name, (int)(now.run - now.nest->runs),
           kept != traced     ? "BROKEN"
           : serial != tested ? "WRONG"
                              : "right");
}

static void nest_run(const struct poison_nest *nest) {
    now.nest = nest;
    now.count = nest->nareas;
    for (int a = 0; a < nest->nareas; ++a)
        place_new(&now.places[a], &nest->areas[a]);
    for (int r = 0; r < nest->nruns; ++r) {
        now.run = &nest->runs[r];
        run_one();
    }
    for (int a = 0; a < nest->nareas; ++a)
        place_free(&now.places[a]);
}

static void late(int signal) {
    (void)signal;
    _exit(LATE);
}

int poison_main(int argc, char **argv, const struct poison_nest *nests, int count) {
    int first = argc > 1 ? atoi(argv[1]) : 0;
    signal(SIGPROF, late);
    for (int k = first; k < count && (argc < 3 || k == first); ++k)
        nest_run(&nests[k]);
    fflush(stdout);
    return 0;
}
