/* Rank 0 leads, the others serve. */
#include "dsm/transport/messages.h"

#include <string.h>

#define TAG_HEADER 1
#define TAG_PAYLOAD 2
#define INLINE_BYTES DSM_ASK_MOST
#define MAGIC 0x4f525259
#define PAYLOAD_MOST (1UL << 46)
#define SERVE_NAP 400000L
#define FORGET_AT_ONCE 256

/* `number`: of the command, from 1 on; every rank counts along. */
struct header {
    int32_t op;
    uint32_t magic;
    uint64_t bytes, number;
    char payload[INLINE_BYTES];
};

/* All but `handlers`, `sending` and `count` is of ranks above 0. */
static struct {
    const struct dsm_own_handlers *handlers;
    struct dsm_lock sending;    /* rank 0: serial code's threads may want memory at the same time */
    uint64_t count;             /* commands sent, or taken, so far */
    struct header next;         /* the next header */
    struct dsm_request *coming; /* its receive; NULL: it is here */
    bool arrived;               /* it is here, and nobody has dealt with it */
    bool told_to_finish;        /* the last one is served */
} commands;

static _Thread_local bool serves_here;

static void header_expect(void) {
    commands.arrived = false;
    commands.coming =
        dsm_message_receive(DSM_COMMANDS, 0, TAG_HEADER, &commands.next, sizeof commands.next);
}

bool dsm_command_serves_here(void) {
    return serves_here;
}

void dsm_command_start(const struct dsm_own_handlers *table) {
    commands.handlers = table;
    if (dsm_world.rank > 0) {
        serves_here = true;
        header_expect();
    }
}

static void command_send(int op, const void *payload, size_t bytes) {
    struct header header = {.op = op, .magic = MAGIC, .bytes = bytes};
    bool inside = bytes <= INLINE_BYTES;
    int ranks = dsm_world.ranks, nrequests = 0;
    struct dsm_request **requests = dsm_own_alloc(2 * (size_t)ranks * sizeof *requests);
    if (inside && bytes > 0)
        memcpy(header.payload, payload, bytes);
    dsm_lock_take(&commands.sending);
    header.number = ++commands.count;
    for (int rank = 1; rank < ranks; ++rank) {
        requests[nrequests++] =
            dsm_message_send(DSM_COMMANDS, rank, TAG_HEADER, &header, sizeof header);
        if (!inside) {
            requests[nrequests++] =
                dsm_message_send(DSM_COMMANDS, rank, TAG_PAYLOAD, payload, bytes);
        }
    }
    for (int i = 0; i < nrequests; ++i)
        dsm_wait(requests[i]);
    dsm_lock_give(&commands.sending);
    dsm_own_free(requests);
}

static void leads_check(const char *what) {
    if (dsm_world.rank != 0)
        dsm_fail(DSM_STATUS_ERROR, "%s: only rank 0 may", what);
}

void dsm_command_own(enum dsm_own_command op, const void *payload, size_t bytes) {
    leads_check("a command");
    command_send(op, payload, bytes);
}

static void forgotten_send(void) {
    struct dsm_range ranges[FORGET_AT_ONCE];
    int count;
    while ((count = commands.handlers->forgotten(ranges, FORGET_AT_ONCE)) > 0)
        command_send(DSM_OP_FORGET, ranges, (size_t)count * sizeof *ranges);
}

void dsm_command(int op, const void *payload, size_t bytes) {
    leads_check("dsm_command");
    if (op < 0)
        dsm_fail(DSM_STATUS_ERROR, "dsm_command: command %d is negative", op);
    if (dsm_world.ranks > 1) {
        forgotten_send();
        command_send(op, payload, bytes);
    }
}

