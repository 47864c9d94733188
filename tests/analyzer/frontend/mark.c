#pragma once
//= f depth 1 at 5:5-6:18: declared i = 0; < n; +1 pragma parallel
void f(int *a, int n) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = 0;
}
