/* expect: serial ORR2203 7:18 `++calls` */
/* a static variable inside the body */
void number(int *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        static int calls;
        out[n] = ++calls;
    }
}
