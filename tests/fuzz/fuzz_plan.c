/* The plan reader: the input is a plan file for a text with three loops. */
#define _GNU_SOURCE
#include "tests/fuzz/fuzz.h"

#include "tools/pipeline/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char text[] = "struct rating { int user, item; float value; };\n"
                     "void train(struct rating *r, float *W, float *H, long n, int K) {\n"
                     "#pragma orrery parallel unordered assume(noalias(r, W, H))\n"
                     "    for (long i = 0; i < n; ++i) {\n"
                     "        float *w = W + (long)r[i].user * K, *h = H + (long)r[i].item * K;\n"
                     "        for (int k = 0; k < K; ++k) {\n"
                     "            float old = w[k];\n"
                     "            w[k] += r[i].value * h[k];\n"
                     "            h[k] += r[i].value * old;\n"
                     "        }\n"
                     "    }\n"
                     "#pragma orrery parallel\n"
                     "    for (long i = 0; i < n; ++i)\n"
                     "        r[i].value = 0;\n"
                     "}\n";

enum { INPUTS_PER_UNIT = 200 };

/* The text's plans; made anew now and then, since what is read is kept with them. */
static struct compilation *unit_of_text(void) {
    static struct arena *arena;
    static struct compilation pipeline;
    static int inputs;
    if (inputs++ % INPUTS_PER_UNIT == 0) {
        if (arena)
            arena_free(arena);
        arena = arena_new();
        struct compile_request request = pipeline_named(arena, "input.c", NULL, NULL);
        request.file.text = text;
        compile_unit(&pipeline, arena, &request);
    }
    return &pipeline;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct compilation *pipeline = unit_of_text();
    struct plan *plans[8];
    char path[64];
    int file = memfd_create("plan", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size || pipeline->nplans > 8)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    memcpy(plans, pipeline->plans, (size_t)pipeline->nplans * sizeof *plans);
    struct diag_list diags = {.arena = pipeline->arena};
    plan_file_read(path, pipeline->unit, pipeline->nplans, plans, &diags);
    close(file);
    return 0;
}
