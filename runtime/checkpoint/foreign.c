#define _GNU_SOURCE
#include "runtime/checkpoint/foreign.h"

#include "runtime/checkpoint/stack.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The C library's heap would begin behind the program's static data, at addresses that look like
 * small integers (5,000,000, or two 16-bit ones). A page that may not be touched keeps it from
 * growing there (brk(2)), and malloc takes its memory by mmap, at addresses that look like nothing
 * else. Before anything is allocated, hence from .preinit_array.
 */
static void heap_move(int argc, char **argv, char **environment) {
    static const char name[] = "ORRERY_CHECKPOINT=";
    uintptr_t end = ((uintptr_t)sbrk(0) + 4095) & ~(uintptr_t)4095;
    (void)argc, (void)argv;
    for (; *environment; ++environment)
        if (strncmp(*environment, name, sizeof name - 1) == 0)
            syscall(SYS_mmap, end, 4096UL, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0UL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = heap_move;

static void range_add(struct orrery_foreign *foreign, uintptr_t low, uintptr_t high) {
    struct dsm_range *last = foreign->count ? &foreign->ranges[foreign->count - 1] : NULL;
    if (last && (uintptr_t)last->high == low) {
        last->high = (const char *)high; // NOLINT(performance-no-int-to-ptr)
        return;
    }
    foreign->ranges =
        dsm_own_realloc(foreign->ranges, (size_t)(foreign->count + 1) * sizeof *foreign->ranges);
    foreign->ranges[foreign->count++] =
        (struct dsm_range){(const char *)low, (const char *)high}; // NOLINT
}

static bool is_within(uintptr_t low, struct dsm_range range) {
    return low >= (uintptr_t)range.low && low < (uintptr_t)range.high;
}

/* Pages of the kernel's half ([vsyscall]) have the addresses of small negative numbers. */
#define KERNEL (1ul << 47)

/* A line of /proc/self/maps (proc_pid_maps(5)). */
static void line_read(struct orrery_foreign *foreign, const char *line, const char *program) {
    unsigned long low, high;
    char rights[8];
    int at = 0;
    if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %n", &low, &high, rights, &at) < 3 ||
        strncmp(rights, "---", 3) == 0 || low >= KERNEL)
        return;
    const char *path = at ? line + at : "";
    struct dsm_range statics = dsm_static_range();
    bool ours = (*program && strcmp(path, program) == 0) || is_within(low, dsm_heap_range()) ||
                is_within(low, orrery_stack_range()) || is_within(low, statics) ||
                (low < (uintptr_t)statics.high && high > (uintptr_t)statics.low);
    if (!ours)
        range_add(foreign, low, high);
}

/* Programs and their first heap are low, libraries and the process's stack high. */
static void window_widen(struct orrery_foreign *foreign, struct dsm_range range) {
    int w = (uintptr_t)range.low >= (uintptr_t)dsm_heap_range().low;
    uintptr_t low = (uintptr_t)range.low, high = (uintptr_t)range.high;
    bool first = foreign->high[w] == 0;
    foreign->low[w] = first || low < foreign->low[w] ? low : foreign->low[w];
    foreign->high[w] = high > foreign->high[w] ? high : foreign->high[w];
}

void orrery_foreign_read(struct orrery_foreign *foreign, const char *frame) {
    char line[4600], program[4096] = "";
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    *foreign = (struct orrery_foreign){.inner = {orrery_stack_range().low, frame}};
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps)
        dsm_fail(1, "checkpoint: cannot read /proc/self/maps");
    while (fgets(line, sizeof line, maps)) {
        line[strcspn(line, "\n")] = '\0';
        line_read(foreign, line, program);
    }
    fclose(maps);
    window_widen(foreign, foreign->inner);
    for (long i = 0; i < foreign->count; ++i)
        window_widen(foreign, foreign->ranges[i]);
}

void orrery_foreign_name(struct orrery_foreign *foreign, const void *address, size_t bytes) {
    const char *low = address;
    if (!is_within((uintptr_t)low, foreign->inner))
        return;
    foreign->named =
        dsm_own_realloc(foreign->named, (size_t)(foreign->nnamed + 1) * sizeof *foreign->named);
    foreign->named[foreign->nnamed++] = (struct dsm_range){low, low + bytes + 1};
}

void orrery_foreign_free(struct orrery_foreign *foreign) {
    dsm_own_free(foreign->ranges);
    dsm_own_free(foreign->named);
    *foreign = (struct orrery_foreign){0};
}

bool orrery_foreign_search(const struct orrery_foreign *foreign, uintptr_t word) {
    if (is_within(word, foreign->inner)) {
        for (long i = 0; i < foreign->nnamed; ++i)
            if (is_within(word, foreign->named[i]))
                return false;
        return true;
    }
    long low = 0, high = foreign->count;
    while (low < high) {
        long middle = (low + high) / 2;
        if ((uintptr_t)foreign->ranges[middle].low <= word)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && word < (uintptr_t)foreign->ranges[low - 1].high && !dsm_own_table(word);
}
