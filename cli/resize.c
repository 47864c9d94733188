/* `orrery resize`: a job goes on with more or fewer ranks. */
#include "tools/run/resize.h"
#include "cli/command.h"
#include "cli/options.h"

#include <stdlib.h>

int command_resize(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct arg_list words = {.arena = arena};
    const struct option_set set = {
        .command = "resize",
        .usage = "orrery resize FILE N",
        .about =
            "Writes N to FILE, as a scheduler may do itself: the 'orrery run --resize FILE' that\n"
            "looks there goes on with N ranks from the end of a pass on. The result has the same\n"
            "bits. Exit status: 0 written, 2 wrong usage, or FILE cannot be written.",
        .examples = "  orrery run -n 2 --most 8 --resize ranks ./mf ratings.csv\n"
                    "  orrery resize ranks 6",
    };
    int status = options_parse(&set, argc, argv, &words);
    if (status < 0 && words.count != 2)
        status = options_complain(&set, "it takes a file and a number of ranks");
    char *end = NULL;
    long ranks = status < 0 ? strtol(words.items[1], &end, 10) : 0;
    if (status < 0 && (end == words.items[1] || *end))
        status = options_complain(&set, "'%s' is no number of ranks", words.items[1]);
    if (status < 0)
        status = resize_write(words.items[0], ranks);
    arena_free(arena);
    return status;
}
