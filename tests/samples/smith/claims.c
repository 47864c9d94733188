/*
 * Turns `orrery analyze --format=json` and the plan into claims.h: per loop what record_check holds
 * the recorded accesses against. Dims and guards are taken over as C expressions, as reported.
 *
 *   usage: claims COUNT analysis.json plan.json > claims.h
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_t *loop_named(json_t *root, const char *function) {
    json_t *loop;
    size_t i;
    json_array_foreach(json_object_get(root, "loops"), i, loop) {
        if (strcmp(text_of(loop, "function"), function) == 0)
            return loop;
    }
    fprintf(stderr, "claims: no loop in %s\n", function);
    exit(1);
}

/* The dim that the plan calls `which` ("space", "time"), 0 when it has none. */
static const char *dim_name(json_t *planned, const char *which) {
    const char *name = text_of(planned, which);
    return *name ? name : "0";
}

/* The conjunction of those guards that are conditions; the others speak of overlap. */
static void print_guards(json_t *loop, int index) {
    json_t *one;
    size_t i;
    printf("#define GUARD_%d 1", index);
    json_array_foreach(json_object_get(loop, "guards"), i, one) {
        if (!strstr(json_string_value(one), "overlap"))
            printf(" && (%s)", json_string_value(one));
    }
    printf("\n");
}

static void print_privates(json_t *loop) {
    json_t *one;
    size_t i;
    printf("\",");
    json_array_foreach(json_object_get(loop, "private"), i, one)
        printf("%s,", json_string_value(one));
    printf("\"");
}

/* Names of the objects that the tool tells apart. */
static void print_objects(json_t *loop) {
    json_t *one;
    size_t i;
    printf("\",");
    json_array_foreach(json_object_get(loop, "arrays"), i, one) printf("%s,", text_of(one, "name"));
    printf("\"");
}

/* Pairs of objects that the run checks: "a and b". */
static void print_apart(json_t *loop) {
    json_t *one;
    size_t i;
    printf("\",");
    json_array_foreach(json_object_get(loop, "guards"), i, one) {
        const char *text = json_string_value(one), *end = strstr(text, " do not overlap");
        if (end)
            printf("%.*s,", (int)(end - text), text);
    }
    printf("\"");
}

/* `+ s0` and the like; min and max are `m` and `M` to the recorder. */
static void print_reductions(json_t *loop) {
    json_t *one;
    size_t i;
    printf("\",");
    json_array_foreach(json_object_get(loop, "reductions"), i, one) {
        const char *op = text_of(one, "op");
        char sign = strcmp(op, "min") == 0 ? 'm' : strcmp(op, "max") == 0 ? 'M' : op[0];
        printf("%c %s,", sign, text_of(one, "object"));
    }
    printf("\"");
}

/* An ordered loop may only be cut along one dim, or not at all. */
static int dims_of(json_t *loop) {
    const char *strategy = text_of(loop, "strategy");
    int ordered = strcmp(text_of(loop, "order"), "ordered") == 0;
    if (strcmp(strategy, "rotation-2d") == 0)
        return ordered ? 0 : 2;
    return strcmp(strategy, "partition-1d") == 0;
}

static void print_claim(json_t *loop, json_t *planned, int index) {
    int parallel = strcmp(text_of(loop, "verdict"), "parallel") == 0;
    int dims = parallel ? dims_of(loop) : 0;
    printf("#define SPACE_%d %s\n", index, dims >= 1 ? dim_name(planned, "space") : "0");
    printf("#define TIME_%d %s\n", index, dims >= 2 ? dim_name(planned, "time") : "0");
    print_guards(loop, index);
    printf("#define CLAIM_%d {%d, %d, \"%s\", ", index, parallel, dims, text_of(loop, "strategy"));
    print_privates(loop);
    printf(", ");
    print_reductions(loop);
    printf(", ");
    print_objects(loop);
    printf(", ");
    print_apart(loop);
    printf("}\n");
}

static json_t *load(const char *path) {
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (root)
        return root;
    fprintf(stderr, "claims: %s: %s\n", path, error.text);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: claims COUNT analysis.json plan.json\n");
        return 2;
    }
    json_t *analysis = load(argv[2]), *plan = load(argv[3]);
    for (int i = 0; i < atoi(argv[1]); ++i) {
        char function[32];
        snprintf(function, sizeof function, "loop_%d", i);
        print_claim(loop_named(analysis, function), loop_named(plan, function), i);
    }
    json_decref(analysis);
    json_decref(plan);
    return 0;
}
