//= f depth 1 at 4:5-5:18: declared i = 0; < n; +1 pragma parallel unordered
void f(int *a, int n) {
    #pragma orrery parallel unordered
    for (int i = 0; i < n; ++i)
        a[i] = 0;
}
