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

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The comment of a kernel, `FOLDER/mf.c:31: the loop of main`: does it name this place? */
static bool is_comment_of(struct arena *arena, const char *line, const char *place) {
    const char *end = strstr(line, ": the loop of ");
    return end && strcmp(base_name(arena_strndup(arena, line + 3, (size_t)(end - line - 3))),
                         base_name(place)) == 0;
}

/* The name of the kernel below the comment that names the loop's place; NULL: there is none. */
static const char *kernel_name(struct arena *arena, FILE *in, const struct cost_loop *loop) {
    const char *at;
    char line[4096];
    bool found = false;
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, "/* ", 3) == 0 && strstr(line, ": the loop of "))
            found = is_comment_of(arena, line, loop->name);
        if (found && (at = strstr(line, "ORRERY_KERNEL")) && (at = strchr(at, '(')))
            return arena_strndup(arena, at + 1, strcspn(at + 1, ","));
    }
    return NULL;
}

/* The entry for rows of so many numbers: the least width that is as large, as the runtime chooses
 * (device_run.c). */
static const char *entry_name(struct arena *arena, FILE *in, const char *kernel, long row) {
    const char *head = arena_printf(arena, "ORRERY_ENTRY(%s_", kernel);
    long least = 0;
    char line[4096];
    rewind(in);
    while (row > 0 && fgets(line, sizeof line, in)) {
        long width =
            strncmp(line, head, strlen(head)) == 0 ? strtol(line + strlen(head), NULL, 10) : 0;
        if (width >= row && (least == 0 || width < least))
            least = width;
    }
    return least ? arena_printf(arena, "%s_%ld", kernel, least)
                 : arena_printf(arena, "%s_entry", kernel);
}

/* ---- what it costs --------------------------------------------------------------------------- */

static const char *tool(const char *variable, const char *usual) {
    const char *said = getenv(variable);
    return said && *said ? said : usual;
}

/* `Compiling entry function 'NAME'` ... `Used 119 registers, used 0 barriers, 16400 bytes smem` */
static void resources_read(FILE *in, struct cost_kernel *kernel) {
    char line[4096];
    bool of = false;
    while (fgets(line, sizeof line, in)) {
        const char *entry = strstr(line, "entry function '"), *at;
        size_t length = strlen(kernel->name);
        if (entry)
            of = strncmp(strchr(entry, '\'') + 1, kernel->name, length) == 0 &&
                 strchr(entry, '\'')[1 + length] == '\'';
        if (!of || !(at = strstr(line, "Used ")))
            continue;
        kernel->registers = strtod(at + 5, NULL);
        const char *smem = strstr(at, " bytes smem");
        while (smem && smem > at && smem[-1] >= '0' && smem[-1] <= '9')
            --smem;
        kernel->shared_bytes = smem ? strtod(smem, NULL) : 0;
    }
}

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
static int kernel_measure(struct arena *arena, const struct cost_device *device,
                          const char *kernels, struct cost_kernel *kernel) {
    const char *nvcc = tool("ORRERY_NVCC", "nvcc"), *nvdisasm = tool("ORRERY_NVDISASM", "nvdisasm");
    struct house house;
    char cubin[] = "/tmp/orrery-simulate-XXXXXX";
    int made = mkstemp(cubin);
    if (made < 0)
        return complain(arena_printf(arena, "%s: %s", cubin, strerror(errno)));
    close(made);
    house_find(&house, arena);
    const char *build = arena_printf(
        arena,
        "%s -O3 -std=c++17 -arch=%s -fmad=false -DORRERY_MODEL -Xptxas -v -cubin -I %s "
        "-x cu %s -o %s 2>&1",
        ask_quote(arena, nvcc), device->architecture, ask_quote(arena, house.include),
        ask_quote(arena, kernels), cubin);
    FILE *said = popen(build, "r");
    if (said)
        resources_read(said, kernel);
    bool built = said && pclose(said) == 0;
    FILE *sass =
        built ? popen(arena_printf(arena, "%s -c -hex %s", ask_quote(arena, nvdisasm), cubin), "r")
              : NULL;
    bool known = sass && costs_set(arena, device, sass, kernel);
    bool shown = sass && pclose(sass) == 0;
    unlink(cubin);
    if (!built)
        return complain(arena_printf(arena, "%s does not compile %s (ORRERY_NVCC says which nvcc)",
                                     nvcc, kernels));
    if (!shown)
        return complain(arena_printf(arena,
                                     "%s does not print the machine code (ORRERY_NVDISASM says "
                                     "which; PyPI has it as nvidia-cuda-nvdisasm)",
                                     nvdisasm));
    if (!known)
        return complain(
            arena_printf(arena,
                         "%s has no loop over records whose rows are loaded ahead: --row says how "
                         "many numbers a row has; other kernels are not modelled",
                         kernel->name));
    return STATUS_OK;
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
}

static void print_json(const struct cost_loop *loop, const struct cost_device *device,
                       const struct cost_kernel *kernel, const struct cost_device_pass *pass) {
    json_t *root = json_pack(
        "{s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:f, s:f, s:f, s:f}",
        "schema", "orrery-gpu/1", "loop", loop->name, "device", device->name, "kernel",
        kernel->name, "registers", kernel->registers, "shared_bytes", kernel->shared_bytes, "warps",
        pass->warps, "instructions", kernel->instructions, "cycles", kernel->cycles, "row_bytes",
        kernel->bytes, "record_bytes", loop->record_bytes, "seconds", pass->seconds, "bound",
        pass->bound, "memory_seconds", pass->memory, "cache_seconds", pass->cache,
        "instruction_seconds", pass->instructions, "chain_seconds", pass->chain);
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(root);
}

int simulation_run_gpu(struct arena *arena, const char *file,
                       const struct simulation_request *request) {
    enum { WARPS_PER_BLOCK = 4 };
    const struct cost_device *device = cost_device_find(request->gpu);
    struct cost_kernel kernel = {.warps_per_block = WARPS_PER_BLOCK};
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
    FILE *in = fopen(request->kernels, "r");
    if (!in)
        return complain(arena_printf(arena, "%s: %s", request->kernels, strerror(errno)));
    const char *name = kernel_name(arena, in, loop);
    kernel.name = name ? entry_name(arena, in, name, request->row) : NULL;
    fclose(in);
    if (!name)
        return complain(
            arena_printf(arena, "%s has no kernel of %s", request->kernels, loop->name));
    int status = kernel_measure(arena, device, request->kernels, &kernel);
    if (status != STATUS_OK)
        return status;
    struct cost_device_pass pass = cost_device_run(arena, device, &kernel, loop);
    (request->json ? print_json : print_text)(loop, device, &kernel, &pass);
    return STATUS_OK;
}
