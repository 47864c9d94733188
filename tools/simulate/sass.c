/* Loops of SASS and their time: instructions of a warp are issued in order, each when its barriers
 * are free. */
#include "tools/simulate/sass.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

/* What a label's line stands in front of. */
struct label {
    const char *name;
    long at;
};

struct reading {
    struct arena *arena;
    struct sass_kernel *kernel;
    struct label *labels;
    long nlabels, room, label_room;
    uint64_t low; /* of the instruction whose second half comes next */
};

static void *longer(struct arena *arena, void *list, long count, long *room, size_t each) {
    if (count < *room)
        return list;
    *room = 2 * *room + 256;
    void *more = arena_alloc(arena, (size_t)*room * each);
    return count ? memcpy(more, list, (size_t)count * each) : more;
}

static void add_label(struct reading *r, const char *line) {
    r->labels = longer(r->arena, r->labels, r->nlabels, &r->label_room, sizeof *r->labels);
    r->labels[r->nlabels++] =
        (struct label){arena_strndup(r->arena, line, strcspn(line, ":\n")), r->kernel->count};
}

/* `    /\*0060*\/   LDG.E R6, [R2] ;   /\* 0x... *\/`: the text, or NULL. */
static const char *instruction_text(struct arena *arena, const char *line) {
    const char *at = line + strspn(line, " \t"), *end;
    if (strncmp(at, "/*", 2) != 0 || !isxdigit((unsigned char)at[2]) || !(at = strstr(at, "*/")))
        return NULL;
    at += 2;
    at += strspn(at, " \t");
    end = strchr(at, ';');
    if (!end)
        return NULL;
    if (*at == '@')
        at += strcspn(at, " \t"), at += strspn(at, " \t");
    while (end > at && isspace((unsigned char)end[-1]))
        --end;
    return arena_strndup(arena, at, (size_t)(end - at));
}

/* The encoding behind the text: bits 41 on of the second half. */
static void control_set(struct sass_instruction *instruction, uint64_t high) {
    unsigned bits = (unsigned)(high >> 41);
    instruction->stall = (int)(bits & 15);
    instruction->sets = (int)(bits >> 5 & 7);
    instruction->reads = (int)(bits >> 8 & 7);
    instruction->wait = (int)(bits >> 11 & 63);
}

static void line_read(struct reading *r, const char *line) {
    struct sass_kernel *kernel = r->kernel;
    const char *text, *code = strstr(line, "/* 0x");
    if (line[0] == '.' && line[1] == 'L')
        add_label(r, line);
    if ((text = instruction_text(r->arena, line))) {
        kernel->list =
            longer(r->arena, kernel->list, kernel->count, &r->room, sizeof *kernel->list);
        kernel->list[kernel->count++] =
            (struct sass_instruction){.text = text, .to = -1, .sets = 7, .reads = 7, .stall = 1};
    } else if (code && kernel->count) {
        control_set(&kernel->list[kernel->count - 1], strtoull(code + 5, NULL, 16));
    }
}

static long label_find(const struct reading *r, const char *text) {
    const char *name = strstr(text, "`(");
    size_t length = name ? strcspn(name + 2, ")") : 0;
    for (long i = 0; name && i < r->nlabels; ++i)
        if (strlen(r->labels[i].name) == length &&
            strncmp(r->labels[i].name, name + 2, length) == 0)
            return r->labels[i].at;
    return -1;
}

struct sass_kernel sass_read(struct arena *arena, FILE *in, const char *name) {
    struct sass_kernel kernel = {.name = name};
    struct reading r = {.arena = arena, .kernel = &kernel};
    const char *head = arena_printf(arena, ".text.%s:", name);
    char line[1024];
    bool inside = false;
    while (fgets(line, sizeof line, in)) {
        if (strncmp(line, ".text.", 6) == 0)
            inside = strncmp(line, head, strlen(head)) == 0;
        else if (strncmp(line, ".section", 8) == 0 || strncmp(line, "\t.section", 9) == 0)
            inside = false;
        if (inside)
            line_read(&r, line);
    }
    for (long i = 0; i < kernel.count; ++i)
        if (strncmp(kernel.list[i].text, "BRA", 3) == 0)
            kernel.list[i].to = label_find(&r, kernel.list[i].text);
    return kernel;
}

