/* What ranks have in memory: the loop's arrays; all of a process, as the kernel counts it. */
#include "scheduler/cost/cost.h"

/* A process of a job before it has any array: the program, its libraries, their buffers. */
static const double alone_bytes = 3e6, among_bytes = 15e6;
/* Pages of parts that have left stay that long, without a budget (docs/dsm-protocol.md, "Part"). */
static const double kept_bytes = 64 << 20;
/* Buffers of a process whose memory is spilled; of what it may have, the share of arrays. */
static const double spill_bytes = 8e6, arrays_share = .75;
/* A place in a table. */
static const double place_bytes = 4;

double cost_memory(const struct cost_loop *loop, const struct cost_setting *setting) {
    double ranks = (double)setting->ranks, bytes = loop->record_bytes / ranks;
    struct cost_served served;
    if (cost_served_on(loop, setting->ranks, &served))
        bytes += served.rank_bytes + ((double)setting->threads + 1) * served.chunk_bytes;
    else
        bytes += loop->copies_bytes / ranks;
    for (int i = 0; i < loop->narrays; ++i) {
        bool parted = loop->arrays[i].parted;
        bytes += parted ? loop->arrays[i].bytes / ranks : loop->arrays[i].bytes;
    }
    return bytes;
}

/* Of each dim the order of its keys, and of each array along it one more; with a budget the places
 * for the longest move. */
static double tables_of(const struct cost_loop *loop, const struct cost_setting *setting) {
    double bytes = 0, longest = 0;
    for (int d = 0; d < COST_DIMS; ++d) {
        double range = loop->ranges[d];
        bytes += range;
        longest = range > longest ? range : longest;
        for (int i = 0; i < loop->narrays; ++i)
            bytes += loop->arrays[i].shared && loop->arrays[i].dim == d ? range : 0;
    }
    return place_bytes * (bytes + (setting->budget > 0 ? longest : 0));
}

/* Parts that come by, and whose pages stay. */
static double passing_of(const struct cost_loop *loop, const struct cost_setting *setting) {
    double bytes = 0;
    for (int i = 0; i < loop->narrays; ++i)
        bytes += loop->arrays[i].shared ? loop->arrays[i].bytes : 0;
    bytes -= bytes / (double)setting->ranks;
    return setting->budget > 0 ? 0 : bytes < kept_bytes ? bytes : kept_bytes;
}

/* What serial code has on rank 0: arrays that are cut stand there once more, and the records as the
 * program has them. */
static double home_of(const struct cost_loop *loop) {
    double bytes = loop->record_bytes;
    for (int i = 0; i < loop->narrays; ++i)
        bytes += loop->arrays[i].parted ? loop->arrays[i].bytes : 0;
    return bytes;
}

/*
 * Spilled (docs/dsm-protocol.md, "Spilled memory"): of what is in files at most `arrays` is here; what
 * is not: the program with its buffers, and what every rank has whole. On rank 0 of several, files and
 * windows have a half each, and beside windows stands a third of them, or the program.
 */
static double cost_spilled(const struct cost_loop *loop, const struct cost_setting *setting,
                           bool first) {
    bool several = setting->ranks > 1, both = several && first;
    double arrays = setting->budget * arrays_share / (both ? 2 : 1), kept = 0, files = 0;
    for (int i = 0; i < loop->narrays; ++i)
        *(loop->arrays[i].parted ? &files : &kept) += loop->arrays[i].bytes;
    files = (files + loop->record_bytes) / (double)setting->ranks + tables_of(loop, setting);
    files += several ? 0 : files;
    double windows = both && home_of(loop) < arrays ? home_of(loop) : both ? arrays : 0;
    double program = several ? among_bytes + spill_bytes : alone_bytes + spill_bytes;
    program = both && program < arrays / 3 ? arrays / 3 : program;
    return program + kept + windows + (files < arrays ? files : arrays);
}

double cost_process(const struct cost_loop *loop, const struct cost_setting *setting, bool first) {
    if (setting->spills)
        return cost_spilled(loop, setting, first);
    double bytes = cost_memory(loop, setting);
    if (setting->ranks == 1)
        return alone_bytes + bytes + loop->record_bytes;
    bytes += among_bytes + tables_of(loop, setting) + passing_of(loop, setting);
    if (first)
        bytes += home_of(loop);
    return first && setting->budget > 0 && bytes > setting->budget ? setting->budget : bytes;
}
