/*
 * The page fault as the net under everything: SIGSEGV and SIGBUS (docs/dsm-protocol.md, "Faults").
 * SIGFPE and SIGILL: a loop's iteration may be left by them.
 */
#define _GNU_SOURCE
#include "dsm/interception/fault.h"

#include "dsm/arrays/guard.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>

/* A write, in the error code of an x86-64 page fault (Intel SDM, volume 3, 4.7). */
#define PAGE_FAULT_WRITE 2

static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct {
    struct sigaction before[NUMBERS];         /* what gets the faults that are not ours */
    atomic_bool ours;                         /* our handler is there */
    atomic_bool chained;                      /* the program has set one since */
    void (*_Atomic leave)(int signal_number); /* may leave what the thread is at; NULL: none */
} faults;

/* NULL: the signal is none of a fault. */
static struct sigaction *before(int signal_number) {
    for (int i = 0; i < NUMBERS; ++i)
        if (numbers[i] == signal_number)
            return &faults.before[i];
    return NULL;
}

static void hand_on(int signal_number) {
    dsm_clib_sigaction(signal_number, before(signal_number), NULL);
}

/* A handler that resumes the program leaves ours in place: it is called, not installed. */
static bool call_program(int signal_number, siginfo_t *info, void *context) {
    const struct sigaction next = *before(signal_number);
    if (!atomic_load(&faults.chained))
        return false;
    if (next.sa_flags & SA_RESETHAND)
        *before(signal_number) = (struct sigaction){.sa_handler = SIG_DFL};
    if (next.sa_flags & SA_SIGINFO) {
        next.sa_sigaction(signal_number, info, context);
        return true;
    }
    if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN) {
        next.sa_handler(signal_number);
        return true;
    }
    return false;
}

/* Another thread may have made the page accessible since the fault. Twice the same is no chance. */
static bool settled_meanwhile(const char *address, bool write) {
    static _Thread_local const char *last;
    static _Thread_local int again;
    again = address == last ? again + 1 : 0;
    last = address;
    const char *page = (const char *)dsm_page_down((uintptr_t)address);
    return again < 1000 &&
           dsm_memory_has(page, page + DSM_PAGE, write ? PROT_READ | PROT_WRITE : PROT_READ);
}

static void on_fault(int signal_number, siginfo_t *info, void *context) {
    int error = errno;
    const ucontext_t *machine = context;
    const char *address = info->si_addr;
    bool write = (machine->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0;
    bool by_kernel = info->si_code == SEGV_ACCERR || info->si_code == SEGV_MAPERR;
    if (signal_number == SIGSEGV && by_kernel) {
        if (dsm_spill_touch(address, write)) {
            errno = error;
            return;
        }
        if (dsm_window_fault(address, write) || dsm_lazy_fault(address) ||
            dsm_home_fault(address, write) || (write && dsm_watch_fault(address))) {
            atomic_fetch_add_explicit(&dsm_job.figures.faults, 1, memory_order_relaxed);
            errno = error;
            return;
        }
        dsm_array_fault(address, write);
        if (settled_meanwhile(address, write)) {
            errno = error;
            return;
        }
        if (dsm_in_heap(address) && dsm_world.rank > 0) {
            dsm_fault_report(address, write,
                             "memory of rank 0 that this rank has no copy of: the loop reaches it "
                             "in a way that the plan does not know");
        }
    }
    void (*leave)(int) = atomic_load(&faults.leave);
    if (leave && !dsm_forked())
        leave(signal_number);
    if (signal_number == SIGBUS || dsm_forked())
        dsm_spill_fault(address, signal_number == SIGBUS);
    if (call_program(signal_number, info, context))
        return;
    hand_on(signal_number);
    if (info->si_code <= 0)
        raise(signal_number);
    errno = error;
}

void dsm_fault_start(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < NUMBERS; ++i)
        dsm_clib_sigaction(numbers[i], &action, &faults.before[i]);
    atomic_store(&faults.ours, true);
}

void dsm_fault_leave(void (*leave)(int signal_number)) {
    atomic_store(&faults.leave, leave);
}

bool dsm_fault_chain(int number, const struct sigaction *action, struct sigaction *was) {
    struct sigaction *slot = before(number);
    if (!slot || !atomic_load(&faults.ours))
        return false;
    if (was)
        *was = *slot;
    if (action) {
        *slot = *action;
        atomic_store(&faults.chained, true);
    }
    return true;
}
