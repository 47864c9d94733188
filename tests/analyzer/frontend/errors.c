//! errors.c:6:18: error: use of undeclared identifier 'y' [ORR9001]
//!     int x = 1 + (y
//! errors.c:8:31: error: unknown clause 'unordred'; did you mean 'unordered'? [ORR9102]
//!                               ^~~~~~~~
void f(int *a, int n) {
    int x = 1 + (y * 2);
    a[0] = x;
      #pragma orrery parallel unordred
    for (int i = 0; i < n; i++) a[i] = 0;
}
