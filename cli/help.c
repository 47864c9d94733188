#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#ifndef ORRERY_VERSION
#define ORRERY_VERSION "unknown"
#endif
#ifndef ORRERY_DATE
#define ORRERY_DATE "1970-01-01"
#endif

bool help_wanted(const char *arg) {
    return strcmp(arg, "--help") == 0 || strcmp(arg, "--help=man") == 0 ||
           strcmp(arg, "--help=bash") == 0 || strcmp(arg, "--help=zsh") == 0 ||
           strcmp(arg, "--help=fish") == 0;
}

/* `--name=VALUE`, `-name VALUE`. */
static const char *glue(const struct option_spec *spec) {
    return spec->name[1] == '-' ? "=" : " ";
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Further lines of `help` stand below its first. */
static void print_row(const char *left, const char *help) {
    printf("  %-26s ", left);
    for (; *help; ++help)
        if (*help == '\n')
            printf("\n%29s", "");
        else
            putchar(*help);
    putchar('\n');
}

static void print_text(const struct option_set *set) {
    printf("usage: %s\n\n%s\n", set->usage, set->about);
    printf("\noptions:\n");
    for (int i = 0; i < set->nspecs; ++i) {
        const struct option_spec *spec = &set->specs[i];
        char left[80];
        if (spec->value)
            snprintf(left, sizeof left, "%s%s%s", spec->name, glue(spec), spec->value);
        else
            snprintf(left, sizeof left, "%s", spec->name);
        print_row(left, spec->help);
    }
    print_row("--help", "this text");
    printf("\nexamples:\n%s\n", set->examples);
}

/* ---- a manual page --------------------------------------------------------------------------- */

/* One line; a dot or quote in front would be a request, a minus a hyphen. */
static void man_line(const char *text, size_t length) {
    if (length > 0 && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; ++i)
        switch (text[i]) {
        case '\\':
            fputs("\\e", stdout);
            break;
        case '-':
            fputs("\\-", stdout);
            break;
        case '\n':
            putchar(' ');
            break;
        default:
            putchar(text[i]);
        }
    putchar('\n');
}

/* Text that is filled, in lines of at most 70 characters before they are escaped. */
static void man_fill(const char *text) {
    char line[128];
    size_t used = 0;
    while (*text) {
        text += strspn(text, " \n");
        size_t length = strcspn(text, " \n");
        if (used > 0 && (used + 1 + length > 70 || length == 0)) {
            man_line(line, used);
            used = 0;
        }
        length = length < sizeof line - 1 ? length : sizeof line - 1;
        if (used > 0)
            line[used++] = ' ';
        memcpy(line + used, text, length);
        used += length;
        text += length;
    }
    if (used > 0)
        man_line(line, used);
}

/* Without the two blanks in front. */
static void man_lines(const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n"), blank = strspn(text, " ");
        blank = blank < 2 ? blank : 2;
        man_line(text + blank, length - blank);
        text += length + (text[length] == '\n');
    }
}

void help_man_title(const char *name) {
    printf(".TH \"");
    for (; *name; ++name)
        putchar(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
    printf("\" 1 \"%s\" \"Orrery %s\" \"Orrery\"\n", ORRERY_DATE, ORRERY_VERSION);
}

void help_man_text(const char *text) {
    man_fill(text);
}

void help_man_name(const char *name, const char *summary) {
    char text[512];
    snprintf(text, sizeof text, "%s - %s", name, summary);
    printf(".SH NAME\n");
    man_fill(text);
}

void help_man_examples(const char *examples) {
    printf(".SH EXAMPLES\n.nf\n");
    man_lines(examples);
    printf(".fi\n");
}

/* The text up to its words on the exit status, then those. */
static void man_about(const char *about) {
    static const char mark[] = "Exit status: ";
    const char *exits = strstr(about, mark);
    char before[2048];
    snprintf(before, sizeof before, "%.*s", exits ? (int)(exits - about) : (int)strlen(about),
             about);
    printf(".SH DESCRIPTION\n");
    help_man_text(before);
    if (!exits)
        return;
    printf(".SH \"EXIT STATUS\"\n");
    help_man_text(exits + strlen(mark));
}

static void man_options(const struct option_set *set) {
    printf(".SH OPTIONS\n");
    for (int i = 0; i < set->nspecs; ++i) {
        const struct option_spec *spec = &set->specs[i];
        char left[128];
        snprintf(left, sizeof left, "%s%s%s", spec->name, spec->value ? glue(spec) : "",
                 spec->value ? spec->value : "");
        printf(".TP\n.B ");
        man_line(left, strlen(left));
        man_fill(spec->help);
    }
    printf(".TP\n.B \\-\\-help\nPrint a summary of this page.\n");
}

static void print_man(const struct option_set *set, const char *summary) {
    char name[64];
    snprintf(name, sizeof name, "orrery-%s", set->command);
    help_man_title(name);
    help_man_name(name, summary);
    printf(".SH SYNOPSIS\n.nf\n");
    man_lines(set->usage);
    printf(".fi\n");
    man_about(set->about);
    man_options(set);
    help_man_examples(set->examples);
    printf(".SH \"SEE ALSO\"\n.BR orrery (1),\n.BR orrery\\-cc (1),\n.BR orrery\\-env (1),\n"
           ".BR orrery\\-pragma (7)\n");
}

/* ---- words for completion -------------------------------------------------------------------- */

void help_quoted(const char *text) {
    putchar('\'');
    for (; *text; ++text)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text == '\n' ? ' ' : *text);
    putchar('\'');
}

