/*
 * Loops that nobody marked run serially or in parallel, whichever was faster where it was timed.
 * Both ways give the same bits, so the clock may decide.
 */
#ifndef ORRERY_RUNTIME_TRIAL_H
#define ORRERY_RUNTIME_TRIAL_H

#include "runtime/orrery_run.h"

enum trial_way { TRIAL_SERIAL, TRIAL_PARALLEL };

/* Executions of that way are timed (SERIAL, PARALLEL); one way was chosen (SETTLED); a few executions
 * of the other look whether that is still right (LOOK). */
enum trial_phase { TRIAL_NEW, TRIAL_TRY_SERIAL, TRIAL_TRY_PARALLEL, TRIAL_SETTLED, TRIAL_LOOK };

/* What is known of a loop's executions of about one size. Sets and reads: trial.c alone. */
struct trial_class {
    enum trial_phase phase; /* what the next execution is for */
    enum trial_way way;     /* of the next execution */
    enum trial_way chosen;  /* while SETTLED and LOOK */
    int left;               /* timed executions until the phase ends */
    int warmed;             /* parallel ones that followed because they took less and less */
    double look;            /* seconds per nanosecond of work that the last look took */
    double best[2];         /* seconds per nanosecond of estimated work; 0: not timed yet */
    double decided;         /* best[chosen] when it was chosen */
    double mean;            /* of what the chosen way takes, slower to change than best[chosen] */
    long counted;           /* executions in `mean` */
    double spent;           /* seconds of the chosen way since the last look */
    long until, interval;   /* timed executions until the next look, and between looks */
    long runs[2];           /* timed executions of each way */
    int threads;            /* that the parallel way has; 0: not known */
};

/* The way of the next execution. `work`: nanoseconds that the compile side expects it to take
 * serially, above 0. */
enum trial_way trial_choose(struct trial_class *class, double work);

/* The execution that trial_choose was asked for took so many seconds. */
void trial_record(struct trial_class *class, double work, double seconds);

/* Executions that may run serially untimed, so that looking at the clock costs less than 0.5 %. */
long trial_skips(const struct trial_class *class, double work);

/* Those may have so much work: `work`, or more where that is far too little to gain. */
double trial_skip_work(const struct trial_class *class, double work);

/* Of marked loops, which run in parallel untimed until then: an execution with that work may have
 * been no gain. Those of that size are on trial from here on. */
void trial_doubt(struct orrery_loop *loop, double work);

/* NULL: executions of that size have not been doubted, or were chosen to run in parallel. */
struct trial_class *trial_of_doubted(struct orrery_loop *loop, double work);

/* ORRERY_STATS: what was chosen, on stderr. */
void orrery_trials_print(void);

#endif
