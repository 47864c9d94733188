/*
 * What one process writes for `orrery verify --accesses`: a text file of its own in the folder
 * ORRERY_ACCESSES, and the tables of the objects that it ran, each once, under a name made of what
 * it holds.
 *
 *   module BEGIN END BIAS PATH            where a program or library lies
 *   unit TABLE                            the loops that follow are of this table, in its order
 *   loop N INSTANCES ITERATIONS MET TICKS TOUCHES DROPPED TOLD FAILED
 *   conflict N KIND VARIABLE SOURCE SINK BLOCK SIZE SITE
 *   vector DISTANCE COUNT ADDRESS FROM TO KEYS    of the conflict above
 *   total TICKS TOUCHES
 *   signal N                              the signal that ended the process
 *
 * A handler of a signal writes it, too: no stream and no memory of the heap.
 */
#define _GNU_SOURCE
#include "runtime/accesses/marks.h"
#include "runtime/accesses/watch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

enum { UNITS = 16384 };

struct unit {
    const char *table;
    struct watch_loop *loops;
    unsigned count;
};

static struct unit units[UNITS];
static int nunits;
static uint64_t began;

void __orrery_accesses_unit(const char *table, void *marks, unsigned count) {
    if (began == 0)
        began = __rdtsc();
    if (nunits < UNITS)
        units[nunits++] = (struct unit){table, marks, count};
}

static uint64_t hash(const char *text) {
    uint64_t h = 14695981039346656037u;
    for (; *text; ++text)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* A file that is written under another name until it is whole. */
static struct file {
    int descriptor;
    bool failed;
    size_t used;
    char name[4096], part[4128], bytes[1 << 15];
} out;

static bool file_open(void) {
    snprintf(out.part, sizeof out.part, "%s.%ld", out.name, (long)getpid());
    out.descriptor = open(out.part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    out.failed = out.descriptor < 0;
    out.used = 0;
    return !out.failed;
}

static void file_flush(void) {
    for (size_t at = 0; at < out.used && !out.failed;) {
        ssize_t wrote = syscall(SYS_write, out.descriptor, out.bytes + at, out.used - at);
        out.failed = wrote <= 0;
        at += wrote > 0 ? (size_t)wrote : 0;
    }
    out.used = 0;
}

static void file_close(void) {
    file_flush();
    if (close(out.descriptor) == 0 && !out.failed)
        rename(out.part, out.name);
}

static void put(const char *text, size_t bytes) {
    for (size_t at = 0; at < bytes; ++at) {
        if (out.used == sizeof out.bytes)
            file_flush();
        out.bytes[out.used++] = text[at];
    }
}

static void __attribute__((format(printf, 1, 2))) print(const char *format, ...) {
    char line[4352];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    out.failed |= length < 0 || length >= (int)sizeof line;
    if (!out.failed)
        put(line, (size_t)length);
}

/* The table's file, unless an earlier process has written it. */
static void write_table(const char *folder, const char *table) {
    snprintf(out.name, sizeof out.name, "%s/%016" PRIx64 ".table", folder, hash(table));
    if (access(out.name, R_OK) == 0 || !file_open())
        return;
    put(table, strlen(table));
    file_close();
}

static int write_module(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    char own[4096] = "";
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD)
            continue;
        begin = part->p_vaddr < begin ? part->p_vaddr : begin;
        end = part->p_vaddr + part->p_memsz > end ? part->p_vaddr + part->p_memsz : end;
    }
    const char *path = info->dlpi_name;
    ssize_t length = path[0] ? -1 : readlink("/proc/self/exe", own, sizeof own - 1);
    if (length > 0)
        path = own;
    (void)data;
    print("module %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %s\n", begin + info->dlpi_addr,
          end + info->dlpi_addr, (uintptr_t)info->dlpi_addr, path);
    return 0;
}

static void write_vectors(const struct conflict *conflict) {
    for (int i = 0; i < conflict->nvectors; ++i) {
        const struct conflict_vector *v = &conflict->vectors[i];
        if (v->count == 0)
            continue;
        print("vector %" PRId64 " %" PRIu64 " %" PRIxPTR " %" PRId64 " %" PRId64 " %" PRIx32 "\n",
              v->distance, v->count, v->at, v->iterations[0], v->iterations[1], v->keys);
    }
}

/* A signal may have come before its first conflict was counted. */
static bool is_counted(const struct conflict *conflict) {
    for (int i = 0; i < conflict->nvectors; ++i)
        if (conflict->vectors[i].count > 0)
            return true;
    return false;
}

static void write_conflicts(const struct unit *unit) {
    const struct conflict *c;
    for (size_t i = 0; (c = conflict_at(i)); ++i) {
        if (c->loop < unit->loops || c->loop >= unit->loops + unit->count || !is_counted(c))
            continue;
        print("conflict %td %d %d %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %zu %" PRIxPTR "\n",
              c->loop - unit->loops, c->kind, c->variable, site_address(c->source),
              site_address(c->sink), c->block, c->block_size,
              c->block ? site_address(c->block_site) : 0);
        write_vectors(c);
    }
}

static void write_unit(const struct unit *unit) {
    print("unit %016" PRIx64 "\n", hash(unit->table));
    for (unsigned i = 0; i < unit->count; ++i) {
        const struct watch_loop *loop = &unit->loops[i];
        if (loop->instances)
            print("loop %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                  " %" PRIu64 " %" PRIu64 "\n",
                  i, loop->instances, loop->iterations, loop->met, loop->ticks, loop->touches,
                  loop->dropped, loop->told, loop->failed);
    }
    write_conflicts(unit);
}

/* A copy of this library to which no object said what it holds is not the one in use. */
void report_write(int signal) {
    const char *folder = getenv("ORRERY_ACCESSES");
    if (!watch.wanted || nunits == 0 || !folder || !*folder)
        return;
    uint64_t ticks = __rdtsc() - began;
    watch.wanted = false;
    watch.on = false;
    watch.reach = 0;
    for (int i = 0; i < nunits; ++i)
        write_table(folder, units[i].table);
    snprintf(out.name, sizeof out.name, "%s/%ld-%" PRIx64 ".run", folder, (long)getpid(), began);
    if (!file_open())
        return;
    dl_iterate_phdr(write_module, NULL);
    print("total %" PRIu64 " %" PRIu64 "%s\n", ticks, watch.touches,
          watch.now >= WATCH_LAST_TIME ? " incomplete" : "");
    if (signal)
        print("signal %d\n", signal);
    for (int i = 0; i < nunits; ++i)
        write_unit(&units[i]);
    file_close();
}
