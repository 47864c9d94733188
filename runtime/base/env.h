/*
 * The tunables: environment variables ORRERY_*. One table says name, kind, default and help; the
 * values are parsed, checked and printed from it.
 */
#ifndef ORRERY_RUNTIME_ENV_H
#define ORRERY_RUNTIME_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum orrery_replay { ORRERY_REPLAY_OFF, ORRERY_REPLAY_FORWARD, ORRERY_REPLAY_REVERSE };
enum orrery_served_when { ORRERY_SERVE_AUTO, ORRERY_SERVE_NEVER, ORRERY_SERVE_ALWAYS };
enum orrery_rotate { ORRERY_ROTATE_AUTO, ORRERY_ROTATE_WHOLE, ORRERY_ROTATE_TOUCHED };
enum orrery_deal { ORRERY_DEAL_AUTO, ORRERY_DEAL_NEVER };
enum orrery_load_by { ORRERY_LOAD_AUTO, ORRERY_LOAD_ALONE, ORRERY_LOAD_RANKS };
enum orrery_switch { ORRERY_SWITCH_OFF, ORRERY_SWITCH_ON, ORRERY_SWITCH_AUTO };

/* What the environment says; docs/environment.md has the variables. */
struct orrery_tunables {
    long threads;          /* 0: as many as this rank has cores */
    long stack;            /* megabytes, 0 = the program's limit */
    int transport, shared; /* "auto" and so on; ranks of a host share pages */
    long rows, columns;    /* of the grid; 0: chosen from the data */
    long visits;           /* of a block in a pass; 0: chosen from the data */
    bool seed_set;         /* `seed` replaces the plan's */
    uint64_t seed;         /* ORRERY_SEED */
    int stats;             /* print them */
    int standby;           /* wait at the loop over passes (runtime/checkpoint/standby.h) */
    const char *trace, *profile, *links, *verify; /* paths; NULL: not wanted */
    int progress;                                 /* print it */
    long auto_us;                  /* loops that nobody marked: shorter ones stay serial */
    int bind, serve, rotate, load; /* choices, by their enums or 0 and 1 */
    int deal;                      /* enum orrery_deal: rows go to ranks by seconds */
    long slow;                     /* for tests: the last rank takes so many times as long */
    long torture;                  /* a seed, 0 = none */
    long fails, fails_on; /* the allocation that fails, 0 = none; on which rank, -1 = on all */
    long memory;          /* megabytes, 0 = no limit */
    double most_change;   /* of an element by a merge, 0 = any */
    int writer;           /* a child process writes checkpoints */
    int evict;            /* for tests: rank 0 has a few pages at a time */
    const char *spill;    /* folder; NULL: memory is not spilled */
    long panels;          /* rows of one, 0: chosen */
    int replay;           /* enum orrery_replay */
    long gpu_blocks;      /* 0: as many as the device runs at once */
    long gpu_memory;      /* megabytes, 0 = what the device has */
    long gpu_shuffle;     /* of the host that plays the device: a seed of its order */
    int gpu_in_order, gpu_keep, gpu_stay, gpu_direct; /* switches */
    const char *checkpoint, *heartbeat;               /* paths; NULL: not wanted */
    const char *watch;                                /* ORRERY_WATCH; NULL: nobody there */
    long every_passes, every_seconds;                 /* of checkpoints; one is 0 */
};

/* The values; valid after orrery_env_read. */
const struct orrery_tunables *orrery_env(void);

/* Before dsm_start: so many megabytes can be had. */
void orrery_env_memory(long megabytes);
const char *orrery_env_transport(void);

/*
 * Reads the environment. Returns 0, or -1 with a message (what is wrong and what would be right)
 * in `message`.
 */
int orrery_env_read(char *message, size_t size);

/* Prints the table, one variable per line: its name, its value, where that comes from (`default` or
 * `environment`), its default, what it means. `stream` is a FILE. */
void orrery_env_print(void *stream);

#endif
