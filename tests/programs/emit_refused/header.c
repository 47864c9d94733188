/* ORR2301 */
/* says: for itself it is parallel (independent) [ORR2301] */
#include "in_header.h"
void f(float *x, long n) {
    scale(x, n);
}
