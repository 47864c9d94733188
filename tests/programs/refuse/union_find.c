/* expect: serial ORR2105 7:16 `parent[x]` */
/* links are followed while they are changed */
void compress(int *parent, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        int x = parent[n];
        while (parent[x] != x)
            x = parent[x];
        parent[n] = x;
    }
}
