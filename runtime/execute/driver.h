/* Region start and end, and the commands by which rank 0 leads the others. */
#ifndef ORRERY_RUNTIME_DRIVER_H
#define ORRERY_RUNTIME_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

enum orrery_command {
    ORRERY_COMMAND_REGION,
    ORRERY_COMMAND_FORGET,
    ORRERY_COMMAND_END,
    ORRERY_COMMAND_LOAD,
    ORRERY_COMMAND_INSPECT
};

/* Tags of the runtime's own messages, apart from those of parts (dsm_part_*). */
enum orrery_tag {
    ORRERY_TAG_RECORDS = 1,
    ORRERY_TAG_FOLD,
    ORRERY_TAG_MERGE,
    ORRERY_TAG_TRACE,
    ORRERY_TAG_STATS,
    ORRERY_TAG_LEVEL,
    ORRERY_TAG_SETUP,
    ORRERY_TAG_HOME,
    ORRERY_TAG_LINKS,
    ORRERY_TAG_ASK,
    ORRERY_TAG_PATCH,
    ORRERY_TAG_UPDATE,
    ORRERY_TAG_QUESTION,
    ORRERY_TAG_ANSWER,
    ORRERY_TAG_MARKS,
    ORRERY_TAG_LOAD,
    ORRERY_TAG_FAR,
    ORRERY_TAG_OWED,
    ORRERY_TAG_VALUES = 512, /* and the array's number */
    ORRERY_TAG_SLOTS = 1024  /* and the baton's number */
};

/* Ranks other than 0: carries out one command (for dsm_serve). */
void orrery_command_serve(void *data, int command, const void *payload, size_t bytes);

/* The same: rank 0 asks for bytes of a loop's arrays (for dsm_answer_by). */
void orrery_command_answer(const void *question, size_t bytes);

/* True while a region runs: the program must not end in an orderly way then. */
bool orrery_region_active(void);

/* May this thread start a region now? Only the program's own thread and process may, on rank 0,
 * with no region under way. May be called anywhere. */
bool orrery_may_start(void);

/* Start and end of the runtime on this rank, called by main.c. */
void orrery_driver_start(void);
void orrery_driver_end(void);

#endif
