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
 */
#define _GNU_SOURCE
#include "runtime/accesses/marks.h"
#include "runtime/accesses/watch.h"

#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* The table's file, unless an earlier process has written it. */
static void write_table(const char *folder, const char *table) {
    char name[4096], part[4128];
    snprintf(name, sizeof name, "%s/%016" PRIx64 ".table", folder, hash(table));
    if (access(name, R_OK) == 0)
        return;
    snprintf(part, sizeof part, "%s.%ld", name, (long)getpid());
    FILE *out = fopen(part, "w");
    if (!out)
        return;
    fputs(table, out);
    if (fclose(out) == 0)
        rename(part, name);
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
    fprintf(data, "module %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %s\n", begin + info->dlpi_addr,
            end + info->dlpi_addr, (uintptr_t)info->dlpi_addr, path);
    return 0;
}

static void write_vectors(FILE *out, const struct conflict *conflict) {
    for (int i = 0; i < conflict->nvectors; ++i) {
        const struct conflict_vector *v = &conflict->vectors[i];
        fprintf(out,
                "vector %" PRId64 " %" PRIu64 " %" PRIxPTR " %" PRId64 " %" PRId64 " %" PRIx32 "\n",
                v->distance, v->count, v->at, v->iterations[0], v->iterations[1], v->keys);
    }
}

static void write_conflicts(FILE *out, const struct unit *unit) {
    const struct conflict *c;
    for (size_t i = 0; (c = conflict_at(i)); ++i) {
        if (c->loop < unit->loops || c->loop >= unit->loops + unit->count)
            continue;
        fprintf(out, "conflict %td %d %d %" PRIxPTR " %" PRIxPTR " %" PRIxPTR " %zu %" PRIxPTR "\n",
                c->loop - unit->loops, c->kind, c->variable, site_address(c->source),
                site_address(c->sink), c->block, c->block_size,
                c->block ? site_address(c->block_site) : 0);
        write_vectors(out, c);
    }
}

static void write_unit(FILE *out, const struct unit *unit) {
    fprintf(out, "unit %016" PRIx64 "\n", hash(unit->table));
    for (unsigned i = 0; i < unit->count; ++i) {
        const struct watch_loop *loop = &unit->loops[i];
        if (loop->instances)
            fprintf(out,
                    "loop %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                    " %" PRIu64 " %" PRIu64 "\n",
                    i, loop->instances, loop->iterations, loop->met, loop->ticks, loop->touches,
                    loop->dropped, loop->told, loop->failed);
    }
    write_conflicts(out, unit);
}

/* A copy of this library to which no object said what it holds is not the one in use. */
void report_write(void) {
    const char *folder = getenv("ORRERY_ACCESSES");
    char name[4096], part[4128];
    if (!watch.wanted || nunits == 0 || !folder || !*folder)
        return;
    uint64_t ticks = __rdtsc() - began;
    watch.wanted = false;
    watch_suspend();
    snprintf(name, sizeof name, "%s/%ld-%" PRIx64 ".run", folder, (long)getpid(), began);
    snprintf(part, sizeof part, "%s.part", name);
    FILE *out = fopen(part, "w");
    if (!out)
        return;
    dl_iterate_phdr(write_module, out);
    fprintf(out, "total %" PRIu64 " %" PRIu64 "%s\n", ticks, watch.touches,
            watch.now >= WATCH_LAST_TIME ? " incomplete" : "");
    for (int i = 0; i < nunits; ++i) {
        write_table(folder, units[i].table);
        write_unit(out, &units[i]);
    }
    if (fclose(out) == 0)
        rename(part, name);
}
