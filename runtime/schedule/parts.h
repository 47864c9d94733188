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

/* Of blocks with so many positions: so high that a grid has about as many rows as columns. */
static inline long orrery_square_height(long positions, long count, long length) {
    long high = 1;
    while ((double)(high + 1) * (double)(high + 1) * (double)length <=
           (double)positions * (double)count)
        ++high;
    return high;
}

/*
 * Rows of a wavefront over `count` iterations with `length` positions, `widest` of one iteration at
 * most, and the width of its columns: as somebody asks for (`said`: rows, columns; 0: nobody does),
 * else blocks of about `height` iterations by `width` positions, as long as workers find enough: in
 * 48 rows, or, of fewer iterations, in as many rows as columns.
 */
static inline void orrery_parts_wave(long count, long length, long widest, long height, long width,
                                     const long said[2], long *rows, long *columns_width) {
    long enough = count < 48
                      ? orrery_square_height(orrery_clamp(height * width, 1, 256), count, length)
                      : count / 48 + 1;
    long high = orrery_clamp(height, 1, enough);
    long least = orrery_clamp(height * width, 1, 256) / high;
    long most = orrery_clamp(widest / 16, least > 1 ? least : 1, length);
    *columns_width = said[1] ? (length + said[1] - 1) / said[1]
                             : orrery_clamp(width, least > 1 ? least : 1, most);
    *rows = orrery_clamp(said[0] ? said[0] : count / high, 1, count < 4096 ? count : 4096);
}

/*
 * Ranges of iterations of a pipeline with these stages (nanoseconds of an iteration), whose slots
 * take so many bytes: as somebody asks for (0: nobody does), else blocks long enough to be worth
 * handing on, 40 us of the slowest stage, whose slots stay in the cache.
 */
static inline long orrery_parts_pipe(long count, int stages, const double *costs, long slot_size,
                                     long said) {
    double slowest = 1;
    for (int s = 0; s < stages; ++s)
        slowest = costs[s] > slowest ? costs[s] : slowest;
    long by_bytes = (256 << 10) / (8L * stages * slot_size) + 1;
    long by_time = (long)(40000 / slowest) + 1, by_count = count / (32L * stages) + 1;
    long most = by_bytes < 256 ? by_bytes : 256;
    most = by_count < most ? by_count : most;
    most = by_time < most ? by_time : most;
    long ranges = said ? said : (count + most - 1) / most;
    return orrery_clamp(ranges, 1, count < 1 ? 1 : count < 65536 ? count : 65536);
}

#endif
