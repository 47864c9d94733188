/* Spilled blocks: a file without a name, cut into stretches that are mapped. */
#define _GNU_SOURCE
#include "dsm/memory/spill.h"

#include "dsm/base/wrapped.h"
#include "dsm/memory/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

REAL_DECLARE(mmap);

struct dsm_spill dsm_spill = {.file = -1};

/* ---- the file -------------------------------------------------------------------------------- */

static int file_open(const char *folder) {
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    char path[sizeof dsm_spill.folder + 16];
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return file;
    snprintf(path, sizeof path, "%s/orrery-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

/* What is in memory anyway keeps no memory free. */
static bool is_in_memory(int file) {
    struct statfs system;
    return fstatfs(file, &system) == 0 &&
           (system.f_type == TMPFS_MAGIC || system.f_type == RAMFS_MAGIC);
}

void dsm_spill_start(const char *folder, size_t budget, bool evict) {
    snprintf(dsm_spill.folder, sizeof dsm_spill.folder, "%s", folder);
    dsm_spill.file = strlen(folder) < sizeof dsm_spill.folder ? file_open(folder) : -1;
    if (dsm_spill.file < 0)
        dsm_fail(1,
                 "cannot make a file in %s, where memory is to be spilled (ORRERY_SPILL): %s "
                 "[ORR9235]",
                 folder, strerror(strlen(folder) < sizeof dsm_spill.folder ? errno : ENAMETOOLONG));
    if (is_in_memory(dsm_spill.file) && !evict)
        dsm_fail(1,
                 "%s is in memory (tmpfs): nothing that is spilled there leaves memory; name a "
                 "folder on a disk (ORRERY_SPILL) [ORR9235]",
                 folder);
    dsm_spill.budget = budget;
    dsm_spill.evict = evict;
    dsm_spill.on = true;
    dsm_spill_keep();
}

/* The file has no less; 0 or an error. */
static int file_reach(off_t end) {
    struct stat status;
    if (fstat(dsm_spill.file, &status) != 0)
        return errno;
    return status.st_size >= end || ftruncate(dsm_spill.file, end) == 0 ? 0 : errno;
}

/*
 * Room on the disk, so that no page is ever without; `sparse`: in the file only. 0 or an error. A
 * limit on files (ulimit -f) would send a signal, too, which is taken back.
 */
static int room_take(off_t offset, size_t bytes, bool sparse) {
    sigset_t limit, before, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    int error = sparse ? file_reach(offset + (off_t)bytes)
                       : posix_fallocate(dsm_spill.file, offset, (off_t)bytes);
    if (error == EFBIG && sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1)
        sigtimedwait(&limit, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* Its bytes are zeros when the stretch is taken again. False: it must not be. */
static bool room_give(off_t offset, size_t bytes) {
    return fallocate(dsm_spill.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset,
                     (off_t)bytes) == 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

#define HUGE_PAGE (2UL << 20)

/* Blocks begin at multiples of a huge page: so the pages that the kernel keeps together, which stand
 * at multiples of theirs, go together. */
static off_t end_of(const struct dsm_spilled *block) {
    return block->offset + (off_t)((block->bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
}

/* The link behind which there is so much room in the file; *offset is where. */
static struct dsm_spilled **gap_find(size_t bytes, off_t *offset) {
    struct dsm_spilled **link = &dsm_spill.first;
    for (*offset = 0; *link; link = &(*link)->next) {
        if ((*link)->offset - *offset >= (off_t)bytes)
            break;
        *offset = end_of(*link);
    }
    return link;
}

static void *zeros(size_t bytes) {
    return memset(dsm_own_alloc(bytes), 0, bytes);
}

static struct dsm_spilled *block_new(size_t bytes) {
    struct dsm_spilled *block = dsm_own_alloc(sizeof *block);
    *block = (struct dsm_spilled){.bytes = bytes};
    block->count = (long)((bytes + dsm_spill.chunk - 1) / dsm_spill.chunk);
    block->chunks = zeros((size_t)block->count * sizeof *block->chunks);
    block->wanted = zeros(bytes / DSM_PAGE);
    for (long c = 0; c < block->count; ++c)
        block->chunks[c].block = block;
    return block;
}

static void block_delete(struct dsm_spilled *block) {
    dsm_own_free(block->chunks);
    dsm_own_free(block->wanted);
    dsm_own_free(block);
}

/* Unreadable pages, aligned; what is around them is given back. NULL: no address space. */
static char *space_take(size_t bytes, size_t alignment) {
    size_t room = bytes + (alignment > DSM_PAGE ? alignment : 0);
    char *raw =
        REAL(mmap)(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED)
        return NULL;
    char *base = (char *)(((uintptr_t)raw + alignment - 1) & ~(uintptr_t)(alignment - 1));
    if (base > raw)
        dsm_clib_unmap(raw, (size_t)(base - raw));
    if (raw + room > base + bytes)
        dsm_clib_unmap(base + bytes, (size_t)(raw + room - base) - bytes);
    return base;
}

static bool block_map(struct dsm_spilled *block, char *place, size_t alignment) {
    block->base = place ? place : space_take(block->bytes, alignment);
    if (!block->base)
        return false;
    memset(block->wanted, place && block->sparse ? PROT_NONE : PROT_READ | PROT_WRITE,
           block->bytes / DSM_PAGE);
    void *there = REAL(mmap)(block->base, block->bytes, PROT_NONE, MAP_SHARED | MAP_FIXED,
                             dsm_spill.file, block->offset);
    if (there == MAP_FAILED) {
        if (!place)
            dsm_clib_unmap(block->base, block->bytes);
        return false;
    }
    dsm_clib_advise(block->base, block->bytes, MADV_DONTFORK);
    dsm_clib_advise(block->base, block->bytes, MADV_DONTDUMP);
    return true;
}

static _Noreturn void disk_is_full(size_t bytes, int error) {
    const struct dsm_context *context = dsm_context_get();
    dsm_fail(1,
             "%s%sno room for a block of %zu bytes in %s, where memory is spilled (ORRERY_SPILL): "
             "%s [ORR9236]",
             context->where ? context->where : "", context->where ? ": " : "", bytes,
             dsm_spill.folder, strerror(error));
}

/* At `place` in the reservation, or where there is address space. NULL: there is none. */
static char *block_take(size_t bytes, size_t alignment, bool sparse, char *place) {
    struct dsm_spilled *block = block_new(dsm_page_up(bytes));
    block->reserved = place != NULL;
    block->sparse = sparse;
    dsm_spill_lock();
    struct dsm_spilled **link = gap_find(block->bytes, &block->offset);
    int error = room_take(block->offset, block->bytes, sparse);
    bool mapped = !error && block_map(block, place, alignment > DSM_PAGE ? alignment : DSM_PAGE);
    if (mapped) {
        block->next = *link;
        *link = block;
    }
    dsm_spill_unlock();
    if (error)
        disk_is_full(block->bytes, error);
    char *base = mapped ? block->base : NULL;
    if (!mapped)
        block_delete(block);
    return base;
}

void *dsm_spill_alloc(size_t bytes, size_t alignment) {
    if (!dsm_spill.on || bytes < DSM_SPILL_LEAST || bytes > SIZE_MAX / 2 || dsm_forked())
        return NULL;
    return block_take(bytes, alignment, false, NULL);
}

char *dsm_spill_sparse(size_t bytes) {
    return block_take(bytes, DSM_PAGE, true, NULL);
}

void dsm_spill_block_at(char *base, size_t bytes) {
    if (!block_take(bytes, DSM_PAGE, false, base))
        dsm_fail(DSM_STATUS_ERROR, "cannot map %zu bytes of the file of spilled memory", bytes);
}

void dsm_spill_view(char *view, size_t bytes) {
    if (dsm_spill.on && bytes > 0 && !block_take(bytes, DSM_PAGE, true, view))
        dsm_fail(DSM_STATUS_ERROR, "cannot map %zu bytes of the file of spilled memory", bytes);
}

struct dsm_spilled *dsm_spill_block(const void *address) {
    for (struct dsm_spilled *block = dsm_spill.first; block; block = block->next)
        if (block->base && (uintptr_t)address - (uintptr_t)block->base < block->bytes)
            return block;
    return NULL;
}

bool dsm_spill_has(const void *address) {
    if (!dsm_spill.on)
        return false;
    dsm_spill_lock();
    bool has = dsm_spill_block(address) != NULL;
    dsm_spill_unlock();
    return has;
}

static void block_unmap(struct dsm_spilled *block) {
    if (!block->reserved)
        dsm_clib_unmap(block->base, block->bytes);
    else if (!dsm_clib_map_over(block->base, block->bytes))
        dsm_fail(DSM_STATUS_ERROR, "cannot give back %zu bytes of spilled memory", block->bytes);
    dsm_spill_forget(block);
}

/* A stretch that cannot be made zeros keeps its place in the file. */
static void block_end(struct dsm_spilled *block) {
    struct dsm_spilled **link = &dsm_spill.first;
    while (*link != block)
        link = &(*link)->next;
    block_unmap(block);
    bool given = dsm_forked() || room_give(block->offset, block->bytes);
    block->base = NULL;
    if (given) {
        *link = block->next;
        block_delete(block);
    }
}

bool dsm_spill_free(void *memory) {
    if (!dsm_spill.on || ((uintptr_t)memory & (DSM_PAGE - 1)) != 0)
        return false;
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(memory);
    while (block && block->base == memory && block->busy && !dsm_forked()) {
        dsm_spill_unlock();
        sched_yield();
        dsm_spill_lock();
    }
    bool ours = block && block->base == memory;
    if (ours)
        block_end(block);
    dsm_spill_unlock();
    return ours;
}

off_t dsm_spill_offset(const char *address) {
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(address);
    off_t offset = block ? block->offset + (address - block->base) : -1;
    dsm_spill_unlock();
    return offset;
}

void dsm_spill_take(const char *low, size_t bytes) {
    off_t offset = dsm_spill.on && bytes > 0 ? dsm_spill_offset(low) : -1;
    int error = offset < 0 ? 0 : room_take(offset, bytes, false);
    if (error)
        disk_is_full(bytes, error);
}

/* Where a file can have no holes the bytes are written as zeros. */
void dsm_spill_give(char *low, size_t bytes) {
    off_t offset = dsm_spill_offset(low);
    if (bytes == 0)
        return;
    dsm_clib_advise(low, bytes, MADV_DONTNEED);
    if (offset >= 0 && !room_give(offset, bytes) && dsm_memory_has(low, low + bytes, PROT_WRITE))
        memset(low, 0, bytes);
}

void *dsm_spill_map(size_t bytes) {
    return dsm_spill_alloc(bytes, DSM_PAGE);
}

bool dsm_spill_unmap(void *memory) {
    return dsm_spill_free(memory);
}

size_t dsm_spill_budget(void) {
    return dsm_spill.on ? dsm_spill.budget : 0;
}

size_t dsm_spill_bytes(void) {
    size_t bytes = 0;
    dsm_spill_lock();
    for (struct dsm_spilled *block = dsm_spill.first; block; block = block->next)
        bytes += block->base ? block->bytes : 0;
    dsm_spill_unlock();
    return bytes;
}

bool dsm_is_spilled(const void *address) {
    return dsm_spill_has(address);
}

static dsm_spill_name *name_of;

void dsm_spill_named_by(dsm_spill_name *name) {
    name_of = name;
}

void dsm_spill_fault(const char *address, bool lost) {
    const struct dsm_context *context = dsm_context_get();
    size_t at = 0, bytes = 0;
    dsm_spill_lock();
    struct dsm_spilled *block = dsm_spill_block(address);
    if (block) {
        at = (size_t)(address - block->base);
        bytes = block->bytes;
    }
    dsm_spill_unlock();
    if (!block)
        return;
    char name[128] = "";
    if (name_of)
        name_of(address, name, sizeof name);
    dsm_fail(DSM_STATUS_FAULT,
             lost
                 ? "%s%s%sbyte %zu of a spilled block of %zu bytes cannot be read from its file in "
                   "%s [ORR9236]"
                 : "%s%s%sbyte %zu of a block of %zu bytes is not in this child of the program: "
                   "memory that is spilled to %s is not copied by fork [ORR9237]",
             context->where ? context->where : "", context->where ? ": " : "", name, at, bytes,
             dsm_spill.folder);
}
