/* expect: serial ORR2227 9:18 `ticket++` */
/* the order of tickets is the order of iterations */
#include <stdatomic.h>

void number(int *out, atomic_int *ticket_of, long count) {
    atomic_int ticket = *ticket_of;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = ticket++;
}
