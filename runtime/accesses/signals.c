/* Signals that end the process: what was seen until then is written first. */
#include "runtime/accesses/watch.h"

#include <signal.h>
#include <unistd.h>

static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGILL,  SIGABRT,
                           SIGBUS, SIGFPE, SIGSEGV, SIGTERM, SIGXCPU};

/* A stack that is full has no room for the handler. */
static char stack[1 << 18];

/* By what the watched thread's own code did: nothing of the watch is half done. */
static bool is_own(int signal, const siginfo_t *info) {
    return watch_mine && (info->si_code > 0 || (signal == SIGABRT && info->si_pid == getpid()));
}

/* The handler is gone already: the signal that is raised here ends the process afterwards. */
static void end(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (is_own(signal, info))
        watch_leave(UINTPTR_MAX);
    else if (watch.wanted)
        watch_cut();
    report_write(signal);
    raise(signal);
}

void signals_watch(void) {
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction before,
        action = {.sa_sigaction = end, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigfillset(&action.sa_mask);
    sigaltstack(&own, NULL);
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; ++i)
        if (sigaction(ends[i], NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
            before.sa_handler == SIG_DFL)
            sigaction(ends[i], &action, NULL);
}
