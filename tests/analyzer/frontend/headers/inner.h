static inline void inner(int *a, int n) { (void)n;   for (int i = 0; i < LENGTH; ++i) { a[i] += i; } }
