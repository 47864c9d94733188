/*
 * Messages: one reason, one place, one caret. Every code stands in messages.def with its page in
 * docs/messages/CODE.md, which `orrery explain CODE` prints.
 *
 *   ORR1xxx the loop is parallel      (remark)
 *   ORR2xxx the loop is kept serial   (remark; error with -Werror=serial)
 *   ORR3xxx needs the user            (remark or error)
 *   ORR9xxx the input has errors      (error)
 */
#ifndef ORRERY_ANALYZER_DIAG_H
#define ORRERY_ANALYZER_DIAG_H

#include "analyzer/ir.h"
#include "analyzer/messages.h"

enum severity { SEVERITY_NOTE, SEVERITY_REMARK, SEVERITY_WARNING, SEVERITY_ERROR };

/* An edit that a program can make: the bytes of `range` (none: insert there) become `text`. */
struct edit {
    struct range range;
    const char *text;
};

/* One message. Notes follow the message they belong to. */
struct diag {
    enum severity severity; /* how bad it is */
    const char
        *code; /* "ORR2103"; of a note: it is one more reason; NULL: it explains the message */
    struct range range;  /* the words to blame */
    const char *message; /* in words */
    const char *fix;     /* the edit that would help, in words or as text to insert; NULL: none */
    int nnotes;          /* that follow it */
    struct diag *notes;  /* ... */
    int nedits;          /* of `edits` */
    /* the same as text, to be made together; none where only a person can make it */
    struct edit *edits;
    const char *gives_up; /* what is not as before once they are made; NULL: nothing */
    bool promises;        /* they assert what Orrery cannot prove */
    bool frees;           /* they are a clause, for other values than the serial loop's */
    const char *held;     /* why a program cannot make an edit that there would be; NULL */
    const struct loop
        *loop; /* the loop that it is about, wherever it stands; NULL: none is named */
};

struct diag_list {
    struct arena *arena;
    int count;
    struct diag *items;
    int nerrors;
};

/* Appends a message and returns it, so that notes can
 * be hung on it (valid until the next diag_add). */
struct diag *diag_add(struct diag_list *list, enum severity severity, const char *code,
                      struct range range, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void diag_note(struct diag_list *list, struct diag *diag, struct range range, const char *format,
               ...) __attribute__((format(printf, 4, 5)));

void diag_edit(struct diag_list *list, struct diag *diag, struct range range, const char *text);

/* The place in the user's text (unit->written), and the unit that it is in. In a line that stands
 * here in other words: the same words, where it has them, else the header of the loop that the user
 * wrote there. */
struct range diag_place(const struct unit **unit, struct range range);

/* Whether the user's text has those lines as they stand here. */
bool diag_is_written(const struct unit *unit, const struct range *range);

/* Whether it has edits, all of lines that the user's text has as they stand here. */
bool diag_has_edits(const struct unit *unit, const struct diag *diag);

/* Prints like clang: `file:line:col: remark: message [ORR1201]`, the source line, a caret line,
 * `fix-it:"file":{line:col-line:col}:"text"` for every edit. */
void diag_print(const struct unit *unit, const struct diag *diag, bool color, void *stream);

/* The page of a code (docs/messages/CODE.md, built in), or NULL; title only, or NULL. */
const char *diag_explain(const char *code);
const char *diag_title(const char *code);

/* The known word nearest to `word` (edit distance at most 2 or a third of its length), or NULL. */
const char *diag_nearest(const char *word, const char *const *known, int nknown);

#endif
