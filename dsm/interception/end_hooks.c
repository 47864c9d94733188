/*
 * Who sees the program's memory as it is when the program ends: functions for the end, handlers of
 * SIGABRT and of faults, other processes. Destructors are functions for the end, too.
 */
#define _GNU_SOURCE
#include "dsm/base/wrapped.h"
#include "dsm/dsm.h"
#include "dsm/interception/hooks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>

REAL_DECLARE(on_exit);
REAL_DECLARE(shmat);

typedef void function(void);
extern function *const __fini_array_start[] __attribute__((weak, visibility("hidden")));
extern function *const __fini_array_end[] __attribute__((weak, visibility("hidden")));

static atomic_bool seen;

void dsm_end_note_handler(int number, void (*handler)(int)) {
    bool ends = number == SIGABRT || number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                number == SIGILL;
    if (ends && handler != SIG_DFL && handler != SIG_IGN)
        atomic_store(&seen, true);
}

void dsm_end_note_map(int protection, int flags) {
    if (flags & MAP_SHARED && protection & PROT_WRITE)
        atomic_store(&seen, true);
}

/* `atexit` is no name of the shared C library: this is what it calls. */
int __cxa_atexit(void (*run)(void *), void *data, void *library);

int __wrap_atexit(void (*run)(void)) {
    atomic_store(&seen, true);
    return __cxa_atexit((void (*)(void *))run, NULL, NULL);
}

int __wrap_on_exit(void (*run)(int, void *), void *data) {
    atomic_store(&seen, true);
    return REAL(on_exit)(run, data);
}

void *__wrap_shmat(int segment, const void *where, int flags) {
    atomic_store(&seen, true);
    return REAL(shmat)(segment, where, flags);
}

/* The compiler's own is one; in the sanitizer's build each of our objects has one. */
static bool has_destructors(void) {
#ifdef __SANITIZE_ADDRESS__
    return false;
#endif
    return !__fini_array_start || !__fini_array_end || __fini_array_end - __fini_array_start > 1;
}

bool dsm_end_is_seen(void) {
    return dsm_is_guest() || atomic_load(&seen) || has_destructors();
}
