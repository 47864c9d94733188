/* expect: serial ORR2104 9:20 `s[i - 1].high` */
/* the neighbour's other bit-field shares no bit with what the iteration writes, but its bytes */
struct flags {
    unsigned low : 4, high : 4;
};
void pass(struct flags *s, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i) {
        s[i].low = s[i - 1].high;
    }
}
