/*
 * `orrery verify --accesses`: what runs of watched programs wrote, held against what their objects
 * claim (docs/accesses.md).
 *
 *   folder --accesses_read--> loops with conflicts --accesses_judge--> answers --print
 */
#ifndef ORRERY_TOOLS_VERIFY_ACCESSES_H
#define ORRERY_TOOLS_VERIFY_ACCESSES_H

#include "analyzer/analyzer.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- accesses_elf.c: programs and their debug information ------------------------------------ */

struct elf;

/* NULL: the file cannot be read, or is no 64-bit ELF file. */
struct elf *elf_open(struct arena *arena, const char *path);

/* A place of the text; `file` NULL: not known. */
struct text_place {
    const char *file;
    int line, column;
};
struct text_place elf_place(const struct elf *elf, uint64_t address);

/* The variable that holds an address, "" for none; `offset`: bytes from its begin. */
const char *elf_variable(const struct elf *elf, uint64_t address, uint64_t *offset);

/* ---- accesses_read.c ------------------------------------------------------------------------- */

/* As in runtime/accesses/watch.h. */
enum met_kind { MET_FLOW, MET_ANTI, MET_ANTI_OWN, MET_OUTPUT };

/*
 * CLAIMED: the verdict says so. GUARDED: a check of the run may refuse it. UNPLACED: it is not
 * known which object it is. HARMLESS (serial loops): private, or a sum.
 */
enum excuse { EXCUSE_NONE, EXCUSE_CLAIMED, EXCUSE_GUARDED, EXCUSE_UNPLACED, EXCUSE_HARMLESS };

/* What the verdict says of the object or variable; MOVED: in equal steps. */
enum met_role {
    ROLE_NONE,
    ROLE_KEPT,
    ROLE_REDUCTION,
    ROLE_RELAXED,
    ROLE_MOVED,
    ROLE_PRIVATE,
    ROLE_GUARDED
};

/* How many iterations lay between those that met, 0: more than were kept, or one of many; how their
 * keys compare, as in runtime/accesses/watch.h. */
struct met_vector {
    int64_t distance;
    uint64_t count;
    uint32_t keys;
    int64_t iterations[2]; /* of the first such pair, -1: not known any more */
};

/* Two places at which iterations met, in memory with a name. */
struct met {
    enum met_kind kind;             /* flow, anti or output */
    int variable;                   /* index in the loop's table, -1: none of them */
    struct text_place source, sink; /* of the earlier iteration, of the later one */
    uint64_t count, address;        /* how often they met; where first */
    int nvectors;                   /* of `vectors` */
    struct met_vector *vectors;     /* the distances in iterations at which they met */
    const char *memory; /* "hist + 8", "a heap block of 800 bytes, allocated at p.c:7" */
    const char *symbol; /* the global variable, or "" */
    enum excuse excuse; /* set by accesses_judge */
    enum met_role role; /* of `object`, set by accesses_judge */
    const char *object; /* what it is called in the verdict, or NULL */
    const char *why;    /* in words */
    int shown;          /* the vector that has this excuse */
};

/* In the order of severity. RAN_ONCE: no two iterations. UNSEEN: no marks. */
enum answer {
    ANSWER_CONTRADICTED,
    ANSWER_GUARDED,
    ANSWER_UNSURE,
    ANSWER_CONFIRMED,
    ANSWER_MISSED,
    ANSWER_SERIAL,
    ANSWER_EFFECTS,
    ANSWER_NOT_RUN,
    ANSWER_UNSEEN,
    ANSWER_COUNT
};

struct seen_loop {
    const char *file;     /* of the program's text */
    json_t *unit, *claim; /* the table, and this loop's part of it */
    /* runs; of all of them; runs of two iterations and more; ticks of the time stamp counter;
     * accesses; meetings that no record had room for */
    uint64_t instances, iterations, met_twice, ticks, touches, dropped;
    uint64_t told, failed; /* iterations that told of keys and checks; in which a check fails */
    int nmet;              /* of `met` */
    struct met *met;       /* pairs of places that met */
    enum answer answer;    /* set by accesses_judge */
    double share;          /* of the time of all runs */
};

struct accesses {
    struct arena *arena;     /* of all that it holds */
    const char *folder;      /* where the runs wrote */
    int nloops;              /* of `loops` */
    struct seen_loop *loops; /* of all tables, each once */
    int nruns;               /* processes that wrote */
    bool incomplete;         /* a run was too long to be watched to its end */
    int signal;              /* that ended a process, 0: none */
    uint64_t ticks, touches; /* of all runs: the processor's clock; loads and stores in loops */
};

/* Reads all that runs wrote to `folder`. Returns 0, or 1 after a message. */
int accesses_read(struct accesses *accesses, const char *folder);

/* ---- accesses_excuse.c ----------------------------------------------------------------------- */

/* What the verdict says of a conflict: sets excuse, role, object, why and shown. */
void accesses_excuse(struct arena *arena, const struct seen_loop *loop, struct met *met);

/* ---- accesses_judge.c ------------------------------------------------------------------------ */

/* requires: accesses_read. Sets excuses, answers and shares. */
void accesses_judge(struct accesses *accesses);

int accesses_count(const struct accesses *accesses, enum answer answer);
const char *accesses_answer_name(enum answer answer);
/* A string of the loop's claim, or "". */
const char *accesses_claim(const struct seen_loop *loop, const char *name);
bool accesses_is_parallel(const struct seen_loop *loop);

/* ---- accesses_print.c ------------------------------------------------------------------------ */

void accesses_print_text(const struct accesses *accesses, const char *program);
void accesses_print_json(const struct accesses *accesses, const char *program);

/* ---- accesses.c ------------------------------------------------------------------------------ */

/*
 * `from`: a folder that runs have written already; NULL: `program` is run. `timeout`: seconds.
 */
struct accesses_request {
    struct arena *arena;
    const char *from;
    bool json;
    long timeout;
    int nprogram;
    const char **program;
};

/* An exit status: 0, 1 contradicted or nothing recorded. */
int accesses_verify(const struct accesses_request *request);

#endif
