/*
 * `orrery tune`: a program over a grid of values, losers stopped early.
 *
 *   options --axes--> candidates --rounds--> runs --journal--> scores --table--> best command
 *
 * Successive halving: every candidate runs on the first rung; the better part goes on to the next,
 * which is a larger budget (`--rungs`), or more repetitions where seconds are the score.
 */
#ifndef ORRERY_TOOLS_TUNE_TUNE_H
#define ORRERY_TOOLS_TUNE_TUNE_H

#include "tools/base/arglist.h"
#include "tools/run/launch.h"

#include <stdbool.h>

/* What the values of an axis are for. SET: `{name}` in the program's arguments. */
enum tune_axis_kind { TUNE_SET, TUNE_THREADS, TUNE_RANKS, TUNE_GRID };

struct tune_axis {
    enum tune_axis_kind kind;
    const char *name;
    struct arg_list values;
};

/*
 * One point of the grid. `values`: one per axis. `rung`: the last that it finished, -1: none.
 * `score`: of that rung, the smaller the better (a maximum is negated); `seconds`: its shortest
 * run. `failed`: why it is out, NULL: it is not.
 */
struct tune_candidate {
    const char **values;
    int rung;
    double score, seconds;
    const char *failed;
};

struct tune {
    struct arena *arena;     /* of candidates and runs */
    int naxes;               /* of `axes` */
    struct tune_axis *axes;  /* placeholders of the command line, each with the values to try */
    struct tune_axis budget; /* placeholder of the rungs and their values, empty: repetitions */
    int ncandidates;         /* of `candidates` */
    struct tune_candidate *candidates; /* a value for each axis */
    /* `score`: text in front of the number in the program's output, NULL: seconds count */
    const char *score, *state, *folder;
    /* larger scores are better; the report is JSON; runs are not named as they start */
    bool maximize, json, quiet;
    long halve, jobs, timeout; /* `halve`: one of how many goes on */
    struct arg_list program;   /* its command line, with the placeholders */
};

/* One run: a candidate on a rung. `key` names it in the journal. */
struct tune_run {
    struct tune_candidate *candidate; /* what is run */
    int rung, status;         /* the budget's place; the program's exit status, where `done` */
    const char *key, *output; /* its name in the journal; the file of what it printed */
    double seconds, score;    /* how long it took, and what it printed of its quality */
    bool done;                /* it has ended */
};

/*
 * Looks for the best candidate and prints the table. requires: axes, options and the program's
 * command line; sets the rest. An exit status: 1: every one failed, or a message was printed.
 */
int tune_run(struct tune *tune);

/* ---- grid.c */

/* All combinations of the axes' values. 0, or -1 when there are too many. */
int tune_expand(struct tune *tune);

/* The program's arguments, ranks and threads of a candidate on a rung; its ORRERY_GRID, or NULL. */
struct launch tune_launch(const struct tune *tune, const struct tune_candidate *candidate,
                          int rung);
const char *tune_grid(const struct tune *tune, const struct tune_candidate *candidate);

/* The same as a line for the shell. */
const char *tune_command(const struct tune *tune, const struct tune_candidate *candidate, int rung);

/* A placeholder that no axis has, or an axis that no argument names; NULL: all fit. */
const char *tune_misfit(const struct tune *tune, const char **name);

/* ---- pool.c ---------------------------------------------------------------------------------- */
/* Runs all that are not done, `jobs` at a time; `ended` is told of each as it ends. Starts no more
 * once that has returned another value than 0, which is returned. A signal that asks for the end
 * (INT, TERM, HUP) ends all runs: -1, and tune_interrupted is its number, else 0. */
typedef int tune_ended(const struct tune *tune, struct tune_run *run);
int tune_pool(struct tune *tune, int nruns, struct tune_run *runs, tune_ended *ended);
int tune_interrupted(void);

/* ---- score.c: the last number behind `text` in a file; false: there is none */
bool tune_score(const char *path, const char *text, double *score);

/* ---- journal.c ------------------------------------------------------------------------------- */
/* What earlier calls measured; 0, or -1 after a message. Opening looks whether it can be written,
 * and takes away a last line that was cut short. */
int tune_journal_open(const struct tune *tune);
int tune_journal_read(const struct tune *tune, int nruns, struct tune_run *runs);
int tune_journal_add(const struct tune *tune, const struct tune_run *run);

/* ---- rounds.c: all rungs; the candidates end up in the order of the table, the best in front */
int tune_rounds(struct tune *tune);
int tune_rungs(const struct tune *tune);

/* ---- table.c */

/* The text as JSON can hold it: where it is no UTF-8, a character for each byte. */
const char *tune_utf8(struct arena *arena, const char *text);

void tune_print_text(const struct tune *tune);
void tune_print_json(const struct tune *tune);

#endif
