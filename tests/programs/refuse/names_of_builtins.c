/* expect: serial ORR2213 9:44 `popcount(a + i)` */
/* Only with __builtin_ in front of it the name is the compiler's: this one is the user's. */
int popcount(const long *words);

static long a[1000], b[1000];

void count(int n) {
#pragma orrery parallel
    for (int i = 1; i < n; i++) a[i - 1] = popcount(a + i) + b[i];
}
