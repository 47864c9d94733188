/* expect: parallel independent ordered
 * carried: none
 */
void copy(int *restrict to, const int *restrict from, unsigned n) {
#pragma orrery parallel
    do
        *to++ = *from++;
    while (--n);
}
