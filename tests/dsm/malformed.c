/* Rank 0 sends rank 1 a command that is wrong in the way its argument names; malformed.sh looks at
 * what rank 1 says. */
#include "dsm/transport/messages.h"
#include "tests/dsm/ranks.h"

#include <string.h>

enum { TAG_HEADER = 1, TAG_PAYLOAD = 2, MAGIC = 0x4f525259 };

static step *const steps[] = {NULL};

struct header {
    int32_t op;
    uint32_t magic;
    uint64_t bytes, number;
    char payload[232];
};

static void send(int tag, const void *data, size_t bytes) {
    dsm_wait(dsm_message_send(DSM_COMMANDS, 1, tag, data, bytes));
}

static void handle(void *data, int op, const void *payload, size_t bytes) {
    (void)data;
    (void)payload;
    dsm_fail(1, "command %d with %zu bytes was taken", op, bytes);
}

int main(int argc, char **argv) {
    char big[4096] = {0};
    const char *way = argc > 1 ? argv[1] : "";
    dsm_start("auto");
    if (dsm_rank() > 0) {
        dsm_serve(handle, NULL);
        dsm_finish();
        return 0;
    }
    struct header header = {.op = 1, .magic = MAGIC, .number = 1};
    size_t bytes = sizeof header;
    int tag = TAG_HEADER;
    if (strcmp(way, "short") == 0) {
        bytes = 100;
    } else if (strcmp(way, "empty") == 0) {
        bytes = 0;
    } else if (strcmp(way, "long") == 0) {
        bytes = sizeof big;
    } else if (strcmp(way, "tag") == 0) {
        tag = 77;
    } else if (strcmp(way, "magic") == 0) {
        header.magic = 0;
    } else if (strcmp(way, "number") == 0) {
        header.number = 3;
    } else if (strcmp(way, "op") == 0) {
        header.op = -9;
    } else if (strcmp(way, "size") == 0) {
        header.bytes = UINT64_MAX;
    } else if (strcmp(way, "collect") == 0) {
        header.op = DSM_OP_COLLECT;
        header.bytes = 3;
    } else if (strcmp(way, "array") == 0) {
        header.op = DSM_OP_COLLECT;
        header.bytes = 4;
        header.payload[1] = 99;
    } else if (strcmp(way, "ask") == 0) {
        header.op = DSM_OP_ASK;
    } else if (strcmp(way, "window") == 0) {
        header.op = DSM_OP_WINDOW;
        header.bytes = 200;
    } else if (strcmp(way, "payload") == 0) {
        header.bytes = 1000;
    }
    if (strcmp(way, "rank") == 0)
        dsm_send(2, 1, big, 4);
    send(tag, bytes > sizeof header ? (void *)big : (void *)&header, bytes);
    if (strcmp(way, "payload") == 0)
        send(TAG_PAYLOAD, big, 999);
    dsm_receive(1, 1, big, 4);
    return 0;
}
