/*
 * Turns `orrery analyze --format=json` into claims.h: per loop what record_check holds the recorded
 * accesses against. The dims are taken over as C expressions, as the report names them.
 *
 *   usage: claims COUNT < analysis.json > claims.h
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
        if (strcmp(text_of(loop, "function"), function) == 0 &&
            json_is_true(json_object_get(loop, "marked")))
            return loop;
    }
    fprintf(stderr, "claims: no marked loop in %s\n", function);
    exit(1);
}

/* The dim that arrays with this placement are cut along, else `otherwise`. */
static int dim_of(json_t *loop, const char *placement, int otherwise) {
    json_t *array;
    size_t i;
    json_array_foreach(json_object_get(loop, "arrays"), i, array) {
        int dim = (int)json_integer_value(json_object_get(array, "dim"));
        if (strcmp(text_of(array, "placement"), placement) == 0 && dim >= 0)
            return dim;
    }
    return otherwise;
}

static const char *dim_name(json_t *loop, int dim) {
    return text_of(json_array_get(json_object_get(loop, "dims"), (size_t)dim), "name");
}

static void print_privates(json_t *loop) {
    json_t *one;
    size_t i;
    printf("\",");
    json_array_foreach(json_object_get(loop, "private"), i, one)
        printf("%s,", json_string_value(one));
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

static void print_claim(json_t *loop, int index) {
    int parallel = strcmp(text_of(loop, "verdict"), "parallel") == 0;
    int dims = parallel ? dims_of(loop) : 0;
    int space = dim_of(loop, "resident", 0), time = dim_of(loop, "rotating", space == 0);
    printf("#define SPACE_%d %s\n", index, dims >= 1 ? dim_name(loop, space) : "0");
    printf("#define TIME_%d %s\n", index, dims >= 2 ? dim_name(loop, time) : "0");
    printf("#define CLAIM_%d {%d, %d, %d, \"%s\", ", index, parallel, dims,
           json_array_size(json_object_get(loop, "guards")) > 0, text_of(loop, "strategy"));
    print_privates(loop);
    printf(", ");
    print_reductions(loop);
    printf("}\n");
}

int main(int argc, char **argv) {
    json_error_t error;
    json_t *root = argc == 2 ? json_loadf(stdin, 0, &error) : NULL;
    if (!root) {
        fprintf(stderr, "usage: claims COUNT < analysis.json\n");
        return 2;
    }
    for (int i = 0; i < atoi(argv[1]); ++i) {
        char function[32];
        snprintf(function, sizeof function, "loop_%d", i);
        print_claim(loop_named(root, function), i);
    }
    json_decref(root);
    return 0;
}
