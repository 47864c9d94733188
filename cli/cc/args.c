#include "analyzer/analyzer.h"
#include "cli/cc/cc.h"

#include <stdio.h>
#include <string.h>

/*
 * How a word of the host compiler is read. SEPARATE: the value is always the next argument. JOINED:
 * it may be glued or be the next argument. ALONE: the word is exact. PREFIX: whatever follows is
 * part of it.
 */
enum form { FORM_ALONE, FORM_PREFIX, FORM_JOINED, FORM_SEPARATE };

struct known {
    const char *name;
    enum form form;
    enum word_kind kind;
};

/* First match decides; longer names stand before their prefixes. Not listed = COMPILE, ALONE. */
static const struct known known_words[] = {
    {"-MF", FORM_JOINED, WORD_DEPEND},
    {"-MT", FORM_JOINED, WORD_DEPEND},
    {"-MQ", FORM_JOINED, WORD_DEPEND},
    {"-MD", FORM_ALONE, WORD_DEPEND},
    {"-MMD", FORM_ALONE, WORD_DEPEND},
    {"-MP", FORM_ALONE, WORD_DEPEND},
    {"-MG", FORM_ALONE, WORD_DEPEND},
    {"-M", FORM_ALONE, WORD_MODE},
    {"-MM", FORM_ALONE, WORD_MODE},
    {"-Wp,-MD,", FORM_PREFIX, WORD_DEPEND},
    {"-Wp,-MMD,", FORM_PREFIX, WORD_DEPEND},
    {"-c", FORM_ALONE, WORD_MODE},
    {"-S", FORM_ALONE, WORD_MODE},
    {"-E", FORM_ALONE, WORD_MODE},
    {"-fsyntax-only", FORM_ALONE, WORD_MODE},
    {"-o", FORM_JOINED, WORD_OUTPUT},
    {"-x", FORM_JOINED, WORD_LANGUAGE},
    {"-include", FORM_SEPARATE, WORD_COMPILE},
    {"-imacros", FORM_SEPARATE, WORD_COMPILE},
    {"-idirafter", FORM_JOINED, WORD_COMPILE},
    {"-isystem", FORM_JOINED, WORD_COMPILE},
    {"-iquote", FORM_JOINED, WORD_COMPILE},
    {"-isysroot", FORM_JOINED, WORD_COMPILE},
    {"-iprefix", FORM_JOINED, WORD_COMPILE},
    {"-iwithprefixbefore", FORM_JOINED, WORD_COMPILE},
    {"-iwithprefix", FORM_JOINED, WORD_COMPILE},
    {"-imultilib", FORM_SEPARATE, WORD_COMPILE},
    {"-I", FORM_JOINED, WORD_COMPILE},
    {"-D", FORM_JOINED, WORD_COMPILE},
    {"-undef", FORM_ALONE, WORD_COMPILE},
    {"-U", FORM_JOINED, WORD_COMPILE},
    {"-B", FORM_JOINED, WORD_COMPILE},
    {"-A", FORM_JOINED, WORD_COMPILE},
    {"--param", FORM_JOINED, WORD_COMPILE},
    {"-aux-info", FORM_SEPARATE, WORD_COMPILE},
    {"-wrapper", FORM_SEPARATE, WORD_COMPILE},
    {"-dumpbase-ext", FORM_SEPARATE, WORD_COMPILE},
    {"-dumpbase", FORM_SEPARATE, WORD_COMPILE},
    {"-dumpdir", FORM_SEPARATE, WORD_COMPILE},
    {"-Xpreprocessor", FORM_SEPARATE, WORD_COMPILE},
    {"-Xassembler", FORM_SEPARATE, WORD_COMPILE},
    {"-Xclang", FORM_SEPARATE, WORD_COMPILE},
    {"-mllvm", FORM_SEPARATE, WORD_COMPILE},
    {"-target", FORM_SEPARATE, WORD_COMPILE},
    {"-Xlinker", FORM_SEPARATE, WORD_LINK},
    {"-Wl,", FORM_PREFIX, WORD_LINK},
    {"-L", FORM_JOINED, WORD_LINK},
    {"-T", FORM_JOINED, WORD_LINK},
    {"-u", FORM_JOINED, WORD_LINK},
    {"-z", FORM_JOINED, WORD_LINK},
    {"-e", FORM_SEPARATE, WORD_LINK},
    {"-h", FORM_SEPARATE, WORD_LINK},
    {"-rdynamic", FORM_ALONE, WORD_LINK},
    {"-shared", FORM_ALONE, WORD_LINK},
    {"-static-pie", FORM_ALONE, WORD_LINK},
    {"-static-libgcc", FORM_ALONE, WORD_LINK},
    {"-static", FORM_ALONE, WORD_LINK},
    {"-pie", FORM_ALONE, WORD_LINK},
    {"-no-pie", FORM_ALONE, WORD_LINK},
    {"-nostdlib", FORM_ALONE, WORD_LINK},
    {"-nostartfiles", FORM_ALONE, WORD_LINK},
    {"-nodefaultlibs", FORM_ALONE, WORD_LINK},
    {"-fuse-ld=", FORM_PREFIX, WORD_LINK},
    {"-r", FORM_ALONE, WORD_LINK},
    {"-s", FORM_ALONE, WORD_LINK},
};

