/* expect: serial ORR3131 5:35 `relax(average : count)` */
/* says: has whole numbers, which a merge can only add */
/* fix: write `relax(add : count)` */
void f(int *count, const int *of, long n) {
#pragma orrery parallel unordered relax(average : count)
    for (long i = 0; i < n; ++i)
        count[of[i]] += count[of[n - 1 - i]] > 3 ? 1 : 2;
}
