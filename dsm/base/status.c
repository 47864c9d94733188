/* How something ended that may fail. */
#include "dsm/base/base.h"

#include <stdarg.h>
#include <stdio.h>

bool dsm_status_fail(struct dsm_status *status, const char *format, ...) {
    va_list arguments;
    if (!status->failed) {
        va_start(arguments, format);
        vsnprintf(status->why, sizeof status->why, format, arguments);
        va_end(arguments);
    }
    status->failed = true;
    return false;
}
