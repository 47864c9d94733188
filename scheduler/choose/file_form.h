/*
 * A plan file as JSON (docs/plan.md): its text, its form, and messages that point into it. What it
 * means is file_read.c's.
 */
#ifndef ORRERY_SCHEDULER_CHOOSE_FILE_FORM_H
#define ORRERY_SCHEDULER_CHOOSE_FILE_FORM_H

#include "scheduler/choose/file.h"

enum { FORM_STEPS = 8 };

/*
 * One plan file being looked at. `unit`, `diags`: where its text and the messages go. `text`,
 * `size`, `file` (index in the unit's files): set by form_open.
 * `steps`: the path to the value looked at.
 */
struct plan_form {
    struct unit *unit;
    struct diag_list *diags;
    const char *path, *text;
    size_t size;
    int file;
    int nsteps;
    struct json_step steps[FORM_STEPS];
};

#define FORM_TEXT(form, ...) arena_printf((form)->unit->arena, __VA_ARGS__)

/* Reads the file `path`; it becomes one of the unit's files, so that messages can show its lines.
 * False: ORR9201. */
bool form_open(struct plan_form *form);

/* The text as JSON; NULL: ORR9201. The caller gives it back. */
json_t *form_parse(struct plan_form *form);

/* The members of the whole and its schema; of a loop;
 * of one of its arrays. False after a message. */
bool form_root(struct plan_form *form, json_t *root);
bool form_loop(struct plan_form *form, json_t *entry);
bool form_array(struct plan_form *form, json_t *entry);

/* A member of an object: its name, the type it must have, and whether it must be there. What may be
 * one value or a list may be null, too. */
struct form_member {
    const char *name;
    json_type type, other_type;
    bool required;
};

/* A member that is a string, else NULL. */
const char *form_string(const json_t *object, const char *name);

/* To a member, or to an element of a list; and back. */
void form_enter(struct plan_form *form, const char *member, int element);
void form_leave(struct plan_form *form);

/* Says it at the value looked at, or at its member `member`. Always false. */
bool form_fail(struct plan_form *form, const char *member, const char *code, const char *message,
               const char *fix);

/* "did you mean ...?", or NULL. */
const char *form_meant(struct plan_form *form, const char *word, const char *const *known, int n);

#endif
