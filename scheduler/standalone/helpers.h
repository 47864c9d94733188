#ifndef ORRERY_SCHEDULER_STANDALONE_HELPERS_H
#define ORRERY_SCHEDULER_STANDALONE_HELPERS_H
#if WITH_PREFETCH
/* Asks for the first lines of a row that a later iteration will write. */
static inline __attribute__((__always_inline__)) void orrery_prefetch(const char *row, long bytes) {
    __builtin_prefetch(row, 1);
    if (bytes > 64)
        __builtin_prefetch(row + 64, 1);
    if (bytes > 128) {
        __builtin_prefetch(row + 128, 1);
        __builtin_prefetch(row + 192, 1);
    }
    if (bytes > 256) {
        __builtin_prefetch(row + 256, 1);
        __builtin_prefetch(row + 320, 1);
        __builtin_prefetch(row + 384, 1);
        __builtin_prefetch(row + 448, 1);
    }
}

#endif
#if WITH_WEIGHTS
/* A loop inside, `each` per iteration. */
static inline long orrery_weight(long low, long high, long step, long each) {
    unsigned long most = 1ul << 30, trips = 0;
    if (high >= low)
        trips = ((unsigned long)high - (unsigned long)low) / (unsigned long)step + 1;
    trips = trips < most ? trips : most;
    return (long)trips * (each < 1024 ? each : 1024);
}

#endif
#if WITH_LEAST
static inline long orrery_at_least(long bytes, long least) {
    return bytes > least ? bytes : least;
}

#endif
#if WITH_BLOCKS
/* Of a loop that was cut into blocks: they run in parallel where that is worth it. */
static int orrery_blocks_begin(const char *site, const char *file, int line, double nanoseconds) {
    (void)site;
    (void)file;
    (void)line;
    return nanoseconds > 50000 && orrery_threads() > 1;
}

static void orrery_blocks_end(int way) {
    (void)way;
}

#endif
ORRERY_WARNINGS_END

#endif
