/* expect: serial ORR???? 0:0 `for (` */
/* the loop's end stands in memory that the body writes */
struct list {
    long count;
    long value[100];
};

void grow(struct list *list, long *cell) {
#pragma orrery parallel unordered
    for (long n = 0; n < list->count; ++n)
        cell[n] = list->value[n];
}
