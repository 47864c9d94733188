/* expect: serial ORR2101 8:25 `best.gain` */
/* says: best is carried from one iteration to another */
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
