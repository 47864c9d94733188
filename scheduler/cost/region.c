/*
 * What a region takes besides its blocks: messages to all ranks, copies of rows, folds, merges.
 */
#include "scheduler/cost/machine.h"

#include <math.h>

/* Seconds until another thread has begun what it is asked for. */
static const double awake = 3e-6;

/* Bytes per second that a thread copies in rows of some hundred bytes. */
const double machine_copy_rate = 6.5e9;

/* What travels is gathered where it was, one behind the other, and put where it belongs. */
static double gathered(const struct machine *machine, double bytes) {
    return machine->without == BANDWIDTH ? 0 : bytes / machine_copy_rate;
}

/* Rounds of a message to, or from, all ranks. */
static double rounds_of(const struct machine *machine) {
    return ceil(log2((double)machine->ranks));
}

static double spread(const struct machine *machine) {
    const struct cost_link *link = machine_link(machine);
    bool nothing = machine->without == LATENCY || machine->ranks < 2;
    return nothing ? 0 : rounds_of(machine) * (link->latency + 2 * link->overhead);
}

/* Seconds of rank 0's processor for so many messages. */
static double handling(const struct machine *machine, double messages) {
    bool nothing = machine->without == LATENCY || machine->ranks < 2;
    return nothing ? 0 : messages * machine_link(machine)->overhead;
}

static double shared_arrays(const struct machine *machine) {
    double count = 0;
    for (int i = 0; i < machine->loop->narrays; ++i)
        count += machine->loop->arrays[i].shared;
    return count;
}

/* The command that starts a region, then one message down a tree per array that ranks share. */
static double starting(const struct machine *machine) {
    double others = (double)machine->ranks - 1;
    double first = handling(machine, others - 1);
    return spread(machine) + first + handling(machine, shared_arrays(machine) * rounds_of(machine));
}

/* The ranks' copies of what is reduced go to rank 0 (what is served stays with its owners), and
 * which rows each has of every array. */
static double fold(struct machine *machine) {
    struct cost_served served;
    double ranks = (double)machine->ranks;
    bool stays = cost_served_on(machine->loop, machine->ranks, &served);
    double bytes = stays ? 0 : machine->loop->copies_bytes * (ranks - 1) / ranks;
    double messages = (ranks - 1) * (machine->loop->folds + shared_arrays(machine));
    if (machine->ranks < 2)
        return 0;
    machine->moved += bytes;
    return spread(machine) + handling(machine, messages) +
           machine_stream(machine, machine->ranks - 1, bytes);
}

/* Messages that bring an array home: one per part that is elsewhere. */
static double parts_away(const struct machine *machine, const struct cost_array *array) {
    const struct cost_loop *loop = machine->loop;
    long columns = loop->columns < loop->nbatons ? loop->columns : loop->nbatons;
    double parts = (double)(array->dim > 0 ? columns : loop->rows);
    return parts * (double)(machine->ranks - 1) / (double)machine->ranks;
}

/*
 * Rank 0 asks, one after the other, for every array that was written and that the program could not
 * be caught reading; rows on the edges of the others come along with what every rank holds.
 */
static double release(struct machine *machine) {
    const struct cost_link *link = machine_link(machine);
    double ranks = (double)machine->ranks, seconds = 0;
    for (int i = 0; machine->ranks > 1 && i < machine->loop->narrays; ++i) {
        const struct cost_array *array = &machine->loop->arrays[i];
        double bytes = array->home * (ranks - 1) / ranks;
        if (!array->written || (!array->shared && bytes <= 0))
            continue;
        if (machine->without != LATENCY && bytes > 0)
            seconds += 2 * link->latency + 2 * link->overhead;
        seconds +=
            handling(machine, bytes > 0 ? ranks - 1 + parts_away(machine, array) : ranks - 1);
        seconds += machine_stream(machine, machine->ranks - 1, bytes);
        seconds += gathered(machine, 2 * bytes);
        machine->moved += bytes;
    }
    return seconds;
}

/* The mean of the largest of n waits without memory, less their mean, in means. */
static double last_of(long n) {
    double sum = 0;
    for (long i = 2; i <= n; ++i)
        sum += 1 / (double)i;
    return sum;
}

/* Workers that have as much to do are not done at the same time, and wait for each other at every
 * merge: as long as was measured, less where each has less to do, more for the last of many. */
static double waits_of(const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    if (loop->crowd < 2 || machine->workers < 2 || machine->without == IMBALANCE)
        return 0;
    double share = (double)loop->crowd / (double)machine->workers / machine->cluster->speed;
    return loop->merge_waits * share * last_of(machine->workers) / last_of(loop->crowd);
}

/* Seconds of a rank's threads for the merges of a pass. What was measured with one and with several
 * threads tells which part of it is divided among them; else all of it is, but for merges that are
 * over before others are awake. */
static double merges_of(const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    double one = loop->merge_seconds, threads = (double)machine->setting.threads;
    double each = loop->merges > 0 ? one / loop->merges : 0, crowd = (double)loop->crowd;
    if (loop->crowd < 2)
        return one / (each < awake ? 1 : threads) * machine->slower +
               (machine->workers > 1 ? loop->merges * awake : 0);
    double divided = (one - loop->merge_crowded) / (1 - 1 / crowd);
    divided = divided > one ? one : divided;
    return (one - divided + divided / (threads < crowd ? threads : crowd)) /
           machine->cluster->speed;
}

static double between(double a, double b, double share) {
    return a + (b - a) * share;
}

