/* expect: serial ORR???? 0:0 `parent[n] =` */
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