static void header_check(void) {
    if (commands.next.magic != MAGIC)
        dsm_malformed(0, "a command begins with %08x, not %08x", (unsigned)commands.next.magic,
                      MAGIC);
    if (commands.next.number != ++commands.count) {
        dsm_malformed(0, "command %llu comes where number %llu is due",
                      (unsigned long long)commands.next.number, (unsigned long long)commands.count);
    }
    if (commands.next.op < DSM_OP_PEEK)
        dsm_malformed(0, "there is no command %d", commands.next.op);
    if (commands.next.bytes > PAYLOAD_MOST)
        dsm_malformed(0, "command %d has %llu bytes", commands.next.op,
                      (unsigned long long)commands.next.bytes);
}

static bool header_test(void) {
    if (!commands.arrived && dsm_test(commands.coming)) {
        commands.coming = NULL;
        commands.arrived = true;
        header_check();
    }
    return commands.arrived;
}

/* A message that nobody will ever ask for is the one that is waited for, with another tag. */
static void tag_check(void) {
    int tag = dsm_transport->unasked(DSM_COMMANDS, 0);
    if (tag >= 0 && tag != TAG_HEADER && tag != TAG_PAYLOAD)
        dsm_malformed(0, "a command has tag %d, not %d", tag, TAG_HEADER);
}

static void header_wait(void) {
    struct dsm_patience patience = {.longest_nap = SERVE_NAP};
    while (!header_test()) {
        dsm_patience_pause(&patience);
        if (patience.rounds > 64)
            tag_check();
    }
}

/* The payload of the header that is here; `buffer` is what has to be freed. */
static const void *payload_take(char **buffer) {
    *buffer = NULL;
    if (commands.next.bytes <= INLINE_BYTES)
        return commands.next.payload;
    *buffer = dsm_own_alloc(commands.next.bytes);
    dsm_wait(dsm_message_receive(DSM_COMMANDS, 0, TAG_PAYLOAD, *buffer, commands.next.bytes));
    return *buffer;
}

/* Deals with one of the dsm's own commands. */
static void own_serve(int op, const void *payload, size_t bytes) {
    bool whole = op == DSM_OP_FINISH ? bytes == 0 : commands.handlers->serve[-op](payload, bytes);
    if (!whole)
        dsm_malformed(0, "command %d has %zu bytes", op, bytes);
    if (op == DSM_OP_FINISH)
        commands.told_to_finish = true;
}

/* Deals with the command that is here, its payload copied: the next header may come meanwhile. */
static void command_serve(void (*handler)(void *, int, const void *, size_t), void *data) {
    int op = commands.next.op;
    size_t bytes = commands.next.bytes;
    char *buffer, inside[INLINE_BYTES];
    const void *payload = payload_take(&buffer);
    if (!buffer)
        payload = memcpy(inside, commands.next.payload, sizeof inside);
    if (op != DSM_OP_FINISH)
        header_expect();
    else
        commands.arrived = false;
    if (op < 0)
        own_serve(op, payload, bytes);
    else
        handler(data, op, payload, bytes);
    dsm_own_free(buffer);
}

void dsm_command_poll(void) {
    if (!commands.told_to_finish && header_test() &&
        (commands.next.op == DSM_OP_COLLECT || commands.next.op == DSM_OP_FETCH ||
         commands.next.op == DSM_OP_ASK || commands.next.op == DSM_OP_WINDOW ||
         commands.next.op == DSM_OP_PEEK))
        command_serve(NULL, NULL);
}

void dsm_serve(void (*handler)(void *data, int op, const void *payload, size_t bytes), void *data) {
    if (dsm_world.rank == 0)
        dsm_fail(DSM_STATUS_ERROR, "dsm_serve: rank 0 leads, it does not serve");
    while (!commands.told_to_finish) {
        header_wait();
        command_serve(handler, data);
    }
}

void dsm_command_finish(void) {
    if (dsm_world.rank == 0) {
        command_send(DSM_OP_FINISH, NULL, 0);
        return;
    }
    if (!commands.told_to_finish) {
        header_wait();
        if (commands.next.op != DSM_OP_FINISH)
            dsm_fail(DSM_STATUS_ERROR, "dsm_finish: rank 0 still has commands for this rank");
    }
}