/* ---- time ------------------------------------------------------------------------------------ */

static bool is(const struct sass_instruction *instruction, const char *operation) {
    size_t length = strlen(operation);
    return strncmp(instruction->text, operation, length) == 0 &&
           !isalnum((unsigned char)instruction->text[length]);
}

static bool loads(const struct sass_instruction *instruction) {
    return is(instruction, "LD") || is(instruction, "LDG");
}

static int latency(const struct cost_device *device, const struct sass_instruction *instruction) {
    if (loads(instruction))
        return device->from_cache;
    if (is(instruction, "LDS"))
        return device->from_shared;
    if (is(instruction, "SHFL"))
        return device->shuffle;
    return device->other;
}

/* A warp that is alone: from instruction to instruction. */
struct warp {
    const struct cost_device *device;
    double now, barrier[6];
};

static void hold(struct warp *warp, int barrier, double until) {
    if (barrier < 6 && warp->barrier[barrier] < until)
        warp->barrier[barrier] = until;
}

static void issue(struct warp *warp, const struct sass_instruction *instruction) {
    for (int b = 0; b < 6; ++b)
        if (instruction->wait >> b & 1 && warp->barrier[b] > warp->now)
            warp->now = warp->barrier[b];
    hold(warp, instruction->sets, warp->now + latency(warp->device, instruction));
    hold(warp, instruction->reads, warp->now + warp->device->other);
    warp->now += instruction->stall > 1 ? instruction->stall : 1;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* Bytes of a lane. */
static double width(const struct sass_instruction *instruction) {
    return strstr(instruction->text, ".128")                                      ? 16
           : strstr(instruction->text, ".64 ")                                    ? 8
           : strstr(instruction->text, ".U8") || strstr(instruction->text, ".S8") ? 1
                                                                                  : 4;
}

static bool inside_another(const struct sass_loop *loops, int count, int self, long at) {
    for (int i = 0; i < count; ++i)
        if (i != self && loops[i].first >= loops[self].first && loops[i].last <= loops[self].last &&
            at >= loops[i].first && at <= loops[i].last)
            return true;
    return false;
}

/* What repeats behind a first time has the barriers of the time before. */
static void loop_run(const struct sass_kernel *kernel, const struct cost_device *device,
                     struct sass_loop *loops, int count, int self) {
    enum { TIMES = 6, LANES = 32 };
    struct sass_loop *loop = &loops[self];
    struct warp warp = {.device = device};
    double before = 0;
    for (int time = 0; time < TIMES; ++time) {
        before = warp.now;
        for (long i = loop->first; i <= loop->last; ++i) {
            const struct sass_instruction *instruction = &kernel->list[i];
            if (!loop->inner && inside_another(loops, count, self, i))
                continue;
            issue(&warp, instruction);
            if (time > 0)
                continue;
            ++loop->instructions;
            if (loads(instruction) || is(instruction, "LDGSTS"))
                loop->loads += width(instruction) * LANES;
            if (is(instruction, "ST") || is(instruction, "STG"))
                loop->stores += width(instruction) * LANES;
        }
    }
    loop->cycles = warp.now - before;
}

int sass_loops(struct arena *arena, const struct sass_kernel *kernel,
               const struct cost_device *device, struct sass_loop **loops) {
    int count = 0;
    struct sass_loop *list = arena_alloc(arena, ((size_t)kernel->count + 1) * sizeof *list);
    for (long i = 0; i < kernel->count; ++i)
        if (kernel->list[i].to >= 0 && kernel->list[i].to <= i &&
            strncmp(kernel->list[i].text, "BRA.DIV", 7) != 0)
            list[count++] = (struct sass_loop){.first = kernel->list[i].to, .last = i};
    for (int i = 0; i < count; ++i) {
        list[i].inner = true;
        for (int j = 0; j < count; ++j)
            if (j != i && list[j].first >= list[i].first && list[j].last <= list[i].last)
                list[i].inner = false;
    }
    for (int i = 0; i < count; ++i)
        loop_run(kernel, device, list, count, i);
    *loops = list;
    return count;
}
