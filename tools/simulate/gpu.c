/*
 * A measured rotation on one GPU: nvcc makes the kernel's machine code, whose loops say what an
 * iteration costs; the plan's blocks run on a model of the device.
 */
#define _GNU_SOURCE
#include "tools/base/ask.h"
#include "tools/base/house.h"
#include "tools/base/status.h"
#include "tools/simulate/sass.h"
#include "tools/simulate/simulate.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int complain(const char *why) {
    fprintf(stderr, "orrery simulate: %s\n", why);
    return STATUS_INPUT;
}

/* ---- which kernel ---------------------------------------------------------------------------- */

/* The entries of a file of kernels, as the assembler tells of them. */
enum { MOST_ENTRIES = 256 };
struct entries {
    int count;
    struct cost_kernel list[MOST_ENTRIES];
};

/* Pairs of lines: an entry's name, and what it takes. */
static void entries_read(struct arena *arena, FILE *in, struct entries *entries) {
    enum { WARPS_PER_BLOCK = 4 };
    char line[4096], name[4096];
    while (fgets(line, sizeof line, in)) {
        double registers = 0, shared = 0;
        if (sscanf(line, "ptxas info : Compiling entry function '%4095[^']'", name) == 1 &&
            entries->count < MOST_ENTRIES)
            entries->list[entries->count++] = (struct cost_kernel){
                .name = arena_strdup(arena, name), .warps_per_block = WARPS_PER_BLOCK};
        else if (entries->count &&
                 sscanf(line, "ptxas info : Used %lf registers, used %*d barriers, %lf bytes smem",
                        &registers, &shared) >= 1) {
            entries->list[entries->count - 1].registers = registers;
            entries->list[entries->count - 1].shared_bytes = shared;
        }
    }
}

/* The numbers of the rows that an entry keeps: what stands behind its kernel's name; 0: none. */
static long width_of(const char *entry) {
    const char *end = strrchr(entry, '_');
    return end ? strtol(end + 1, NULL, 10) : 0;
}

static size_t kernel_length(const char *entry) {
    const char *end = strrchr(entry, '_');
    return end ? (size_t)(end - entry) : strlen(entry);
}

static bool is_of_kernel(const char *entry, const char *kernel) {
    return !kernel || (strlen(kernel) == kernel_length(entry) &&
                       strncmp(entry, kernel, kernel_length(entry)) == 0);
}

/* The entry for rows of so many numbers: the least width that is as large, as the runtime chooses
 * (device_run.c). `*several`: more than one kernel has it. */
static struct cost_kernel *entry_choose(struct entries *entries, const char *kernel, long row,
                                        bool *several) {
    struct cost_kernel *best = NULL;
    *several = false;
    for (int i = 0; i < entries->count; ++i) {
        struct cost_kernel *entry = &entries->list[i];
        long width = width_of(entry->name);
        if (!is_of_kernel(entry->name, kernel) || (row > 0 ? width < row : width != 0))
            continue;
        *several |= best && (kernel_length(best->name) != kernel_length(entry->name) ||
                             strncmp(best->name, entry->name, kernel_length(entry->name)) != 0);
        if (!best || width < width_of(best->name))
            best = entry;
    }
    return best;
}

/* ---- what it costs --------------------------------------------------------------------------- */

/* Rows are loaded ahead, a record at a time: the fastest loop that has no other inside and stores
 * as much as any is the one for rows of full length (ahead.c). */
static const struct sass_loop *record_loop(const struct sass_loop *loops, int count) {
    const struct sass_loop *best = NULL;
    for (int i = 0; i < count; ++i)
        if (loops[i].inner && loops[i].stores > 0 && loops[i].loads > 0 &&
            (!best || loops[i].cycles < best->cycles))
            best = &loops[i];
    return best;
}

/* Around it the loop over groups of 32 records, whose first rows are waited for. */
static const struct sass_loop *group_loop(const struct sass_loop *loops, int count,
                                          const struct sass_loop *record) {
    const struct sass_loop *best = NULL;
    for (int i = 0; i < count; ++i)
        if (loops[i].first <= record->first && loops[i].last >= record->last &&
            &loops[i] != record &&
            (!best || loops[i].last - loops[i].first < best->last - best->first))
            best = &loops[i];
    return best;
}

static bool costs_set(struct arena *arena, const struct cost_device *device, FILE *sass,
                      struct cost_kernel *kernel) {
    enum { GROUP = 32 };
    struct sass_loop *loops;
    struct sass_kernel code = sass_read(arena, sass, kernel->name);
    int count = sass_loops(arena, &code, device, &loops);
    const struct sass_loop *record = record_loop(loops, count);
    const struct sass_loop *group = record ? group_loop(loops, count, record) : NULL;
    if (!record)
        return false;
    kernel->instructions = (double)record->instructions;
    kernel->cycles = record->cycles;
    kernel->bytes = record->loads + record->stores;
    if (group) {
        kernel->instructions += (double)group->instructions / GROUP;
        kernel->cycles += (group->cycles + device->from_cache) / GROUP;
    }
    return true;
}

/* What seldom happens is left out of the machine code, so that the way through it is straight. */
static bool kernels_build(struct arena *arena, const struct cost_device *device,
                          const char *kernels, const char *cubin, struct entries *entries) {
    struct house house;
    house_find(&house, arena);
    const char *build = arena_printf(
        arena,
        "%s -O3 -std=c++17 -arch=%s -fmad=false -DORRERY_MODEL -Xptxas -v -cubin -I %s -x cu %s "
        "-o %s 2>&1",
        ask_quote(arena, ask_tool("ORRERY_NVCC", "nvcc")), device->architecture,
        ask_quote(arena, house.include), ask_quote(arena, kernels), cubin);
    FILE *said = popen(build, "r");
    if (said)
        entries_read(arena, said, entries);
    return said && pclose(said) == 0;
}

