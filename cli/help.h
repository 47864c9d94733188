/*
 * What a command's table says of it: as text, as a manual page, as words for completion. Linked
 * into both commands.
 */
#ifndef ORRERY_CLI_HELP_H
#define ORRERY_CLI_HELP_H

#include "cli/options.h"

#include <stdbool.h>

/* --help, --help=man (roff), --help=bash (words), --help=zsh (word:help, one per line), --help=fish
 * (lines of `complete`). */
bool help_wanted(const char *arg);

/* Prints in the form that `arg` asks for. `summary`: one line, for the manual page. */
void help_print(const struct option_set *set, const char *summary, const char *arg);

/* The text as one word of a shell: in quotes, in one line. */
void help_quoted(const char *text);

/* A manual page's first line, for the command `name` ("orrery-run"), its section NAME, and a text in
 * roff. */
void help_man_title(const char *name);
void help_man_name(const char *name, const char *summary);
void help_man_text(const char *text);

/* A list of lines of examples, kept as they are. */
void help_man_examples(const char *examples);

#endif
