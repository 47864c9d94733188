/* Ends badly, in the way its first argument names: what the report says is checked by stray.sh. */
#include "tests/dsm/ranks.h"

#include <string.h>

enum { STEP_NEW, STEP_TOUCH, STEP_HEAP };

#define ROWS 4096
#define ELEMENTS 16

static struct dsm_array *array;
static float *rows;

static void step_new(const void *payload) {
    long cuts[] = {0, 1024, 2048, 3072, 4096};
    int owner[] = {0, 1 % dsm_ranks(), 0, 1 % dsm_ranks()};
    memcpy(&rows, payload, sizeof rows);
    array = dsm_array_new(&(struct dsm_layout){.name = "W",
                                               .mode = DSM_VIEW,
                                               .base = (char *)rows,
                                               .nrows = ROWS,
                                               .row_stride = ELEMENTS * 4,
                                               .pieces = 1,
                                               .piece_bytes = ELEMENTS * 4,
                                               .piece_stride = ELEMENTS * 4,
                                               .element_size = 4,
                                               .nparts = 4,
                                               .cuts = cuts,
                                               .owner = owner,
                                               .written = true,
                                               .travels = true});
    dsm_array_distribute(array);
}

/* On rank 1: row 2500, element 7, which rank 0 has. */
static void step_touch(const void *payload) {
    (void)payload;
    dsm_set_context("mf.c:41", 2, 5);
    if (dsm_rank() == 1)
        ((float *)dsm_array_base(array))[2500 * ELEMENTS + 7] = 1;
    dsm_broadcast(&(int){0}, sizeof(int));
}

static void step_heap(const void *payload) {
    float *block;
    memcpy(&block, payload, sizeof block);
    dsm_set_context("mf.c:43", -1, -1);
    if (dsm_rank() == 1)
        block[0] += 1;
}

static step *const steps[] = {step_new, step_touch, step_heap};

int main(int argc, char **argv) {
    dsm_start("auto");
    if (dsm_rank() > 0) {
        dsm_serve(step_handle, NULL);
        dsm_finish();
        return 0;
    }
    const char *way = argc > 1 ? argv[1] : "";
    float *memory = calloc(ROWS * ELEMENTS, sizeof *memory);
    if (strcmp(way, "heap") == 0) {
        lead(STEP_HEAP, &memory, sizeof memory);
        dsm_receive(1, 1, memory, 4);
    }
    lead(STEP_NEW, &memory, sizeof memory);
    if (strcmp(way, "part") == 0) {
        lead(STEP_TOUCH, NULL, 0);
        dsm_receive(1, 1, memory, 4);
    } else if (strcmp(way, "home") == 0) {
        dsm_set_context("mf.c:42", 3, 4);
        memory[1000] = 1;
    } else if (strcmp(way, "wild") == 0) {
        *(volatile int *)(argc * 8L) = 1;
    } else if (strcmp(way, "free") == 0) {
        char *volatile inside = (char *)memory + 64;
        free(inside);
    }
    return 0;
}
