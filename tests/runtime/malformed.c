/* Rank 0 sends the other ranks a command of the runtime that is wrong in the way its argument
 * names; malformed.sh looks at what they say. */
#include "runtime/base/commands.h"
#include "runtime/share/private.h"

#include <string.h>

static struct orrery_loop loop = {.file = "malformed.c", .line = 9, .env_size = 1000};

int main(int argc, char **argv) {
    struct orrery_share_head head = {.loop = &loop, .passes = 1, .count = 5};
    const char *way = argc > 1 ? argv[1] : "";
    size_t bytes = sizeof head;
    int command = ORRERY_COMMAND_REGION;
    head.blocks.rows = head.blocks.columns = head.blocks.clocks = 1;
    if (strcmp(way, "head") == 0)
        bytes = 10;
    else if (strcmp(way, "loop") == 0)
        head.loop = (struct orrery_loop *)8;
    else if (strcmp(way, "slot") == 0)
        head.slot = 1 << 30;
    else if (strcmp(way, "forget") == 0)
        command = ORRERY_COMMAND_FORGET;
    else if (strcmp(way, "command") == 0)
        command = 99;
    dsm_command(command, &head, bytes);
    dsm_receive(1, 1, &head, 4);
    return 0;
}