static const struct known *find_known(const char *arg) {
    for (size_t i = 0; i < sizeof known_words / sizeof *known_words; ++i) {
        const struct known *known = &known_words[i];
        bool prefix = known->form == FORM_PREFIX || known->form == FORM_JOINED;
        if (prefix ? strncmp(arg, known->name, strlen(known->name)) == 0
                   : strcmp(arg, known->name) == 0)
            return known;
    }
    return NULL;
}

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

const char *args_language(const struct word *word) {
    const struct language *language = language_find(word->text, word->language);
    return language ? language->words : word->language ? word->language : "C";
}

static bool is_of(const struct word *word, const char *part) {
    const struct language *language = language_find(word->text, word->language);
    const char *name = word->language ? word->language : "";
    return strstr(language ? language->name : name, part);
}

bool args_is_preprocessed(const struct word *word) {
    return is_of(word, "cpp-output");
}

bool args_is_assembly(const struct word *word) {
    return is_of(word, "assembler") && !is_of(word, "assembler-with-cpp");
}

bool args_is_stdin(const struct word *word) {
    return strcmp(word->text, "-") == 0;
}

static enum input_kind kind_of(const char *name, const char *language) {
    if (language)
        return strcmp(language, "c") == 0 ? INPUT_C : INPUT_OTHER;
    if (has_suffix(name, ".c") || strcmp(name, "-") == 0)
        return INPUT_C;
    return language_find(name, NULL) ? INPUT_OTHER : INPUT_OBJECT;
}

static struct word *push_word(struct command_line *line, struct word word) {
    ARENA_PUSH(line->arena, line->words, line->nwords, word);
    return &line->words[line->nwords - 1];
}

/* ---- options of our own ---------------------------------------------------------------------- */

static int complain(const char *message, const char *value) {
    fprintf(stderr, "orrery-cc: error: %s%s\n", message, value);
    return 2;
}

/* `-plan SOURCE=FILE` has its value in two halves;
 * the file's name may hold `=`, the source's not. */
static int take_plan_of(struct ours *ours, const char *value) {
    const char *equals = strchr(value, '=');
    if (!equals || equals == value || !equals[1])
        return complain("-plan-of needs SOURCE=FILE, not ", value), -1;
    if (ours->with.arena)
        arg_list_push(&ours->plans_of, value);
    return 1;
}

static int take_value(struct ours *ours, const char *name, const char *value) {
    if (strcmp(name, "-target") == 0)
        ours->target = value;
    else if (strcmp(name, "--debug-drop-reads") == 0)
        ours->drop = value;
    else if (strcmp(name, "--debug-change-vector") == 0)
        ours->change = value;
    else if (strcmp(name, "-plan") == 0)
        ours->plan = value;
    else if (strcmp(name, "-plan-of") == 0)
        return take_plan_of(ours, value);
    else if (ours->with.arena && strcmp(name, "-effects") == 0)
        arg_list_push(&ours->effects, value);
    else if (ours->with.arena)
        arg_list_push(&ours->with, value);
    return 1;
}