static int kernel_measure(struct arena *arena, const struct cost_device *device, const char *cubin,
                          struct cost_kernel *kernel) {
    const char *nvdisasm = ask_tool("ORRERY_NVDISASM", "nvdisasm");
    FILE *sass =
        popen(arena_printf(arena, "%s -c -hex %s", ask_quote(arena, nvdisasm), cubin), "r");
    bool known = sass && costs_set(arena, device, sass, kernel);
    bool shown = sass && pclose(sass) == 0;
    if (!shown)
        return complain(arena_printf(arena,
                                     "%s does not print the machine code (ORRERY_NVDISASM says "
                                     "which; PyPI has it as nvidia-cuda-nvdisasm)",
                                     nvdisasm));
    if (!known)
        return complain(arena_printf(arena,
                                     "%s has no loop over records whose rows are loaded ahead: "
                                     "--row says how many numbers a row has; other kernels are "
                                     "not modelled",
                                     kernel->name));
    return STATUS_OK;
}

/* The kernel that is asked for, with its costs. */
static int kernel_find(struct arena *arena, const struct cost_device *device,
                       const struct simulation_request *request, const char *cubin,
                       struct cost_kernel *found) {
    struct entries *entries = arena_alloc(arena, sizeof *entries);
    bool several;
    entries->count = 0;
    if (!kernels_build(arena, device, request->kernels, cubin, entries))
        return complain(arena_printf(
            arena, "nvcc does not compile %s (ORRERY_NVCC says which nvcc)", request->kernels));
    struct cost_kernel *kernel = entry_choose(entries, request->kernel, request->row, &several);
    if (!kernel)
        return complain(arena_printf(arena, "%s has no kernel %sfor rows of %ld numbers",
                                     request->kernels, request->kernel ? "of that name " : "",
                                     request->row));
    if (several)
        return complain(arena_printf(arena, "%s has several kernels: --kernel says which, as %.*s",
                                     request->kernels, (int)kernel_length(kernel->name),
                                     kernel->name));
    int status = kernel_measure(arena, device, cubin, kernel);
    *found = *kernel;
    return status;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void print_text(const struct cost_loop *loop, const struct cost_device *device,
                       const struct cost_kernel *kernel, const struct cost_device_pass *pass) {
    printf("%s: %s, grid %ld x %ld, on one %s (a model)\n", loop->name,
           strategy_name(loop->strategy), loop->rows, loop->columns, device->name);
    printf("%s: %.0f registers, %.0f bytes of shared memory, %.0f warps per multiprocessor\n",
           kernel->name, kernel->registers, kernel->shared_bytes, pass->warps / device->processors);
    printf("an iteration: %.0f instructions, %.0f cycles of a warp alone, %.0f bytes of rows\n",
           kernel->instructions, kernel->cycles, kernel->bytes);
    printf("%.4g s per pass, bound by %s\n", pass->seconds, pass->bound);
    printf(
        "at least, in seconds: memory %.3g, second-level cache %.3g, instructions %.3g, rows and "
        "batons %.3g\n",
        pass->memory, pass->cache, pass->instructions, pass->chain);
    printf("the heaviest baton: %.0f iterations, handed on %.0f times: %.3g s\n",
           pass->heaviest_iterations, pass->heaviest_handed, pass->heaviest);
}

static void print_json(const struct cost_loop *loop, const struct cost_device *device,
                       const struct cost_kernel *kernel, const struct cost_device_pass *pass) {
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, s:f, s:f, s:f, "
        "s:f}",
        "schema", "orrery-gpu/1", "loop", loop->name, "device", device->name, "kernel",
        kernel->name, "registers", kernel->registers, "shared_bytes", kernel->shared_bytes, "warps",
        pass->warps, "instructions", kernel->instructions, "cycles", kernel->cycles, "row_bytes",
        kernel->bytes, "record_bytes", loop->record_bytes, "seconds", pass->seconds, "bound",
        pass->bound, "memory_seconds", pass->memory, "cache_seconds", pass->cache,
        "instruction_seconds", pass->instructions, "chain_seconds", pass->chain, "heaviest_seconds",
        pass->heaviest);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(root);
}

int simulation_run_gpu(struct arena *arena, const char *file,
                       const struct simulation_request *request) {
    const struct cost_device *device = cost_device_find(request->gpu);
    struct cost_kernel kernel;
    struct cost_profile profile;
    const char *why;
    if (!device)
        return complain(arena_printf(arena, "--gpu: no device is called %s: %s", request->gpu,
                                     cost_device_names(arena)));
    if (!cost_profile_read(arena, file, &profile, &why))
        return complain(why);
    const struct cost_loop *loop = simulation_loop(&profile, file, request->loop);
    if (!loop)
        return STATUS_INPUT;
    if (loop->nbatons == 0)
        return complain(arena_printf(
            arena, "%s hands no batons on: only rotations are modelled on a GPU", loop->name));
    char cubin[] = "/tmp/orrery-simulate-XXXXXX";
    int made = mkstemp(cubin);
    if (made < 0)
        return complain(arena_printf(arena, "%s: %s", cubin, strerror(errno)));
    close(made);
    int status = kernel_find(arena, device, request, cubin, &kernel);
    unlink(cubin);
    if (status != STATUS_OK)
        return status;
    struct cost_device_pass pass = cost_device_run(arena, device, &kernel, loop);
    (request->json ? print_json : print_text)(loop, device, &kernel, &pass);
    return STATUS_OK;
}
