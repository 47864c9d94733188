/* Which loops are followed: their iterations' steps are recorded, expected, and learned anew. */
#include "runtime/accesses/follow.h"

/* Loops that gain little are not tried for so many times, doubled with each failure. */
enum { PATTERNS = 64, WORTH = 8, PAUSE = 32, MOST_FAILURES = 20, NEXT_TRY = 16 };

/* What is known of a loop. */
struct pattern {
    const struct watch_loop *loop;
    bool ready, twins;
    int nsteps, failures;
    uint32_t until; /* it is not tried before */
    struct follow_step steps[FOLLOW_STEPS + 1];
};

static struct pattern patterns[PATTERNS];
static struct pattern *current;
static uintptr_t lists[FOLLOW_STEPS][FOLLOW_ROUNDS];
static struct follow_step nothing;
static uint64_t gained;               /* iterations since following began */
static struct follow_step **expected; /* follow_next of the thread that is watched */

struct follow follow;
__thread struct follow_step *follow_next __attribute__((tls_model("initial-exec"))) = &nothing;

static struct pattern *pattern_of(const struct watch_loop *loop) {
    struct pattern *pattern = &patterns[(uintptr_t)loop / sizeof *loop % PATTERNS];
    if (pattern->loop != loop) {
        pattern->loop = loop;
        pattern->ready = false;
        pattern->failures = 0;
        pattern->until = 0;
    }
    return pattern;
}

static void fail(struct pattern *pattern) {
    pattern->ready = false;
    pattern->until = watch.now + ((uint32_t)PAUSE << pattern->failures);
    pattern->failures += pattern->failures < MOST_FAILURES;
}

/* ---- recording ------------------------------------------------------------------------------- */

void follow_record(uintptr_t at, size_t size, uintptr_t pc, bool write) {
    struct pattern *pattern = current;
    int n = pattern->nsteps;
    if (n == FOLLOW_STEPS) {
        follow_stop();
        return;
    }
    uint32_t site = site_of(pc);
    for (int i = 0; i < n; ++i)
        pattern->twins |= pattern->steps[i].site == site && pattern->steps[i].write == write;
    pattern->steps[n] = (struct follow_step){.pc = pc,
                                             .next = at,
                                             .list = lists[n],
                                             .site = site,
                                             .size = (uint32_t)size,
                                             .write = write};
    ++pattern->nsteps;
}

/* Each access has to ask. */
static void start_recording(struct pattern *pattern) {
    current = pattern;
    pattern->nsteps = 0;
    pattern->twins = false;
    watch.recording = true;
    watch.reach = 0;
}

static void end_recording(struct watch_level *level, struct pattern *pattern) {
    watch.recording = false;
    watch_resume();
    if (pattern->nsteps == 0) {
        fail(pattern);
        return;
    }
    pattern->ready = true;
    pattern->steps[pattern->nsteps] =
        (struct follow_step){.pc = FOLLOW_MARK, .next = (uintptr_t)level->loop};
}

/* ---- following ------------------------------------------------------------------------------- */

/* The first round is the iteration that has just begun. */
static void begin_rounds(void) {
    follow.rounds = 0;
    follow.count = follow.level->count;
    follow.start = follow.span->iteration;
    follow.previous = follow.span->previous;
}

static void start(struct watch_level *level, struct pattern *pattern) {
    current = pattern;
    gained = 0;
    follow.level = level;
    follow.span = watch.span;
    follow.steps = pattern->steps;
    follow.nsteps = pattern->nsteps;
    follow.twins = pattern->twins;
    begin_rounds();
    for (int i = 0; i < pattern->nsteps; ++i)
        pattern->steps[i].first = pattern->steps[i].next;
    expected = &follow_next;
    follow_next = pattern->steps;
    watch.following = true;
    watch.reach = 0;
}

/* From the second round on it has no stride. */
static void make_list(struct follow_step *step) {
    for (int i = 0; i < follow.rounds; ++i)
        step->list[i] = step->first + (uintptr_t)step->stride * (uintptr_t)i;
    step->listed = true;
}

bool follow_learns(uintptr_t at, size_t size, uintptr_t pc, bool write) {
    struct follow_step *step = follow_next;
    if (step->pc != pc || step->size != size || step->write != write)
        return false;
    if (follow.rounds > 1 && !step->listed)
        make_list(step);
    if (follow.rounds == 0)
        step->first = at;
    else if (!step->listed)
        step->stride = (intptr_t)(at - step->first);
    if (step->listed)
        step->list[follow.rounds] = at;
    step->next = step->listed ? FOLLOW_NOWHERE : at + (uintptr_t)step->stride;
    follow_next = step + 1;
    return true;
}

static void note(void) {
    gained += (uint64_t)follow.rounds;
    watch.following = false;
    columns_note((int)(*expected - follow.steps));
}

/* Times come to an end: then nothing is followed any more. */
static bool has_time(void) {
    return watch.now < WATCH_LAST_TIME - 2 * FOLLOW_ROUNDS;
}

void follow_renew(void) {
    note();
    if (!has_time()) {
        follow_next = &nothing;
        watch_resume();
        return;
    }
    begin_rounds();
    for (int i = 0; i < follow.nsteps; ++i)
        follow.steps[i].first = follow.steps[i].next;
    watch.following = true;
}

void follow_finish(void) {
    if (watch.recording) {
        watch.recording = false;
        fail(current);
    } else {
        note();
        *expected = &nothing;
        if (gained < WORTH)
            fail(current);
        else
            current->failures = 0;
        follow.level->try_at = follow.level->count + 1;
    }
}

void follow_stop(void) {
    follow_finish();
    watch_resume();
}

void follow_drop(void) {
    follow_next = &nothing;
    watch.following = watch.recording = false;
}

void follow_try(struct watch_level *level) {
    struct pattern *pattern = pattern_of(level->loop);
    if (watch.recording)
        end_recording(level, pattern);
    level->try_at = level->count + 1;
    if (watch.now < pattern->until || !has_time() || watch.reach == 0)
        level->try_at = level->count + NEXT_TRY;
    else if (pattern->ready)
        start(level, pattern);
    else
        start_recording(pattern);
}
