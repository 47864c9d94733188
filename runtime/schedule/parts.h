#ifndef ORRERY_RUNTIME_SCHEDULE_PARTS_H
#define ORRERY_RUNTIME_SCHEDULE_PARTS_H
/* ---- numbers of parts ------------------------------------------------------------------------ */

static inline long orrery_clamp(long value, long low, long high) {
    return value > high ? high : value < low ? low : value;
}

/* The least power of two that is not below this; 4096 at the most. */
static inline long orrery_power_of_two(double least) {
    long power = 1;
    while ((double)power < least && power < 4096)
        power *= 2;
    return power;
}

/* Blocks neither tiny nor so large that few workers find work, in a grid of so many dims. */
static inline long orrery_parts_by_count(long count, int ways) {
    double blocks = (double)count / 16384;
    for (long power = 1;; power *= 2) {
        double all = (double)power;
        for (int d = 1; d < ways; ++d)
            all *= (double)power;
        if (all >= blocks || power >= 4096)
            return power;
    }
}

#endif
