/* expect: serial ORR2201 8:25 `best.gain` */
/* says: best carries a value from one iteration to the next */
struct split { double gain, cost; };
double pick(const struct split *s, long count) {
    struct split best = {-1, 1e9};
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        if (s[n].gain > best.gain) best = s[n];
        if (s[n].cost < best.cost) best = s[n];
    }
    return best.gain + best.cost;
}
