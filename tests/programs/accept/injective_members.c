/* expect: parallel independent ordered
 * carried: none
 * guard: member from start[c] to before start[c + 1], as when start is monotone
 */
void mark(const int *start, const int *member, int *label, int n) {
#pragma orrery parallel assume(injective(member))
    for (int c = 0; c < n; ++c)
        for (int m = start[c]; m < start[c + 1]; ++m)
            label[member[m]] = c;
}