/* 1: arg is ours (and its value at *at + 1 was taken), 0: not ours, -1: wrong, said. */
static int read_ours(struct command_line *line, int nargs, const char **args, int *at) {
    struct ours *ours = &line->ours;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {{"-auto", &ours->automatic},       {"-allow-fallback", &ours->allow_fallback},
                 {"-Werror=serial", &ours->strict}, {"-Rorrery", &ours->remarks},
                 {"--keep", &ours->keep},           {"-showme", &ours->show},
                 {"-accesses", &ours->accesses},    {"-no-transform", &ours->in_order},
                 {"-own-memory", &ours->own_memory}};
    static const char *const valued[] = {"-plan",
                                         "-plan-of",
                                         "-with",
                                         "-effects",
                                         "-target",
                                         "--debug-drop-reads",
                                         "--debug-change-vector"};
    const char *arg = args[*at], *next = *at + 1 < nargs ? args[*at + 1] : NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        if (strcmp(arg, flags[i].name) == 0)
            return *flags[i].flag = true;
    /* clang has a -target of its own */
    if (strcmp(arg, "-target") == 0 &&
        !(next && (strcmp(next, "cpu") == 0 || strncmp(next, "gpu", 3) == 0)))
        return 0;
    for (size_t i = 0; i < sizeof valued / sizeof *valued; ++i) {
        if (strcmp(arg, valued[i]) != 0)
            continue;
        if (!next)
            return complain(arg, " needs a file"), -1;
        ++*at;
        return take_value(ours, arg, next);
    }
    return 0;
}

bool args_is_ours(const char **args, int nargs, int *at) {
    struct command_line scratch = {.arena = NULL};
    return read_ours(&scratch, nargs, args, at) > 0;
}

/* ---- words that mean something to the steps -------------------------------------------------- */

static void read_depend(struct command_line *line, const char *name, const char *value) {
    struct depends *depends = &line->depends;
    const char *file = strrchr(name, ',');
    if (strncmp(name, "-MD", 3) == 0 || strncmp(name, "-MMD", 4) == 0)
        depends->wanted = true;
    if (strncmp(name, "-MMD", 4) == 0 || strncmp(name, "-Wp,-MMD", 8) == 0)
        depends->user_only = true;
    if (strncmp(name, "-Wp,", 4) == 0) {
        depends->wanted = true;
        depends->file = file + 1;
    }
    if (strcmp(name, "-MP") == 0)
        depends->phony = true;
    if (strcmp(name, "-MG") == 0)
        depends->missing_generated = true;
    if (strncmp(name, "-MF", 3) == 0)
        depends->file = value;
    if (strncmp(name, "-MT", 3) == 0 || strncmp(name, "-MQ", 3) == 0) {
        arg_list_push(&depends->targets, arena_strndup(line->arena, name, 3));
        arg_list_push(&depends->targets, value);
    }
}

static void read_mode(struct command_line *line, const char *name) {
    static const struct {
        const char *name;
        enum cc_mode mode;
    } modes[] = {{"-c", CC_OBJECT},  {"-S", CC_ASSEMBLY}, {"-E", CC_PREPROCESS},
                 {"-M", CC_DEPENDS}, {"-MM", CC_DEPENDS}, {"-fsyntax-only", CC_SYNTAX}};
    static const int rank[] = {[CC_LINK] = 0,   [CC_OBJECT] = 1,     [CC_ASSEMBLY] = 2,
                               [CC_SYNTAX] = 3, [CC_PREPROCESS] = 4, [CC_DEPENDS] = 5};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i)
        if (strcmp(name, modes[i].name) == 0 && rank[modes[i].mode] > rank[line->mode])
            line->mode = modes[i].mode;
}

