/*
 * A plan file as JSON: what it has to look like, and where in it something stands.
 */
#include "scheduler/choose/file_form.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places and messages --------------------------------------------------------------------- */

static struct loc loc_at(const struct plan_form *form, size_t offset) {
    struct loc loc = {.file = form->file, .line = 1, .column = 1, .offset = (unsigned)offset};
    for (size_t i = 0; i < offset && i < form->size; ++i) {
        loc.column = form->text[i] == '\n' ? 1 : loc.column + 1;
        loc.line += form->text[i] == '\n';
    }
    return loc;
}

static size_t value_length(const char *p) {
    if (*p == '"') {
        const char *end = strpbrk(p + 1, "\"\n");
        return end && *end == '"' ? (size_t)(end - p) + 1 : 1;
    }
    size_t word = strcspn(p, " \t\form\n,:{}[]\"");
    return word > 0 ? word : 1;
}

static struct range place(const struct plan_form *form) {
    size_t offset = plan_json_find(form->text, form->nsteps, form->steps);
    struct range range = {.exact = true, .begin = loc_at(form, offset)};
    range.end = loc_at(form, offset + value_length(form->text + offset));
    return range;
}

void form_enter(struct plan_form *form, const char *member, int element) {
    if (form->nsteps < FORM_STEPS)
        form->steps[form->nsteps] = (struct json_step){member, element};
    ++form->nsteps;
}

void form_leave(struct plan_form *form) {
    --form->nsteps;
}

bool form_fail(struct plan_form *form, const char *member, const char *code, const char *message,
               const char *fix) {
    if (member)
        form_enter(form, member, 0);
    struct diag *diag = diag_add(form->diags, SEVERITY_ERROR, code, place(form), "%s", message);
    diag->fix = fix;
    if (member)
        form_leave(form);
    return false;
}

const char *form_meant(struct plan_form *form, const char *word, const char *const *known, int n) {
    const char *nearest = diag_nearest(word, known, n);
    return nearest ? FORM_TEXT(form, "did you mean \"%s\"?", nearest) : NULL;
}

/* ---- form ------------------------------------------------------------------------------------ */

static const char *type_name(json_type type) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object",    [JSON_ARRAY] = "a list",  [JSON_STRING] = "a string",
        [JSON_INTEGER] = "an integer",  [JSON_REAL] = "a number", [JSON_TRUE] = "a truth value",
        [JSON_FALSE] = "a truth value", [JSON_NULL] = "null"};
    return names[type];
}

static bool check_field(struct plan_form *form, const json_t *object,
                        const struct form_member *field) {
    const json_t *value = json_object_get(object, field->name);
    if (!value) {
        return !field->required ||
               form_fail(form, NULL, ORR9202,
                         FORM_TEXT(form, "the field \"%s\" is missing", field->name),
                         "`orrery plan` writes all that are needed");
    }
    if (json_typeof(value) == field->type || json_typeof(value) == field->other_type ||
        (field->other_type == JSON_ARRAY && field->type != JSON_ARRAY && json_is_null(value)))
        return true;
    return form_fail(form, field->name, ORR9202,
                     FORM_TEXT(form, "\"%s\" must be %s, not %s", field->name,
                               type_name(field->type), type_name(json_typeof(value))),
                     NULL);
}

static bool form_check(struct plan_form *form, json_t *object, int n,
                       const struct form_member *fields) {
    const char *names[16], *name;
    json_t *value;
    if (!json_is_object(object))
        return form_fail(form, NULL, ORR9202, "this must be an object", NULL);
    for (int i = 0; i < n; ++i) {
        names[i] = fields[i].name;
        if (!check_field(form, object, &fields[i]))
            return false;
    }
    json_object_foreach(object, name, value) {
        bool known = false;
        for (int i = 0; i < n; ++i)
            known = known || strcmp(names[i], name) == 0;
        if (!known) {
            return form_fail(form, name, ORR9202, FORM_TEXT(form, "unknown field \"%s\"", name),
                             form_meant(form, name, names, n));
        }
    }
    return true;
}

