/* Messages, broadcasts and commands over the transport, for the rooms above. */
#ifndef ORRERY_DSM_TRANSPORT_MESSAGES_H
#define ORRERY_DSM_TRANSPORT_MESSAGES_H

#include "dsm/base/base.h"
#include "dsm/transport/transport.h"

/* Transport of this job; "self" before dsm_start. */
extern const struct dsm_transport *dsm_transport;

/* ---- message.c ---- */

/* A message under way. */
struct dsm_request {
    void *handle;                              /* the transport's; NULL: it is over */
    const void *held;                          /* its bytes, where they must stay */
    size_t held_bytes;                         /* 0: they need not be kept here */
    void (*done)(struct dsm_request *request); /* runs once in the thread that sees the end; NULL */
    struct dsm_array *array;                   /* for `done`, as the rest: whose part it is */
    int part, peer;                            /* `peer`: whom it is to or from */
    struct dsm_rows rows;                      /* those of the part that travel alone */
    char *buffer; /* packed rows, NULL: they go straight from or to their store */
};

/* Ends the job: what rank `from` has sent is not what it must be; the text says what it is. */
_Noreturn void dsm_malformed(int from, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What keeps the bytes of messages under way where they are: so many of them; and lets them go. Once,
 * before any message of such memory. */
void dsm_message_held_by(size_t (*hold)(const void *memory, size_t bytes, size_t most),
                         void (*let)(const void *memory, size_t held));

struct dsm_request *dsm_message_send(enum dsm_channel channel, int rank, int tag, const void *data,
                                     size_t bytes);
struct dsm_request *dsm_message_receive(enum dsm_channel channel, int rank, int tag, void *data,
                                        size_t bytes);

/*
 * Waiting: spin, yield, then sleep about an eighth of the time waited so far, at most
 * `longest_nap` nanoseconds, five times that after a second. Zero but for longest_nap at the start.
 */
struct dsm_patience {
    long longest_nap;
    unsigned rounds;
    int64_t begin;
};
void dsm_patience_pause(struct dsm_patience *patience);

/* All ranks, once the world is known. Under torture as if they were on hosts at random. */
void dsm_broadcast_start(void);

/* Rank 0's bytes on the keeper of each host, which is its first rank above 0. dsm_keeper_of: that of
 * a rank's host, -1: rank 0 is alone there. Only rank 0 and keepers call it. */
void dsm_broadcast_keepers(void *data, size_t bytes);
int dsm_keeper_of(int rank);

/* ---- program.c ---- */

/* Collective, before any other message. A rank that runs another program than rank 0, or one that
 * another Orrery built, ends the job (ORR9234). */
void dsm_program_check(void);

/* ---- command.c ---- */

enum dsm_own_command {
    DSM_OP_FINISH = -1,
    DSM_OP_COLLECT = -2,
    DSM_OP_FORGET = -3,
    DSM_OP_FETCH = -4,
    DSM_OP_ASK = -5,
    DSM_OP_WINDOW = -6,
    DSM_OP_PEEK = -7,
    DSM_OWN_COMMANDS = 8 /* one more than the lowest is below zero */
};

/* Deals with one of the dsm's own commands. False: it cannot have that many bytes. */
typedef bool dsm_own_serve(const void *payload, size_t bytes);

/* What the rooms above do about the dsm's own commands. */
struct dsm_own_handlers {
    /* Rank 0, before a command: up to `most` ranges that the others are to forget (FORGET). */
    int (*forgotten)(struct dsm_range *ranges, int most);
    dsm_own_serve *serve[DSM_OWN_COMMANDS]; /* by -op; FINISH has none */
};

/* Several ranks. The others post the receive of the first command. */
void dsm_command_start(const struct dsm_own_handlers *table);
/* Rank 0: tells the others to leave dsm_serve; the others: have they been told? waits for it. */
void dsm_command_finish(void);
/* Rank 0: one of the dsm's own commands. */
void dsm_command_own(enum dsm_own_command op, const void *payload, size_t bytes);
/* Is this the thread of a rank above 0 that serves? While it waits it goes on serving collects. */
bool dsm_command_serves_here(void);
/* Ranks above 0: serves a collect, a fetch or a question that has arrived, leaves other commands
 * for dsm_serve. */
void dsm_command_poll(void);

/* ---- ask.c ---- */

#define DSM_ASK_MOST 232UL /* bytes of a question; they fit into a command */

bool dsm_ask_serve(const void *question, size_t bytes);

#endif
