/* expect: serial ORR2205 12:9 `p->count++` */
/* nothing is known about where the pointer points */
struct item {
    struct item *parent;
    int count;
};

void climb(struct item *items, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        struct item *p = items[n].parent->parent;
        p->count++;
    }
}
