/* What `orrery --help` says of each command, for those that print one command's help. */
#include "cli/summaries.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name, *summary;
} rows[] = {
#define COMMAND(name, summary) {#name, summary},
#include "cli/commands.def"
#undef COMMAND
};

const char *command_summary(const char *name) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].summary;
    return "";
}
