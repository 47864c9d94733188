/* expect: parallel independent ordered
 * carried: none
 */
void mark(unsigned char *sieve, int p, int n) {
#pragma orrery parallel
    for (int i = 2 * p; i < n; i += p)
        sieve[i] = 1;
}
