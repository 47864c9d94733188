#include "cli/cc/cc.h"
#include "cli/cc_help.h"
#include "cli/help.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Standard input can be read once only: it goes to a file, which stands for it from then on. */
static int copy_stdin(struct command_line *line) {
    char block[65536];
    line->stdin_copy = spawn_file(line->arena, "stdin.c");
    FILE *out = fopen(line->stdin_copy, "wb");
    ssize_t got = 0;
    while (out && (got = read(STDIN_FILENO, block, sizeof block)) > 0)
        fwrite(block, 1, (size_t)got, out);
    int fd = -1;
    if (!out || fclose(out) != 0 || got < 0 || (fd = open(line->stdin_copy, O_RDONLY)) < 0) {
        fprintf(stderr, "orrery-cc: error: cannot copy standard input to %s\n", line->stdin_copy);
        return 1;
    }
    dup2(fd, STDIN_FILENO);
    close(fd);
    return 0;
}

/* The source is one of those that other sources are built with. */
static bool is_with(const struct command_line *line, const char *source) {
    char *own = realpath(source, NULL);
    bool found = false;
    for (int i = 0; i < line->ours.with.count && own; ++i) {
        char *with = realpath(line->ours.with.items[i], NULL);
        found |= with && strcmp(with, own) == 0;
        free(with);
    }
    free(own);
    return found;
}

/* What nobody marked is left as it is where it may end
 * in a shared library, which holds no parallel loops. */
static void leave_libraries(struct command_line *line) {
    bool library = line->shared || (line->pic && line->mode != CC_LINK);
    if (!library || !line->ours.automatic)
        return;
    line->ours.automatic = false;
    if (line->ours.remarks)
        fprintf(stderr,
                "orrery-cc: remark: -auto leaves what may become a shared library (%s) "
                "as it is\n",
                line->shared ? "-shared" : "-fPIC");
}

/* The flag by which structures or numbers are not those that the run library was built with. */
static const char *layout_flag(const struct command_line *line) {
    for (int i = 0; i < line->nwords; ++i) {
        const char *text = line->words[i].text;
        if (strncmp(text, "-fpack-struct", 13) == 0 || strcmp(text, "-mlong-double-64") == 0 ||
            strcmp(text, "-mlong-double-128") == 0)
            return text;
    }
    return NULL;
}

/* Sets `marked` on the sources that mention Orrery. Returns their count, -1 after a message. */
static int mark_sources(struct command_line *line) {
    int count = 0;
    bool all = line->ours.automatic || line->ours.accesses;
    line->layout = layout_flag(line);
    if (line->layout)
        return 0;
    for (int i = 0; i < line->nwords; ++i) {
        struct word *word = &line->words[i];
        if (word->kind != WORD_INPUT || word->input > INPUT_OTHER)
            continue;
        bool from_stdin = args_is_stdin(word);
        if (from_stdin && copy_stdin(line) != 0)
            return -1;
        if (word->input != INPUT_C)
            continue;
        const char *file = from_stdin ? line->stdin_copy : word->text;
        word->stamped = is_with(line, word->text);
        word->marked = access(file, R_OK) == 0 && (all || word->stamped || probe_source(file));
        count += word->marked;
    }
    return count;
}

/* The host compiler's command as the user wrote it, without our own options. */
static int pass_through(const struct command_line *line, int nargs, const char **args,
                        char **argv) {
    struct arg_list command = {.arena = line->arena};
    spawn_compiler(&command);
    if (!line->any_ours) {
        for (int i = 1; argv[i]; ++i)
            arg_list_push(&command, argv[i]);
    } else {
        for (int i = 0; i < nargs; ++i)
            if (!args_is_ours(args, nargs, &i))
                arg_list_push(&command, args[i]);
    }
    if (line->ours.show || line->stdin_copy)
        return spawn_run(&command, line->ours.show);
    return spawn_exec(&command);
}

/* An object in the place of a source that stood under `-x language`. */
static void push_object(struct arg_list *command, const struct word *word) {
    if (word->language) {
        arg_list_push(command, "-x");
        arg_list_push(command, "none");
    }
    arg_list_push(command, word->object);
    if (word->language) {
        arg_list_push(command, "-x");
        arg_list_push(command, word->language);
    }
}

