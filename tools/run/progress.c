#include "tools/run/progress.h"

#include <stdio.h>
#include <string.h>

/*
 * Seconds. HANG: a rank that does not run, while another waits for it. NOTE: one that computes is
 * named when it has computed so long, and three times as long as the longest step that any rank has
 * made. ALL: all wait for each other, and are named; ALL_END: and the job ends (a message of 1 GiB
 * is one step). END: behind the end of the program there is nothing to compute, OWN_END: but the
 * statistics of rank 0; TOGETHER: all are in MPI_Finalize.
 */
enum { HANG = 3, NOTE = 5, ALL = 10, ALL_END = 300, END = 15, OWN_END = 60, TOGETHER = 30 };

/* A rank waits when it has asked for a message so often since it last advanced, and lately. */
enum { ASKED = 8, LATELY = 2 };

static double ran(const struct watched *watched) {
    return 1e-9 * (double)(watched->last.work - watched->step_work);
}

void progress_take(struct watched *watched, const struct orrery_heartbeat *heartbeat, double now) {
    const struct orrery_heartbeat *last = &watched->last;
    if (heartbeat->asked != last->asked)
        watched->asked = now;
    if (heartbeat->steps == last->steps && heartbeat->phase == last->phase && watched->since > 0)
        return;
    if (watched->since > 0 && last->asked == watched->step_asked && ran(watched) > watched->longest)
        watched->longest = ran(watched);
    watched->stepped = now;
    watched->step_work = heartbeat->work;
    watched->step_asked = heartbeat->asked;
    watched->said = 0;
}

static bool is_up(const struct watched *watched) {
    return watched->since > 0 && watched->last.phase != ORRERY_PHASE_OVER &&
           watched->last.phase != ORRERY_PHASE_START;
}

static bool waits(const struct watched *watched, double now) {
    const struct orrery_heartbeat *last = &watched->last;
    return is_up(watched) && (last->waits_for == ORRERY_WAITS_FOR_ALL ||
                              (last->running == 0 && last->asked > watched->step_asked + ASKED &&
                               now - watched->asked < LATELY));
}

/* Has another rank waited for so long? */
static bool is_waited_for(const struct heartbeats *heartbeats, int rank, double now, double limit) {
    for (int other = 0; other < heartbeats->ranks; ++other) {
        const struct watched *watched = &heartbeats->watched[other];
        if (other != rank && waits(watched, now) && now - watched->stepped > limit)
            return true;
    }
    return false;
}

/* Rank 0 may take as long as it likes in the program's own code, and for the disk; a rank that a
 * debugger has is in good hands. */
static bool is_legal(const struct watched *watched) {
    uint32_t phase = watched->last.phase;
    bool own = watched->last.rank == 0 &&
               (phase == ORRERY_PHASE_SERIAL || phase == ORRERY_PHASE_CHECKPOINT ||
                phase == ORRERY_PHASE_STANDBY);
    return own || watched->last.traced || !is_up(watched);
}

/* Does every rank wait? Since when the last one does. */
static bool all_wait(const struct heartbeats *heartbeats, double now, bool *ends, double *since) {
    *ends = true;
    *since = 0;
    for (int rank = 0; rank < heartbeats->ranks; ++rank) {
        const struct watched *watched = &heartbeats->watched[rank];
        if (!waits(watched, now) || watched->last.traced)
            return false;
        *ends &= watched->last.waits_for == ORRERY_WAITS_FOR_ALL;
        *since = watched->stepped > *since ? watched->stepped : *since;
    }
    return heartbeats->ranks > 1;
}

static double limit_of(const struct heartbeats *heartbeats, const struct watched *watched) {
    bool end = watched->last.phase == ORRERY_PHASE_END && ran(watched) > NOTE;
    double limit = end ? watched->last.rank ? END : OWN_END : 1e30;
    return heartbeats->patience > 0 && heartbeats->patience < limit ? heartbeats->patience : limit;
}

