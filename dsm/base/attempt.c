/* Work that may turn out not to be possible, and is left then as if it had not begun. */
#include "dsm/base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

/* One attempt of a thread. */
struct attempt {
    jmp_buf back;
    struct dsm_status *status; /* why it was left */
};

static _Thread_local struct attempt *under_way;

bool dsm_attempt(void (*work)(void *data), void *data, struct dsm_status *status) {
    struct attempt *volatile before = under_way;
    struct attempt attempt = {.status = status};
    status->failed = false;
    if (_setjmp(attempt.back)) {
        under_way = before;
        return false;
    }
    under_way = &attempt;
    work(data);
    under_way = before;
    return true;
}

bool dsm_attempting(void) {
    return under_way != NULL;
}

void dsm_attempt_commit(void) {
    under_way = NULL;
}

void *dsm_attempt_pause(void) {
    struct attempt *paused = under_way;
    under_way = NULL;
    return paused;
}

void dsm_attempt_resume(void *paused) {
    under_way = paused;
}

void dsm_refuse(int status, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!under_way)
        dsm_fail(status, "%s", text);
    dsm_status_fail(under_way->status, "%s", text);
    _longjmp(under_way->back, 1);
}