const char *form_string(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

bool form_root(struct plan_form *form, json_t *root) {
    static const struct form_member fields[] = {{"schema", JSON_STRING, JSON_STRING, true},
                                                {"file", JSON_STRING, JSON_STRING, false},
                                                {"loops", JSON_ARRAY, JSON_ARRAY, true}};
    if (!form_check(form, root, 3, fields))
        return false;
    if (strcmp(form_string(root, "schema"), PLAN_SCHEMA) != 0) {
        return form_fail(form, "schema", ORR9203,
                         FORM_TEXT(form, "schema \"%s\" is not one that this Orrery reads",
                                   form_string(root, "schema")),
                         "it reads \"" PLAN_SCHEMA "\"");
    }
    return true;
}

bool form_loop(struct plan_form *form, json_t *entry) {
    static const struct form_member fields[] = {
        {"function", JSON_STRING, JSON_STRING, true}, {"ordinal", JSON_INTEGER, JSON_INTEGER, true},
        {"line", JSON_INTEGER, JSON_INTEGER, false},  {"tokens", JSON_STRING, JSON_STRING, true},
        {"strategy", JSON_STRING, JSON_STRING, true}, {"space", JSON_STRING, JSON_NULL, false},
        {"partner", JSON_STRING, JSON_NULL, false},   {"grid", JSON_ARRAY, JSON_ARRAY, false},
        {"time", JSON_STRING, JSON_ARRAY, false},     {"seed", JSON_INTEGER, JSON_INTEGER, false},
        {"arrays", JSON_ARRAY, JSON_ARRAY, false},    {"reason", JSON_OBJECT, JSON_OBJECT, false},
        {"why", JSON_OBJECT, JSON_OBJECT, false},     {"memory", JSON_ARRAY, JSON_ARRAY, false}};
    return form_check(form, entry, sizeof fields / sizeof *fields, fields);
}

bool form_array(struct plan_form *form, json_t *entry) {
    static const struct form_member fields[] = {{"name", JSON_STRING, JSON_STRING, true},
                                                {"placement", JSON_STRING, JSON_STRING, true},
                                                {"dim", JSON_STRING, JSON_NULL, false}};
    return form_check(form, entry, sizeof fields / sizeof *fields, fields);
}

/* ---- the file -------------------------------------------------------------------------------- */

static char *read_text(struct arena *arena, FILE *in, size_t *size) {
    char *text = NULL, *bytes = NULL;
    size_t room = 0, n;
    for (*size = 0;; *size += n) {
        if (*size + 4096 > room) {
            room = room * 2 + 8192;
            bytes = realloc(text, room);
            if (!bytes)
                abort();
            text = bytes;
        }
        n = fread(text + *size, 1, 4096, in);
        if (n == 0)
            break;
    }
    char *copy = arena_strndup(arena, text, *size);
    free(text);
    return copy;
}

static void form_take(struct plan_form *form, const char *text, size_t size) {
    struct source_file file = {form->path, (char *)text, size};
    form->text = text;
    form->size = size;
    form->file = form->unit->nfiles;
    ARENA_PUSH(form->unit->arena, form->unit->files, form->unit->nfiles, file);
}

bool form_open(struct plan_form *form) {
    FILE *in = fopen(form->path, "r");
    char *text = in ? read_text(form->unit->arena, in, &form->size) : NULL;
    bool good = in && !ferror(in);
    int error = errno;
    if (in)
        fclose(in);
    if (!good) {
        struct range nowhere = {.begin.file = -1, .end.file = -1};
        diag_add(form->diags, SEVERITY_ERROR, ORR9201, nowhere, "cannot read the plan file %s: %s",
                 form->path, strerror(error))
            ->fix = "check the path; orrery plan FILE.c -o PLAN.json writes a plan file";
        return false;
    }
    form_take(form, text, form->size);
    return true;
}

json_t *form_parse(struct plan_form *form) {
    json_error_t error;
    json_t *root = json_loadb(form->text, form->size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        size_t offset = error.position > 0 ? (size_t)error.position - 1 : 0;
        struct range range = {.exact = true, .begin = loc_at(form, offset)};
        range.end = loc_at(form, offset + 1);
        diag_add(form->diags, SEVERITY_ERROR, ORR9201, range, "this is not JSON: %s", error.text)
            ->fix = "correct it here, or have it written anew: orrery plan FILE.c -o PLAN.json";
    }
    return root;
}