enum heartbeat_loss progress_loss(const struct heartbeats *heartbeats, int rank, double now,
                                  double *seconds) {
    const struct watched *watched = &heartbeats->watched[rank];
    bool ends;
    double since;
    if (rank == 0 && all_wait(heartbeats, now, &ends, &since)) {
        double limit = ends ? TOGETHER : heartbeats->patience > 0 ? heartbeats->patience : ALL_END;
        *seconds = now - since;
        return *seconds > limit ? HEARTBEAT_CIRCLE : HEARTBEAT_NO_LOSS;
    }
    *seconds = now - watched->stepped;
    if (is_legal(watched) || waits(watched, now) || !is_waited_for(heartbeats, rank, now, HANG))
        return HEARTBEAT_NO_LOSS;
    if (*seconds > HANG && now - watched->worked > HANG && now - watched->since < LATELY) {
        *seconds = HANG;
        return HEARTBEAT_HANGS;
    }
    return *seconds > limit_of(heartbeats, watched) ? HEARTBEAT_STUCK : HEARTBEAT_NO_LOSS;
}

/* ---- who is named ---------------------------------------------------------------------------- */

/* "rank 0 waits for it", or "ranks 0, 2 wait for it". */
static void progress_waiters(const struct heartbeats *heartbeats, int rank, double now, char *text,
                             size_t size) {
    enum { NAMES = 4 };
    int count = 0;
    size_t used = 0;
    char names[128] = "";
    for (int other = 0; other < heartbeats->ranks; ++other)
        if (other != rank && waits(&heartbeats->watched[other], now) && ++count <= NAMES)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%d",
                                     count > 1 ? ", " : "", other);
    snprintf(text, size, "rank%s %s%s wait%s for it", count > 1 ? "s" : "", names,
             count > NAMES ? " and others" : "", count > 1 ? "" : "s");
}

void progress_circle(const struct heartbeats *heartbeats, char *text, size_t size) {
    enum { NAMES = 8 };
    size_t used = 0;
    text[0] = '\0';
    for (int rank = 0; rank < heartbeats->ranks && rank < NAMES && used + 40 < size; ++rank) {
        int peer = heartbeats->watched[rank].last.waits_for;
        used +=
            (size_t)snprintf(text + used, size - used, "%srank %d for ", rank ? ", " : "", rank);
        used += (size_t)(peer < 0 ? snprintf(text + used, size - used, "all")
                                  : snprintf(text + used, size - used, "rank %d", peer));
    }
}

static double longest(const struct heartbeats *heartbeats) {
    double most = 0;
    for (int rank = 0; rank < heartbeats->ranks; ++rank)
        most = heartbeats->watched[rank].longest > most ? heartbeats->watched[rank].longest : most;
    return most;
}

static bool computes_long(const struct heartbeats *heartbeats, int rank, double now) {
    const struct watched *watched = &heartbeats->watched[rank];
    double least = 3 * longest(heartbeats);
    least = least > NOTE ? least : NOTE;
    least = least > watched->said ? least : watched->said;
    return !is_legal(watched) && !waits(watched, now) && ran(watched) > least &&
           is_waited_for(heartbeats, rank, now, NOTE);
}

static void say_computes(const struct heartbeats *heartbeats, int rank, double now, char *text,
                         size_t size) {
    char who[600], waiters[200];
    heartbeats_describe(heartbeats, rank, who, sizeof who);
    progress_waiters(heartbeats, rank, now, waiters, sizeof waiters);
    snprintf(text, size, "%s: it has computed for %.0f s without advancing, and %s", who,
             now - heartbeats->watched[rank].stepped, waiters);
}

bool progress_note(struct heartbeats *heartbeats, double now, char *text, size_t size) {
    bool ends;
    double since;
    for (int rank = 0; rank < heartbeats->ranks; ++rank)
        if (computes_long(heartbeats, rank, now)) {
            heartbeats->watched[rank].said = 2 * ran(&heartbeats->watched[rank]);
            say_computes(heartbeats, rank, now, text, size);
            return true;
        }
    if (!all_wait(heartbeats, now, &ends, &since) || now - since < ALL ||
        now - since < heartbeats->watched[0].said)
        return false;
    char who[600];
    heartbeats->watched[0].said = 2 * (now - since);
    progress_circle(heartbeats, who, sizeof who);
    snprintf(text, size, "all ranks have waited for %.0f s: %s", now - since, who);
    return true;
}
