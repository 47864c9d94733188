/*
 * orrery-cc: cc with parallel loops. A command line is read once into words (args.c); sources that
 * mention Orrery are emitted and compiled on their own (compile.c); the rest of the command goes to
 * the host compiler as the user wrote it. A command with nothing of ours in it is the host
 * compiler's untouched, whatever it says.
 *
 *   argv --response--> words --steps--> commands --run--> status
 */
#ifndef ORRERY_CLI_CC_H
#define ORRERY_CLI_CC_H

#include "analyzer/analyzer.h"
#include "tools/base/arglist.h"
#include "tools/base/house.h"

#include <stdbool.h>

/* What the command makes. INFO: no input, or a question (-dumpmachine, -print-...). */
enum cc_mode { CC_LINK, CC_OBJECT, CC_ASSEMBLY, CC_PREPROCESS, CC_DEPENDS, CC_SYNTAX, CC_INFO };

/*
 * C:      text that may hold marked loops.       OTHER: another language; the host compiler's.
 * OBJECT: .o, .a, .so, linker script, anything without a known suffix.
 * LIBRARY: -lNAME.
 */
enum input_kind { INPUT_C, INPUT_OTHER, INPUT_OBJECT, INPUT_LIBRARY };

/*
 * One word of the command line with its value. OUTPUT, MODE (-c -S -E -fsyntax-only), LANGUAGE (-x)
 * and DEPEND (-M...) words are made anew for the steps; LINK words go to the linker only; OURS to
 * nobody.
 */
enum word_kind {
    WORD_COMPILE,
    WORD_LINK,
    WORD_INPUT,
    WORD_OUTPUT,
    WORD_MODE,
    WORD_LANGUAGE,
    WORD_DEPEND,
    WORD_OURS
};

/* `text` and, when its value is an argument of its own, `value`. */
struct word {
    enum word_kind kind;
    const char *text, *value;
    enum input_kind input;
    const char *language; /* in force at this input; NULL: by suffix */
    bool marked;          /* WORD_INPUT, C: mentions Orrery, or `stamped` */
    bool stamped;         /* its object says which definitions it has: others may rely on them */
    const char *object;   /* marked, linking: where its object is */
};

/* Dependency output asked for with -MD or -MMD beside compiling. */
struct depends {
    bool wanted, user_only, phony, missing_generated;
    const char *file;
    struct arg_list targets; /* -MT X, -MQ X in turn */
};

/* Options of our own. */
struct ours {
    /* -auto, -allow-fallback, -Werror=serial, -Rorrery, --keep, -showme, -accesses,
     * -no-transform, -own-memory */
    bool automatic, allow_fallback, strict, remarks, keep, show, accesses, in_order, own_memory;
    const char *plan, *target; /* -plan FILE, -target cpu|gpu; NULL: not given */
    const char *drop;     /* of -accesses: the object whose reads the analysis overlooks, or NULL */
    const char *change;   /* of -accesses: the object whose vectors are made wrong, or NULL */
    struct arg_list with; /* files whose functions may be looked into */
    struct arg_list effects;  /* files about functions that are not seen */
    struct arg_list plans_of; /* "SOURCE=FILE": the plan file of one source */
};

struct command_line {
    struct arena *arena;    /* of all that is made of it */
    enum cc_mode mode;      /* what is made: a program, objects, text ... */
    int nwords;             /* of `words` */
    struct word *words;     /* as given, each with what it is */
    const char *output;     /* of -o, NULL: not given */
    struct depends depends; /* what -M... ask for */
    struct ours ours;       /* options of our own */
    /* -shared, -static, -pie, -r; is -ffp-contract given, and does it allow it; is -pie or -no-pie
     * given */
    bool shared, fixed_static, pie, relocatable, contraction_said, contraction, pie_said;
    bool fast;          /* -O2 or more, not -Os */
    bool sized;         /* -O3 or more: bodies are compiled once for each likely trip count */
    bool pic;           /* -fPIC: may become part of a shared library */
    bool any_ours;      /* some word is ours: the host compiler must not see it */
    const char *layout; /* the flag by which structures or long double are others, or NULL */
    const char *last_language; /* -x in force at the end */
    const char *stdin_copy;    /* file that stands for `-` */
    int serial;                /* number of the marked source under way, from 1 */
};

/* ---- response.c: @FILE arguments as gcc reads them */
int response_expand(struct arena *arena, int argc, char **argv, const char ***args);

/* ---- args.c: 0, or the exit status after a message */
int args_parse(struct command_line *line, struct arena *arena, int nargs, const char **args);
/* True when args[*at] is an option of ours; *at moves on over its value. */
bool args_is_ours(const char **args, int nargs, int *at);

/* An input's language in words ("C++"); what its text is for the compiler; standard input. */
const char *args_language(const struct word *word);
bool args_is_preprocessed(const struct word *word);
bool args_is_assembly(const struct word *word);
bool args_is_stdin(const struct word *word);

/* ---- includes.c: false: neither the file nor a header that it may include mentions Orrery */
bool includes_mention(const struct command_line *line, const struct house *house,
                      const char *source);

/* ---- marks.c --------------------------------------------------------------------------------- */
/* Reports the marks that are in no text that `emit` rewrites; returns their
 * number. requires: main's marks on the words. */
int marks_report(struct command_line *line, const struct house *house);

/* ---- compiler_wrapper.c: `orrery-cc [options of ours] --launch[=N] COMPILER ...` */

