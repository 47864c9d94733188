/* ORR2301 */
#include "in_header.h"
void f(float *x, long n) {
    scale(x, n);
}
