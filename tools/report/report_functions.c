/* What functions other languages can call, for those who make the calls (bindings/python). */
#include "tools/report/report.h"

/* Of a struct's pointers only that they are some: types may be circular. */
static json_t *type_json(const struct type *type, bool deep);

static const char *const kinds[] = {
    [TYPE_VOID] = "void",         [TYPE_BOOL] = "bool",       [TYPE_INT] = "int",
    [TYPE_FLOAT] = "float",       [TYPE_POINTER] = "pointer", [TYPE_ARRAY] = "array",
    [TYPE_VLA] = "array",         [TYPE_STRUCT] = "struct",   [TYPE_UNION] = "union",
    [TYPE_FUNCTION] = "function", [TYPE_OTHER] = "other"};

static json_t *fields_json(const struct record *record) {
    json_t *list = json_array();
    for (int i = 0; record && i < record->nfields; ++i) {
        const struct field *field = &record->fields[i];
        json_array_append_new(
            list, json_pack("{s:o, s:I, s:b, s:o}", "name", report_string(field->name), "offset",
                            (json_int_t)(field->offset_bits / 8), "bits", field->bit_width >= 0,
                            "type", type_json(field->type, false)));
    }
    return list;
}

/* The elements of an array: their number, or the name of the parameter that says it. */
static json_t *count_json(const struct type *type) {
    const struct expr *count = type->vla_count;
    if (type->kind == TYPE_ARRAY)
        return json_integer(type->count);
    bool named = count && count->kind == EXPR_VAR && count->var->storage == STORAGE_PARAM;
    return named ? json_string(count->var->name) : json_null();
}

static json_t *type_json(const struct type *type, bool deep) {
    json_t *out = json_pack("{s:s, s:I, s:b, s:b, s:o}", "kind", kinds[type->kind], "size",
                            (json_int_t)type->size, "signed", type->is_signed, "const",
                            type->is_const, "spelling", report_string(type->spelling));
    bool leads = type->kind == TYPE_POINTER ? deep : type_is_array(type);
    if (leads)
        json_object_set_new(out, "element", type_json(type->element, deep));
    if (type_is_array(type))
        json_object_set_new(out, "count", count_json(type));
    if (type->kind == TYPE_STRUCT)
        json_object_set_new(out, "fields", fields_json(type->record));
    return out;
}

static json_t *function_json(const struct function *function) {
    json_t *params = json_array();
    for (int i = 0; i < function->nparams; ++i)
        json_array_append_new(params, json_pack("{s:o, s:o}", "name",
                                                report_string(function->params[i]->name), "type",
                                                type_json(function->params[i]->type, true)));
    return json_pack("{s:s, s:i, s:b, s:o, s:o}", "name", function->name, "line",
                     (int)function->range.begin.line, "variadic", function->is_variadic, "result",
                     type_json(function->result, false), "params", params);
}

void report_functions(const struct compilation *pipeline, const char *file, void *stream) {
    const struct unit *unit = pipeline->unit;
    json_t *list = json_array();
    for (int i = 0; unit && i < unit->nfunctions; ++i) {
        const struct function *function = unit->functions[i];
        if (function->body && !function->is_static && !function->symbol)
            json_array_append_new(list, function_json(function));
    }
    json_t *root = json_pack("{s:s, s:o, s:o}", "schema", "orrery-functions/1", "file",
                             report_string(file), "functions", list);
    json_dumpf(root, stream, JSON_COMPACT);
    fputc('\n', stream);
    json_decref(root);
}