/*
 * A compiler launcher: the N words after `--launch` (1, or 2 behind a compiler cache) become the
 * host compiler, our own options join the rest. Commands that begin otherwise stay as they are.
 * Returns 0, or the exit status after a message.
 */
int compiler_wrapper(struct arena *arena, int *argc, char ***argv);

/* ---- plan_of.c: the plan file of a source: that of -plan-of, else that of -plan, or NULL */
const char *plan_of(const struct ours *ours, struct arena *arena, const char *source);

/* ---- probe.c: does a file hold what we look for? Unreadable files hold nothing. */
bool probe_source(const char *file);
/* Hands the bytes of a regular file, unless it is empty, to `read`. */
void probe_read(const char *file,
                void (*read)(void *data, const char *file, const char *bytes, size_t size),
                void *data);
bool probe_object(const char *file); /* loops of ours are in an object or archive */
bool probe_loaders(const char *file);
bool probe_kernels(const char *file); /* made by nvcc */
bool probe_text(const char *file);    /* the same of assembly and C */
bool probe_library(const struct command_line *line, struct arena *arena, const char *name);

/* ---- object.c: the bytes of `file`, an object or an archive, hold what was made of a loop */
bool object_is_ours(const char *file, const char *bytes, size_t size);
/* Every name that `file`, an object or an archive, defines for other objects. Of objects that
 * link-time optimization has left without code, none. */
void object_defines(const char *file, const char *bytes, size_t size,
                    void (*each)(void *data, const char *name), void *data);

/* ---- spawn.c: commands and temporary files */

/* A file of the temporary folder, to be removed with it. */
const char *spawn_file(struct arena *arena, const char *name);
/* Runs a command to its end; `show` prints it instead. Its exit status; 128 + signal. */
int spawn_run(const struct arg_list *command, bool show);
/* The same without its messages. */
int spawn_quiet(const struct arg_list *command);
/* Becomes the command. Returns only on failure, with a status after a message. */
int spawn_exec(const struct arg_list *command);
/* The host compiler's words: ORRERY_CC, default cc. */
void spawn_compiler(struct arg_list *command);

/* The host compiler is clang, by its name or by what its name leads to. */
bool spawn_is_clang(struct arena *arena);

/* ---- version.c: `orrery-cc --version`, and nothing else */
bool version_wanted(int argc, char **argv);
/* Prints the host compiler's, and ours; a status. */
int version_print(struct arena *arena);

/* ---- compile.c ------------------------------------------------------------------------------- */
/* The marked sources, each through emit and the host compiler; the first status that is not 0. */
int compile_marked(struct command_line *line, const struct house *house);
/* What gcc writes beside a program (counts of --coverage, profiles, debugging information of its own
 * file) has the program's name in front and that of the source `name`, and none of a temporary
 * file. */
void compile_push_beside(const struct command_line *line, const char *name,
                         struct arg_list *command);

/* ---- kernels.c: the kernels of loops that run on a GPU, or on the host shim; 0 or a status */

/* Builds `kernels` into `object`. */
int kernels_compile(const struct command_line *line, const struct house *house, const char *kernels,
                    const char *object);
/* Makes one object of two. */
int kernels_join(const struct command_line *line, const char *object, const char *kernels,
                 const char *output);
/* What a program needs whose objects hold kernels for a GPU. */
int kernels_link(const struct command_line *line, const struct house *house,
                 struct arg_list *command);

/* ---- depends.c ------------------------------------------------------------------------------- */
/* The depfile of a source that the host compiler does not see, asked for beside its object. */

/*
 * `compile`: the host compiler's command up to the words that matter to preprocessing, `made`: the
 * target, `file`: the depfile, when the user named none; `source`, and `extra`: files that the
 * object depends on, too, with what they include when they are C.
 */
struct depends_request {
    struct command_line *line;
    const struct arg_list *compile;
    const char *made, *file, *source;
    struct arg_list extra;
};
int depends_write(const struct depends_request *request);

/* ---- link.c: what a program with parallel loops needs beyond the user's command; 0 or a status */
bool link_needs_runtime(const struct command_line *line);
/* C sources that nobody marked become objects, where it counts what a program defines; 0 or a status. */
int link_compile_plain(struct command_line *line);
/* The user links -lorrery-load, which only Orrery knows the place of. */
bool link_names_loaders(const struct command_line *line);
/* A program without a parallel loop (all were refused, say) calls the loaders of orrery.h. */
bool link_needs_loaders(const struct command_line *line);
void link_loaders(const struct house *house, struct arg_list *command);
int link_check(const struct command_line *line);
/* An option for each function that the library's file `name` lists: one per line, `#` starts a
 * comment. Returns 1 after a message. */
int link_push_names(const struct house *house, const char *name, const char *option,
                    struct arg_list *command);
int link_extra(const struct command_line *line, const struct house *house,
               struct arg_list *command);

/* ---- accesses.c: programs that watch their own accesses */

/* The host compiler's flags behind the user's. Returns 1 after a message. */
int accesses_push_flags(const struct house *house, struct arg_list *command);
/* Runs a command that may fail: what it says on standard error is shown when it does not. */
int accesses_try(struct command_line *line, const struct arg_list *command);
/* What programs and shared libraries need; 0 or a status. */
int accesses_link(const struct command_line *line, const struct house *house,
                  struct arg_list *command);

#endif
