/* expect: serial ORR2219 8:19 `localtime(` */
/* the library returns a buffer of its own */
#include <time.h>

void hours(const time_t *stamp, int *hour, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        hour[n] = localtime(&stamp[n])->tm_hour;
}
