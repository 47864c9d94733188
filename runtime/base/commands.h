/* The commands by which rank 0 leads the others, and the tags of the runtime's own messages. */
#ifndef ORRERY_RUNTIME_COMMANDS_H
#define ORRERY_RUNTIME_COMMANDS_H

enum orrery_command {
    ORRERY_COMMAND_REGION,
    ORRERY_COMMAND_FORGET,
    ORRERY_COMMAND_END,
    ORRERY_COMMAND_LOAD,
    ORRERY_COMMAND_INSPECT,
    ORRERY_COMMAND_DEAL
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
    ORRERY_TAG_MARKS,
    ORRERY_TAG_LOAD,
    ORRERY_TAG_REMOTE,
    ORRERY_TAG_PENDING,
    ORRERY_TAG_VALUES = 512, /* and the array's number */
    ORRERY_TAG_SLOTS = 1024  /* and the baton's number */
};

#endif
