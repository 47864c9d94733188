//args: -Iheaders -DLENGTH=7
//= dot depth 1 at 3:5-4:26 inexact: declared i = 0; < n; +1
//= inner depth 1 at 1:54-1:101 inexact: declared i = 0; < 7; +1
//= f depth 1 at 10:23-11:34: declared i = 0; < n; +1 pragma parallel
//? function static dot(const float *a, const float *b, int n) -> float
#include "header.h"
#include <inner.h>
#include <orrery_user.h>
void f(float *a, int n) {
    ORRERY_PARALLEL() for (int i = 0; i < n; ++i)
        a[i] = dot(a, a, LENGTH);
}
