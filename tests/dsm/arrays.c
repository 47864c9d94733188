/*
 * Arrays on several ranks against a plain copy on rank 0: random shapes, orders, cuts and owners,
 * both modes; owners change rows, parts travel, serial code reads and writes home in every way.
 */
#include "tests/dsm/check.h"
#include "tests/dsm/ranks.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STEP_NEW, STEP_REGION, STEP_FREE, STEP_CHECK, STEP_LATE };
enum shape {
    SHAPE_ROWS,
    SHAPE_STATIC,
    SHAPE_TABLE,
    SHAPE_COLUMNS,
    SHAPE_COLUMNS_TABLE,
    SHAPE_MAPPED,
    SHAPE_LOCAL,
    SHAPES
};

#define STATIC_BYTES 3000001
#define LOOPS 2

static char static_rows[STATIC_BYTES];

/* Everything follows from the seed, so every rank can work it out. */
struct recipe {
    enum shape shape;
    long nrows, elements;
    struct {
        unsigned seed;
        enum dsm_mode mode;
        bool written, travels;
        int nparts;
    } loops[LOOPS];
    char *base;
    char **table;
};

struct region {
    unsigned seed;
    int rounds, loop;
};

/* One loop's view of the array: each cuts the same home in its own way. */
struct plan {
    struct dsm_array *array;
    uint32_t *order;
    long *cuts;
    int *owner;
    enum dsm_mode mode;
    bool written, travels;
    int nparts;
    int *holders;
};

static struct recipe recipe;
static char *local_rows;
static struct plan plans[LOOPS];
static uint32_t *truth;

static uint32_t *home_element(long v, long k) {
    if (recipe.shape == SHAPE_COLUMNS)
        return (uint32_t *)recipe.base + k * recipe.nrows + v;
    if (recipe.shape == SHAPE_COLUMNS_TABLE)
        return (uint32_t *)recipe.table[k] + v;
    char *row = recipe.table ? recipe.table[v] : recipe.base + v * recipe.elements * 4;
    return (uint32_t *)row + k;
}