/* One word; in quotes for the shell, with its help for zsh. */
static void print_word(const char *word, size_t length, const char *value, size_t value_length,
                       const char *help) {
    char text[512];
    snprintf(text, sizeof text, "%.*s%s%.*s%s%s", (int)length, word, value ? "=" : "",
             (int)value_length, value ? value : "", help ? ":" : "", help ? help : "");
    if (!help) {
        printf("%s ", text);
        return;
    }
    printf("        ");
    help_quoted(text);
    putchar('\n');
}

/* An option that takes one of several words is one word for each of them. */
static void print_choices(const struct option_spec *spec, const char *help) {
    for (const char *at = spec->value; *at;) {
        size_t length = strcspn(at, "|");
        print_word(spec->name, strlen(spec->name), at, length, help);
        at += length + (at[length] == '|');
    }
}

static void print_words(const struct option_set *set, bool zsh) {
    for (int i = 0; i < set->nspecs; ++i) {
        const struct option_spec *spec = &set->specs[i];
        const char *help = zsh ? spec->help : NULL;
        bool glued = spec->value && spec->name[1] == '-';
        if (glued && spec->kind == OPTION_CHOICE)
            print_choices(spec, help);
        else
            print_word(spec->name, strlen(spec->name), glued ? "" : NULL, 0, help);
    }
    print_word("--help", 6, NULL, 0, zsh ? "how it is used" : NULL);
}

/* ---- fish ------------------------------------------------------------------------------------ */

/* `--name`, `-n` or `-name`, as complete(1) of fish tells them apart. */
static void fish_option(const struct option_set *set, const char *name, const char *help) {
    if (strcmp(set->command, "cc") == 0)
        printf("complete -c orrery-cc");
    else
        printf("complete -c orrery -n '__fish_seen_subcommand_from %s'", set->command);
    const char *kind = name[1] == '-' ? "-l" : name[2] ? "-o" : "-s";
    printf(" %s ", kind);
    help_quoted(name + (name[1] == '-' ? 2 : 1));
    printf(" -d ");
    help_quoted(help);
}

static void print_fish(const struct option_set *set) {
    for (int i = 0; i < set->nspecs; ++i) {
        const struct option_spec *spec = &set->specs[i];
        fish_option(set, spec->name, spec->help);
        printf("%s", spec->value ? " -r" : "");
        if (spec->kind == OPTION_CHOICE) {
            printf(" -f -a '");
            for (const char *at = spec->value; *at; ++at)
                putchar(*at == '|' ? ' ' : *at);
            printf("'");
        }
        putchar('\n');
    }
    fish_option(set, "--help", "how it is used");
    putchar('\n');
}

void help_print(const struct option_set *set, const char *summary, const char *arg) {
    if (strcmp(arg, "--help=man") == 0)
        print_man(set, summary);
    else if (strcmp(arg, "--help=fish") == 0)
        print_fish(set);
    else if (strcmp(arg, "--help") != 0)
        print_words(set, strcmp(arg, "--help=zsh") == 0);
    else
        print_text(set);
}
