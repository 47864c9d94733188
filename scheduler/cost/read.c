#include "scheduler/cost/read.h"

#include <math.h>
#include <string.h>

bool reader_complain(struct reader *reader, const char *where, const char *wrong) {
    if (!reader->why)
        reader->why = arena_printf(reader->arena, "%s: %s%s%s", reader->file, where,
                                   *where ? ": " : "", wrong);
    return false;
}

static json_t *refuse(struct reader *reader, json_t *root, const char *wrong) {
    json_decref(root);
    reader_complain(reader, "", wrong);
    return NULL;
}

json_t *reader_open(struct reader *reader, const char *path, const char *schema) {
    json_error_t error;
    reader->file = path;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root && error.line > 0) {
        reader->why = arena_printf(reader->arena, "%s:%d:%d: this is not JSON: %s", path,
                                   error.line, error.column, error.text);
        return NULL;
    }
    if (!root) {
        reader->why = arena_printf(reader->arena, "%s", error.text);
        return NULL;
    }
    const char *found = json_string_value(json_object_get(root, "schema"));
    if (!found)
        return refuse(reader, root,
                      arena_printf(reader->arena, "no \"schema\"; \"%s\" is expected", schema));
    if (strcmp(found, schema) != 0)
        return refuse(
            reader, root,
            arena_printf(reader->arena, "its schema is \"%s\", \"%s\" is expected", found, schema));
    return root;
}

double reader_number(struct reader *reader, const json_t *object, const char *where,
                     const char *name, double least, double preset) {
    const json_t *value = json_object_get(object, name);
    const char *place = arena_printf(reader->arena, "%s.%s", where, name);
    if (!value && !isnan(preset))
        return preset;
    if (!json_is_number(value)) {
        reader_complain(reader, place, value ? "not a number" : "missing");
        return least;
    }
    double number = json_number_value(value);
    if (!(number >= least && number < 1e18)) {
        reader_complain(reader, place, arena_printf(reader->arena, "less than %g", least));
        return least;
    }
    return number;
}

const char *reader_text(struct reader *reader, const json_t *object, const char *where,
                        const char *name, const char *preset) {
    const json_t *value = json_object_get(object, name);
    if (!value && preset)
        return preset;
    if (json_is_string(value))
        return arena_printf(reader->arena, "%s", json_string_value(value));
    reader_complain(reader, arena_printf(reader->arena, "%s.%s", where, name),
                    value ? "not a string" : "missing");
    return "";
}

const json_t *reader_list(struct reader *reader, const json_t *object, const char *where,
                          const char *name) {
    const json_t *value = json_object_get(object, name);
    if (json_is_array(value))
        return value;
    reader_complain(reader, arena_printf(reader->arena, "%s.%s", where, name),
                    value ? "not an array" : "missing");
    return NULL;
}