static void plan_make(struct plan *plan, int loop) {
    unsigned seed = recipe.loops[loop].seed;
    long nrows = recipe.nrows;
    int nparts = recipe.loops[loop].nparts;
    uint32_t *order = malloc((size_t)nrows * sizeof *order);
    long *cuts = malloc((size_t)(nparts + 1) * sizeof *cuts);
    int *owner = malloc((size_t)nparts * sizeof *owner);
    for (long i = 0; i < nrows; ++i) {
        long j = draw(&seed) % (i + 1);
        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    for (int p = 0; p <= nparts; ++p)
        cuts[p] = p == 0 ? 0 : p == nparts ? nrows : draw(&seed) % (nrows + 1);
    for (int p = 1; p < nparts; ++p) {
        for (int q = p; q > 1 && cuts[q - 1] > cuts[q]; --q) {
            long swap = cuts[q];
            cuts[q] = cuts[q - 1];
            cuts[q - 1] = swap;
        }
    }
    for (int p = 0; p < nparts; ++p)
        owner[p] = draw(&seed) % dsm_ranks();
    *plan = (struct plan){NULL,
                          order,
                          cuts,
                          owner,
                          recipe.loops[loop].mode,
                          recipe.loops[loop].written,
                          recipe.loops[loop].travels,
                          nparts,
                          malloc((size_t)nparts * sizeof(int))};
}

static void plan_free(struct plan *plan) {
    free(plan->order);
    free(plan->cuts);
    free(plan->owner);
    free(plan->holders);
}

static struct dsm_layout layout_make(const struct plan *plan) {
    long bytes = recipe.elements * 4;
    struct dsm_layout layout = {.name = "W",
                                .mode = plan->mode,
                                .base = recipe.base,
                                .table = recipe.shape == SHAPE_TABLE ? recipe.table : NULL,
                                .nrows = recipe.nrows,
                                .row_stride = bytes,
                                .pieces = 1,
                                .piece_bytes = bytes,
                                .piece_stride = bytes,
                                .element_size = 4,
                                .order = plan->order,
                                .nparts = plan->nparts,
                                .cuts = plan->cuts,
                                .owner = plan->owner,
                                .written = plan->written,
                                .travels = plan->travels};
    if (recipe.shape == SHAPE_COLUMNS) {
        layout.row_stride = layout.piece_bytes = 4;
        layout.pieces = recipe.elements;
        layout.piece_stride = recipe.nrows * 4;
    }
    if (recipe.shape == SHAPE_COLUMNS_TABLE) {
        layout.row_stride = layout.piece_bytes = 4;
        layout.pieces = recipe.elements;
        layout.piece_table = recipe.table;
    }
    return layout;
}

/* The table's entries, and elements behind each. */
static long table_entries(void) {
    return recipe.shape == SHAPE_TABLE ? recipe.nrows : recipe.elements;
}

static long table_elements(void) {
    return recipe.shape == SHAPE_TABLE ? recipe.elements : recipe.nrows;
}

static void step_new(const void *payload) {
    memcpy(&recipe, payload, sizeof recipe);
    if (recipe.table) {
        size_t bytes = (size_t)table_entries() * sizeof *recipe.table;
        dsm_commit(recipe.table, bytes);
        dsm_broadcast(recipe.table, bytes);
    }
    for (int loop = 0; loop < LOOPS; ++loop) {
        struct plan given;
        plan_make(&given, loop);
        plan_make(&plans[loop], loop);
        struct dsm_layout layout = layout_make(&given);
        plans[loop].array = dsm_array_new(&layout);
        plan_free(&given);
    }
}

static void step_free(const void *payload) {
    (void)payload;
    for (int loop = 0; loop < LOOPS; ++loop) {
        dsm_array_free(plans[loop].array);
        plan_free(&plans[loop]);
    }
}

static void step_check(const void *payload) {
    (void)payload;
    const char *broken = dsm_check();
    if (broken)
        dsm_fail(1, "%s", broken);
}

/* Rank 0 touches home when the others wait in a step already. */
static void step_late(const void *payload) {
    (void)payload;
    unsigned sum = 0;
    if (dsm_rank() == 0)
        sum = recipe.nrows ? *home_element(recipe.nrows / 2, 0) : 0;
    dsm_broadcast(&sum, sizeof sum);
}

/* What a region does to an element; the order of rounds matters. */
static uint32_t changed(uint32_t value, long v, long k, unsigned seed, int round) {
    return value * 3 + (uint32_t)(v * 31 + k * 7) + seed + (uint32_t)round;
}

static uint32_t *store_element(const struct plan *plan, long position, long k) {
    if (plan->mode == DSM_VIEW && dsm_ranks() > 1)
        return (uint32_t *)(dsm_array_base(plan->array) + position * recipe.elements * 4) + k;
    return home_element(plan->order[position], k);
}

static void part_change(const struct plan *plan, int part, unsigned seed, int round) {
    for (long position = plan->cuts[part]; position < plan->cuts[part + 1]; ++position) {
        for (long k = 0; k < recipe.elements; ++k) {
            uint32_t *element = store_element(plan, position, k);
            *element = changed(*element, plan->order[position], k, seed, round);
        }
    }
}

/* Where the part goes after the round: a random walk that all ranks know. */
static int wander(unsigned seed, int round, int part, int from) {
    seed += (unsigned)(round * 1009 + part * 9176 + from);
    draw(&seed);
    return (int)(draw(&seed) % (unsigned)dsm_ranks());
}

/* Where all parts are now, from what each rank says of itself. */
static void holders_gather(struct plan *plan) {
    size_t bytes = (size_t)plan->nparts * sizeof *plan->holders;
    int *theirs = malloc(bytes);
    for (int part = 0; part < plan->nparts; ++part)
        plan->holders[part] = dsm_part_owner(plan->array, part);
    if (dsm_rank() > 0)
        dsm_send(0, 77, plan->holders, bytes);
    for (int rank = 1; dsm_rank() == 0 && rank < dsm_ranks(); ++rank) {
        dsm_receive(rank, 77, theirs, bytes);
        for (int part = 0; part < plan->nparts; ++part) {
            EXPECT(theirs[part] < 0 || plan->holders[part] < 0);
            plan->holders[part] = theirs[part] < 0 ? plan->holders[part] : theirs[part];
        }
    }
    dsm_broadcast(plan->holders, bytes);
    free(theirs);
}

static void round_move(struct plan *plan, unsigned seed, int round) {
    int count = 0, nparts = plan->nparts;
    struct dsm_request **requests = malloc(2 * (size_t)nparts * sizeof *requests);
    for (int part = 0; part < nparts; ++part) {
        int from = plan->holders[part], to = wander(seed, round, part, from);
        plan->holders[part] = to;
        if (from == to)
            continue;
        if (from == dsm_rank())
            requests[count++] = dsm_part_send(plan->array, part, to, part);
        else if (to == dsm_rank())
            requests[count++] = dsm_part_receive(plan->array, part, from, part);
    }
    for (int i = 0; i < count; ++i)
        dsm_wait(requests[i]);
    free(requests);
}

static void step_region(const void *payload) {
    struct region region;
    memcpy(&region, payload, sizeof region);
    struct plan *plan = &plans[region.loop];
    dsm_array_distribute(plan->array);
    holders_gather(plan);
    for (int round = 0; round < region.rounds; ++round) {
        for (int part = 0; part < plan->nparts; ++part) {
            bool mine = plan->holders[part] == dsm_rank();
            EXPECT((dsm_part_owner(plan->array, part) == dsm_rank()) == mine);
            if (plan->written && mine)
                part_change(plan, part, region.seed, round);
        }
        round_move(plan, region.seed, round);
    }
    dsm_array_settle(plan->array);
}

/* ---- rank 0: serial code ---- */

static void truth_region(const struct region *region) {
    bool written = plans[region->loop].written;
    for (int round = 0; written && round < region->rounds; ++round) {
        for (long v = 0; v < recipe.nrows; ++v) {
            for (long k = 0; k < recipe.elements; ++k) {
                uint32_t *element = &truth[v * recipe.elements + k];
                *element = changed(*element, v, k, region->seed, round);
            }
        }
    }
}

static void compare_all(void) {
    for (long v = 0; v < recipe.nrows; ++v) {
        for (long k = 0; k < recipe.elements; ++k) {
            if (*home_element(v, k) != truth[v * recipe.elements + k]) {
                dsm_fail(1, "row %ld, element %ld is %u, not %u (shape %d, modes %d, %d)", v, k,
                         *home_element(v, k), truth[v * recipe.elements + k], recipe.shape,
                         plans[0].mode, plans[1].mode);
            }
        }
    }
}

static void write_some(unsigned *seed) {
    for (int i = draw(seed) % 4; i >= 0 && recipe.nrows > 0; --i) {
        long v = draw(seed) % recipe.nrows, k = draw(seed) % recipe.elements;
        uint32_t value = draw(seed);
        *home_element(v, k) = value;
        truth[v * recipe.elements + k] = value;
    }
}

/* Home through the kernel, out and in again. */
static void through_file(void) {
    if (recipe.table || recipe.shape == SHAPE_COLUMNS || recipe.nrows == 0)
        return;
    size_t bytes = (size_t)(recipe.nrows * recipe.elements) * 4;
    FILE *file = tmpfile();
    EXPECT(file && fwrite(recipe.base, 1, bytes, file) == bytes);
    EXPECT(fflush(file) == 0);
    rewind(file);
    uint32_t *copy = malloc(bytes);
    EXPECT(read(fileno(file), copy, bytes) == (ssize_t)bytes);
    EXPECT(memcmp(copy, truth, bytes) == 0);
    for (size_t i = 0; i < bytes / 4; ++i) {
        copy[i] ^= 0x55u;
        truth[i] = copy[i];
    }
    EXPECT(pwrite(fileno(file), copy, bytes, 0) == (ssize_t)bytes);
    EXPECT(pread(fileno(file), recipe.base, bytes, 0) == (ssize_t)bytes);
    free(copy);
    fclose(file);
}

static void serial_code(unsigned *seed) {
    switch (draw(seed) % 8) {
    case 0:
        break;
    case 1:
        compare_all();
        break;
    case 2:
        write_some(seed);
        break;
    case 3:
        compare_all();
        write_some(seed);
        break;
    case 4:
        dsm_array_collect(plans[draw(seed) % LOOPS].array);
        break;
    case 5:
        through_file();
        break;
    case 6:
        lead(STEP_LATE, NULL, 0);
        break;
    default:
        write_some(seed);
        compare_all();
    }
}

static void memory_make(unsigned *seed) {
    size_t elements = (size_t)(recipe.nrows * recipe.elements);
    recipe.base = NULL;
    recipe.table = NULL;
    if (recipe.shape == SHAPE_STATIC) {
        recipe.base = static_rows + 4 * (draw(seed) % 2000);
    } else if (recipe.shape == SHAPE_LOCAL) {
        recipe.base = local_rows + 4 * (draw(seed) % 2000);
    } else if (recipe.shape == SHAPE_MAPPED) {
        recipe.base = mmap(NULL, elements * 4 + 1, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    } else if (recipe.shape == SHAPE_TABLE || recipe.shape == SHAPE_COLUMNS_TABLE) {
        recipe.table = malloc((size_t)table_entries() * sizeof *recipe.table);
        for (long i = 0; i < table_entries(); ++i)
            recipe.table[i] = malloc((size_t)table_elements() * 4);
    } else {
        recipe.base = malloc(elements * 4);
    }
    truth = malloc(elements * 4);
    for (long v = 0; v < recipe.nrows; ++v)
        for (long k = 0; k < recipe.elements; ++k)
            *home_element(v, k) = truth[v * recipe.elements + k] = draw(seed);
}

static void memory_free(void) {
    if (recipe.table) {
        for (long i = 0; i < table_entries(); ++i)
            free(recipe.table[i]);
        free(recipe.table);
    } else if (recipe.shape == SHAPE_MAPPED) {
        munmap(recipe.base, (size_t)(recipe.nrows * recipe.elements) * 4 + 1);
    } else if (recipe.shape != SHAPE_STATIC && recipe.shape != SHAPE_LOCAL) {
        free(recipe.base);
    }
    free(truth);
}

static void recipe_make(unsigned *seed) {
    recipe.shape = draw(seed) % SHAPES;
    bool only_here = recipe.shape == SHAPE_MAPPED || recipe.shape == SHAPE_LOCAL;
    bool flat = recipe.shape == SHAPE_ROWS || recipe.shape == SHAPE_STATIC;
    recipe.nrows = draw(seed) % 3 ? draw(seed) % 400 : draw(seed) % 8000;
    recipe.elements = 1 + draw(seed) % (draw(seed) % 2 ? 8 : 80);
    for (int loop = 0; loop < LOOPS; ++loop) {
        recipe.loops[loop].seed = draw(seed);
        recipe.loops[loop].mode = only_here || (flat && draw(seed) % 4) ? DSM_VIEW : DSM_INPLACE;
        recipe.loops[loop].written = draw(seed) % 8 != 0;
        recipe.loops[loop].travels = draw(seed) % 2;
        recipe.loops[loop].nparts = 1 + (int)(draw(seed) % 20);
    }
}

static step *const steps[] = {step_new, step_region, step_free, step_check, step_late};

static void scenario(unsigned *seed) {
    recipe_make(seed);
    memory_make(seed);
    lead(STEP_NEW, &recipe, sizeof recipe);
    unsigned only = draw(seed) % 3;
    for (int i = draw(seed) % 8; i >= 0; --i) {
        int loop = only < LOOPS ? (int)only : (int)(draw(seed) % LOOPS);
        struct region region = {draw(seed), (int)(draw(seed) % 5), loop};
        lead(STEP_REGION, &region, sizeof region);
        truth_region(&region);
        dsm_array_release(plans[loop].array);
        lead(STEP_CHECK, NULL, 0);
        serial_code(seed);
    }
    for (int loop = 0; loop < LOOPS; ++loop)
        dsm_array_collect(plans[loop].array);
    compare_all();
    lead(STEP_FREE, NULL, 0);
    memory_free();
}

int main(int argc, char **argv) {
    char local[STATIC_BYTES];
    local_rows = local;
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int scenarios = argc > 2 ? atoi(argv[2]) : 100;
    ranks_start(argc, argv);
    for (int i = 0; i < scenarios; ++i)
        scenario(&seed);
    return ranks_finish("arrays");
}
