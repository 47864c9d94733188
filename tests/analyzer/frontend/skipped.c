//args: -DUSED=1
//= f depth 1 at 11:5-12:18: declared i = 0; < n; +1 pragma parallel grid(2, 2)
void f(int *a, int n) {
#if !USED
    #pragma orrery bogus
    for (int i = 0; i < n; ++i)
        a[i] = 0;
#endif
    // #pragma orrery bogus
    #pragma orrery parallel grid(2, 2)
    for (int i = 0; i < n; ++i)
        a[i] = 1;
}