/* Flags that decide on linking, and on the bits of floating-point results. */
static void read_flag(struct command_line *line, const char *name) {
    static const char *const fast[] = {"-ffast-math", "-Ofast", "-funsafe-math-optimizations",
                                       "-fassociative-math"};
    line->shared |= strcmp(name, "-shared") == 0;
    line->fixed_static |= strcmp(name, "-static") == 0 || strcmp(name, "-static-pie") == 0;
    line->relocatable |= strcmp(name, "-r") == 0;
    if (strcmp(name, "-pie") == 0 || strcmp(name, "-no-pie") == 0)
        line->pie = name[1] == 'p';
    if (strncmp(name, "-fPI", 4) == 0 || strncmp(name, "-fpi", 4) == 0 ||
        strncmp(name, "-fno-pi", 7) == 0 || strncmp(name, "-fno-PI", 7) == 0)
        line->pie_said = true;
    if (strncmp(name, "-fPI", 4) == 0 || strncmp(name, "-fpi", 4) == 0)
        line->pic = name[4] == 'C' || name[4] == 'c';
    if (strcmp(name, "-fno-PIC") == 0 || strcmp(name, "-fno-pic") == 0)
        line->pic = false;
    for (size_t i = 0; i < sizeof fast / sizeof *fast; ++i)
        if (strcmp(name, fast[i]) == 0)
            line->contraction_said = line->contraction = true;
    if (strncmp(name, "-O", 2) == 0)
        line->sized = name[2] == '3' || strcmp(name, "-Ofast") == 0;
    if (strncmp(name, "-O", 2) == 0)
        line->fast = name[2] == '2' || line->sized;
    if (strncmp(name, "-ffp-contract=", 14) == 0) {
        line->contraction_said = true;
        line->contraction |= strcmp(name + 14, "off") != 0;
    }
}

static void read_word(struct command_line *line, int nargs, const char **args, int *at,
                      const char **language) {
    const char *arg = args[*at];
    const struct known *known = find_known(arg);
    size_t length = known ? strlen(known->name) : 0;
    bool takes_next = known && (known->form == FORM_SEPARATE ||
                                (known->form == FORM_JOINED && arg[length] == '\0'));
    const char *next = takes_next && *at + 1 < nargs ? args[++*at] : NULL;
    const char *value = known && known->form == FORM_JOINED && arg[length] ? arg + length : next;
    struct word *word = push_word(
        line,
        (struct word){.kind = known ? known->kind : WORD_COMPILE, .text = arg, .value = next});
    switch (word->kind) {
    case WORD_DEPEND:
        read_depend(line, arg, value);
        break;
    case WORD_MODE:
        read_mode(line, arg);
        break;
    case WORD_OUTPUT:
        line->output = value;
        break;
    case WORD_LANGUAGE:
        *language = value && strcmp(value, "none") != 0 ? value : NULL;
        break;
    default:
        read_flag(line, arg);
    }
}

int args_parse(struct command_line *line, struct arena *arena, int nargs, const char **args) {
    *line = (struct command_line){.arena = arena,
                                  .depends = {.targets = {.arena = arena}},
                                  .ours = {.with = {.arena = arena},
                                           .plans_of = {.arena = arena},
                                           .effects = {.arena = arena}}};
    const char *language = NULL;
    int ninputs = 0;
    bool asks = false;
    for (int i = 0; i < nargs; ++i) {
        const char *arg = args[i];
        asks |= strcmp(arg, "-###") == 0;
        int ours = arg[0] == '-' ? read_ours(line, nargs, args, &i) : 0;
        if (ours < 0)
            return 2;
        if (ours > 0) {
            line->any_ours = true;
        } else if (strncmp(arg, "-l", 2) == 0) {
            const char *value = !arg[2] && i + 1 < nargs ? args[++i] : NULL;
            push_word(line,
                      (struct word){
                          .kind = WORD_INPUT, .input = INPUT_LIBRARY, .text = arg, .value = value});
            ++ninputs;
        } else if (arg[0] != '-' || !arg[1]) {
            push_word(line, (struct word){.kind = WORD_INPUT,
                                          .input = kind_of(arg, language),
                                          .text = arg,
                                          .language = language});
            ++ninputs;
        } else {
            read_word(line, nargs, args, &i, &language);
        }
    }
    line->last_language = language;
    if (ninputs == 0 || asks)
        line->mode = CC_INFO;
    return 0;
}