/* What of ours the program needs, behind everything of the user's; 0 or a status. */
static int push_ours(const struct command_line *line, const struct house *house,
                     struct arg_list *command) {
    if (line->ours.accesses) {
        if (line->last_language) {
            arg_list_push(command, "-x");
            arg_list_push(command, "none");
        }
        if (link_needs_loaders(line))
            link_loaders(house, command);
        return accesses_link(line, house, command);
    }
    bool runs = link_needs_runtime(line);
    if (!runs && !link_needs_loaders(line))
        return 0;
    if (line->last_language) {
        arg_list_push(command, "-x");
        arg_list_push(command, "none");
    }
    if (!runs) {
        link_loaders(house, command);
        return 0;
    }
    int status = link_check(line);
    return status ? status : link_extra(line, house, command);
}

/* What the marked sources left: the other sources, objects and libraries, in the user's order. */
static int run_rest(struct command_line *line, const struct house *house) {
    struct arg_list command = {.arena = line->arena};
    int sources = 0;
    bool links = line->mode == CC_LINK && !line->relocatable;
    int status = links ? link_compile_plain(line) : 0;
    if (status != 0)
        return status;
    spawn_compiler(&command);
    for (int i = 0; i < line->nwords; ++i)
        sources += line->words[i].kind == WORD_INPUT && !line->words[i].marked &&
                   line->words[i].input <= INPUT_OTHER;
    if (line->mode != CC_LINK && sources == 0)
        return 0;
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        if (word->kind == WORD_INPUT && (word->marked || word->object)) {
            if (line->mode == CC_LINK)
                push_object(&command, word);
            continue;
        }
        if (word->kind == WORD_DEPEND && sources == 0)
            continue;
        arg_list_push(&command, word->text);
        if (word->value)
            arg_list_push(&command, word->value);
    }
    if (line->mode == CC_LINK && link_names_loaders(line))
        arg_list_push(&command, arena_printf(line->arena, "-L%s", house->library));
    status = links ? push_ours(line, house, &command) : 0;
    return status ? status : spawn_run(&command, line->ours.show);
}

static int run(struct command_line *line, const struct house *house, int nmarked) {
    if (line->ours.plan && nmarked > 1) {
        fprintf(stderr,
                "orrery-cc: error: -plan: %d sources may hold marked loops; a plan file is "
                "for one: compile them one by one\n",
                nmarked);
        return 2;
    }
    int status = compile_marked(line, house);
    return status ? status : run_rest(line, house);
}

/* Objects with parallel loops, or that read by our loaders,
 * on a link line without sources of ours. */
static bool links_ours(const struct command_line *line) {
    return line->mode == CC_LINK && !line->relocatable &&
           (line->ours.accesses || link_needs_runtime(line) || link_needs_loaders(line));
}

/* gcc's own complaint: one -o for several outputs. */
static bool one_output_for_many(const struct command_line *line) {
    int sources = 0;
    for (int i = 0; i < line->nwords; ++i)
        sources += line->words[i].kind == WORD_INPUT && line->words[i].input <= INPUT_OTHER;
    return line->mode != CC_LINK && line->output && sources > 1;
}

static int drive(struct arena *arena, int argc, char **argv) {
    struct command_line line;
    const char **args;
    int status = compiler_wrapper(arena, &argc, &argv);
    int nargs = response_expand(arena, argc, argv, &args);
    if (status != 0 || (status = args_parse(&line, arena, nargs, args)) != 0)
        return status;
    if (line.ours.target && strcmp(line.ours.target, "cpu") != 0 &&
        strcmp(line.ours.target, "gpu") != 0 && strcmp(line.ours.target, "gpu-shim") != 0) {
        fprintf(stderr, "orrery-cc: error: -target %s: it is cpu, gpu or gpu-shim\n",
                line.ours.target);
        return 2;
    }
    if (line.ours.accesses)
        line.ours.automatic = line.ours.strict = false;
    leave_libraries(&line);
    bool plain = line.mode == CC_PREPROCESS || line.mode == CC_SYNTAX;
    bool ask = line.mode == CC_INFO || line.mode == CC_DEPENDS || one_output_for_many(&line) ||
               (line.ours.accesses && plain);
    int nmarked = ask ? 0 : mark_sources(&line);
    if (nmarked < 0)
        return 1;
    struct house house;
    house_find(&house, arena);
    if (!ask && !line.ours.show && marks_report(&line, &house) > 0 && line.ours.strict)
        return 1;
    if (nmarked == 0 && (ask || !links_ours(&line)))
        return pass_through(&line, nargs, args, argv);
    return run(&line, &house, nmarked);
}

int main(int argc, char **argv) {
    if (argc == 2 && help_wanted(argv[1])) {
        help_print(&cc_help, cc_summary, argv[1]);
        return 0;
    }
    struct arena *arena = arena_new();
    int status = version_wanted(argc, argv) ? version_print(arena) : drive(arena, argc, argv);
    arena_free(arena);
    return status;
}