bool cost_served_on(const struct cost_loop *loop, long ranks, struct cost_served *served) {
    int at = 0;
    if (loop->nserved == 0 || ranks < 2)
        return false;
    while (at < loop->nserved - 1 && loop->served[at].ranks < (double)ranks)
        ++at;
    *served = loop->served[at];
    if (at && served->ranks > (double)ranks) {
        const struct cost_served *low = &loop->served[at - 1];
        double share = ((double)ranks - low->ranks) / (served->ranks - low->ranks);
        served->moved = between(low->moved, served->moved, share);
        served->rank_bytes = between(low->rank_bytes, served->rank_bytes, share);
        served->chunk_bytes = between(low->chunk_bytes, served->chunk_bytes, share);
    }
    return true;
}

/* Seconds of blocks between two merges. */
static double pause_of(const struct machine *machine) {
    double merges = machine->loop->merges > 0 ? machine->loop->merges : 1;
    return (machine_latest(machine) - machine->begun) / merges;
}

/* The two ways of a merge wait for each other, and each lets through meanwhile what its bucket
 * takes. Seconds of all merges for what goes to rank 0 and what comes back. */
static double there_and_back(const struct machine *machine, double sent, double back, double work) {
    double merges = machine->loop->merges > 0 ? machine->loop->merges : 1;
    double pause = pause_of(machine) + work / merges, there = 0, home = 0;
    for (int round = 0; round < 16; ++round) {
        there = machine_streamed(machine, sent / merges, pause + home);
        home = machine_streamed(machine, back / merges, pause + there);
    }
    return merges * (there + home);
}

/* Two messages to everybody behind each other per merge
 * (docs/served.md, "Cost"); all ranks send at once. */
static double serving(struct machine *machine, const struct cost_served *served) {
    const struct cost_link *link = machine_link(machine);
    double ranks = (double)machine->ranks;
    double seconds = merges_of(machine) / ranks + waits_of(machine);
    double message = link->latency + 2 * (ranks - 1) * link->overhead;
    machine->moved += served->moved;
    double each = machine->loop->merges > 0 ? machine->loop->merges : 1;
    seconds += each * machine_streamed(machine, served->moved / ranks / each, pause_of(machine));
    return seconds + (machine->without == LATENCY ? 0 : 2 * machine->loop->merges * message);
}

/*
 * Relaxed and buffered arrays: ranks send what their rows changed, and get what came of it, but for
 * the last merge: that is rank 0's.
 */
static double merging(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    double ranks = (double)machine->ranks, rounds = rounds_of(machine);
    struct cost_served served;
    if (cost_served_on(loop, machine->ranks, &served))
        return serving(machine, &served);
    double seconds = merges_of(machine) + waits_of(machine);
    double sent = loop->merge_sent * (ranks - 1) / ranks;
    double back = loop->merges > 0 ? loop->merge_back * (loop->merges - 1) / loop->merges : 0;
    seconds += loop->merges * 2 * spread(machine);
    if (machine->ranks > 1)
        seconds += there_and_back(machine, sent, back * rounds, seconds) +
                   gathered(machine, sent / (ranks - 1) + sent + 2 * back);
    machine->moved += machine->ranks > 1 ? sent + back * (ranks - 1) : 0;
    return seconds;
}

/* Several workers of one rank have rows that share cache lines in copies (docs/runtime.md, "Several
 * threads of one rank"); more than a few of them wait for the memory. */
static double copying(const struct machine *machine) {
    double threads = (double)machine->setting.threads;
    if (machine->ranks > 1 || machine->setting.threads < 2 || machine->without == BANDWIDTH)
        return 0;
    threads = threads < 4 ? threads : 4;
    return machine->loop->local_bytes / (machine_copy_rate * threads);
}

/* Rows of arrays that are copied to where they are wanted when all is assigned anew, in bytes. */
static double rows_assigned(const struct cost_loop *loop) {
    double rows = 0;
    for (int i = 0; i < loop->narrays; ++i)
        rows += loop->arrays[i].shared ? loop->arrays[i].bytes : 0;
    return rows;
}

double machine_assignment(const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    double walks = loop->touched ? 3 : 2;
    if (machine->ranks < 2 || loop->anew <= 0)
        return 0;
    return loop->anew * (walks * loop->pack + 2 * rows_assigned(loop) / machine_copy_rate);
}

/* Where iterations are looked at again, rank 0 walks over them for its own records, for those of
 * the others, and for who touches which rows; it sends the others theirs, and copies rows of all
 * arrays to where they are wanted. */
static double assigning(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    double others = (double)(machine->ranks - 1) / (double)machine->ranks;
    double bytes = loop->anew * others * (loop->record_bytes + rows_assigned(loop));
    if (machine->ranks < 2 || loop->anew <= 0)
        return 0;
    machine->moved += bytes;
    return machine_assignment(machine) + machine_stream(machine, 0, bytes);
}

/* What rank 0 has changed meanwhile: rows go to who has them, of what is not cut everybody gets
 * all, one rank from the other. */
static double bringing(struct machine *machine) {
    double others = (double)(machine->ranks - 1), bytes = 0;
    for (int i = 0; i < machine->loop->narrays; ++i) {
        const struct cost_array *array = &machine->loop->arrays[i];
        bool assigned = array->shared && machine->loop->anew > 0;
        double share = assigned ? 0 : array->shared ? others / (double)machine->ranks : 1;
        bytes += array->changed * share;
        machine->moved += array->changed * (array->shared ? share : others);
    }
    return machine->ranks < 2 ? 0
                              : machine_stream(machine, 0, bytes) + gathered(machine, 2 * bytes);
}

double machine_begin(struct machine *machine) {
    return starting(machine) + copying(machine) + assigning(machine) + bringing(machine);
}

double machine_end(struct machine *machine) {
    return fold(machine) + merging(machine) + release(machine);
}
