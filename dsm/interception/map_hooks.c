/*
 * Mappings and fault handlers of the program's own. Mappings go into the registry; what changes
 * them marks watches. A handler for SIGSEGV or SIGBUS gets the faults that are not ours.
 */
#define _GNU_SOURCE
#include "dsm/interception/hooks.h"

#include "dsm/arrays/guard.h"
#include "dsm/base/wrapped.h"
#include "dsm/interception/fault.h"
#include "dsm/memory/spill.h"

#include <signal.h>
#include <sys/mman.h>

REAL_DECLARE(mmap);
REAL_DECLARE(mmap64);
REAL_DECLARE(munmap);
REAL_DECLARE(mremap);
REAL_DECLARE(madvise);
REAL_DECLARE(sigaction);
REAL_DECLARE(signal);
REAL_DECLARE(__sysv_signal);

/* What a file is mapped by changes with the file: by another mapping of it, by pwrite. That is so
 * of private mappings, too, page by page until the page is written here. */
static enum dsm_block_kind kind_of(int protection, int flags) {
    if (flags & MAP_SHARED || !(flags & MAP_ANONYMOUS))
        return DSM_BLOCK_SHARED;
    return protection & PROT_WRITE ? DSM_BLOCK_MAPPED : DSM_BLOCK_CONSTANT;
}

/* What was there is gone, what is there now is the program's. */
static void *mapped(void *memory, size_t bytes, enum dsm_block_kind kind, bool writable) {
    if (memory != MAP_FAILED) {
        dsm_guard_new(memory, bytes);
        dsm_registry_map(memory, bytes, kind);
        if (writable)
            dsm_foreign_map(memory);
    }
    return memory;
}

void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset) {
    if (flags & MAP_FIXED)
        dsm_guard_free(address, bytes);
    dsm_end_note_map(protection, flags);
    return mapped(REAL(mmap)(address, bytes, protection, flags, file, offset), bytes,
                  kind_of(protection, flags), protection & PROT_WRITE);
}

void *__wrap_mmap64(void *address, size_t bytes, int protection, int flags, int file,
                    off64_t offset) {
    return __wrap_mmap(address, bytes, protection, flags, file, offset);
}

int __wrap_munmap(void *address, size_t bytes) {
    dsm_guard_free(address, bytes);
    dsm_registry_unmap(address, bytes);
    dsm_foreign_unmap(address);
    return REAL(munmap)(address, bytes);
}

void *__wrap_mremap(void *old, size_t had, size_t bytes, int flags, void *where) {
    struct dsm_block block;
    bool known = dsm_block_find(old, &block);
    dsm_guard_move(old, had);
    if (flags & MREMAP_FIXED)
        dsm_guard_free(where, bytes);
    void *memory = REAL(mremap)(old, had, bytes, flags, where);
    if (memory != MAP_FAILED) {
        dsm_registry_unmap(old, had);
        dsm_foreign_unmap(old);
    }
    return mapped(memory, bytes, known ? block.kind : DSM_BLOCK_SHARED,
                  !known || block.kind != DSM_BLOCK_CONSTANT);
}

int __wrap_mprotect(void *address, size_t bytes, int protection) {
    struct dsm_block block;
    dsm_guard_move(address, bytes);
    if (!dsm_in_heap(address))
        dsm_end_note_map(protection,
                         dsm_block_find(address, &block) && block.kind != DSM_BLOCK_SHARED
                             ? MAP_PRIVATE
                             : MAP_SHARED);
    int result = dsm_spill_protect(address, (char *)address + bytes, protection) ? 0 : -1;
    if (result == 0 && protection & PROT_WRITE && !dsm_in_heap(address))
        dsm_foreign_map(address);
    if (result == 0 && dsm_registry_find(address, &block) && block.kind != DSM_BLOCK_LIBRARY) {
        dsm_registry_unmap(block.base, block.bytes);
        if (protection & PROT_WRITE) {
            dsm_registry_map(address, bytes,
                             block.kind == DSM_BLOCK_MAPPED ? DSM_BLOCK_MAPPED : DSM_BLOCK_SHARED);
        }
    }
    return result;
}

/* Some advice drops what the pages hold. */
int __wrap_madvise(void *address, size_t bytes, int advice) {
    if (advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == MADV_FREE)
        dsm_guard_move(address, bytes);
    return REAL(madvise)(address, bytes, advice);
}

int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before) {
    if (action)
        dsm_end_note_handler(number, action->sa_handler);
    if (dsm_fault_chain(number, action, before))
        return 0;
    return REAL(sigaction)(number, action, before);
}

__sighandler_t __wrap_signal(int number, __sighandler_t handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;
    dsm_end_note_handler(number, handler);
    if (dsm_fault_chain(number, &action, &before))
        return before.sa_handler;
    return REAL(signal)(number, handler);
}

/* What `signal` is where the C standard alone is asked for (-std=c11). */
__sighandler_t __wrap___sysv_signal(int number, __sighandler_t handler) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESETHAND | SA_NODEFER};
    struct sigaction before;
    dsm_end_note_handler(number, handler);
    if (dsm_fault_chain(number, &action, &before))
        return before.sa_handler;
    return REAL(__sysv_signal)(number, handler);
}
