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
enum orrery_served_when {
    ORRERY_SERVE_AUTO,
    ORRERY_SERVE_NEVER,
    ORRERY_SERVE_ALWAYS,
    ORRERY_SERVE_ELEMENT
};
enum orrery_rotate { ORRERY_ROTATE_AUTO, ORRERY_ROTATE_WHOLE, ORRERY_ROTATE_TOUCHED };
enum orrery_load_by { ORRERY_LOAD_AUTO, ORRERY_LOAD_ALONE, ORRERY_LOAD_RANKS };
enum orrery_switch { ORRERY_SWITCH_OFF, ORRERY_SWITCH_ON, ORRERY_SWITCH_AUTO };

/*
 * What the environment says. threads 0: as many as this rank has cores. rows, columns 0: chosen
 * from the data. seed_set: `seed` replaces the plan's. Paths: NULL when not wanted. gpu_blocks 0:
 * as many as the device runs at once; gpu_memory: megabytes, 0 = what the device has. Of
 * every_passes and every_seconds one is 0. fails: the allocation of the runtime that fails, 0 =
 * none; fails_on: on which rank, -1 = on every one. most_change: 0 = any.
 * memory: megabytes, 0 = no limit. stack: megabytes, 0 = the program's limit.
 */
struct orrery_tunables {
    long threads, stack;
    int transport, shared;
    long rows, columns;
    bool seed_set;
    uint64_t seed;
    int stats;
    const char *trace, *profile, *links;
    int progress;
    long auto_us;
    int bind, refine, serve, rotate, load;
    long torture, fails, fails_on;
    long memory;
    double most_change;
    long bands;
    const char *verify;
    int replay;
    long gpu_blocks, gpu_memory, gpu_shuffle;
    int gpu_in_order, gpu_keep, gpu_stay, gpu_direct;
    const char *checkpoint, *board;
    long every_passes, every_seconds;
};

/* The values; valid after orrery_env_read. */
const struct orrery_tunables *orrery_env(void);

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
