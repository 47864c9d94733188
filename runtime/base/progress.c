#include "runtime/base/progress.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Touched by worker 0 only. */
static struct {
    bool wanted, asked, shown;
    const char *where;
    unsigned long pass;
    long done, blocks;
    double begin, last;
} line;

static const double interval = 0.5;

static bool wanted(void) {
    if (!line.asked) {
        int mode = orrery_env()->progress;
        line.wanted = mode == ORRERY_SWITCH_ON || (mode == ORRERY_SWITCH_AUTO && isatty(2));
        line.asked = true;
    }
    return line.wanted;
}

void orrery_progress_start(const char *where, unsigned long pass, long blocks) {
    if (!wanted())
        return;
    line.where = where;
    line.pass = pass;
    line.done = 0;
    line.blocks = blocks > 0 ? blocks : 1;
    line.begin = line.last = orrery_clock();
}

/* A pass may visit a block more often than it was planned to: the end is not said before it. */
static void print(double now) {
    long done = line.done < line.blocks ? line.done : line.blocks;
    double left = (now - line.begin) * (double)(line.blocks - done) / (double)done;
    fprintf(stderr, "\rorrery: %s pass %lu %3ld %%, %.0f s left \033[K", line.where, line.pass,
            100 * done / line.blocks, left);
    fflush(stderr);
}

void orrery_progress_block(int worker) {
    if (worker != 0 || !line.wanted)
        return;
    ++line.done;
    double now = orrery_clock();
    if (now - line.last < interval)
        return;
    line.last = now;
    line.shown = true;
    print(now);
}

void orrery_progress_end(void) {
    if (!line.shown)
        return;
    line.shown = false;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
