/*
 * One line per marked loop of `orrery analyze --format=json` on standard input:
 * "parallel STRATEGY" or "serial CODE", in the order of the text.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

int main(void) {
    json_error_t error;
    json_t *root = json_loadf(stdin, 0, &error), *loop;
    size_t i;
    if (!root) {
        fprintf(stderr, "line %d: %s\n", error.line, error.text);
        return 2;
    }
    json_array_foreach(json_object_get(root, "loops"), i, loop) {
        const char *verdict = text_of(loop, "verdict");
        if (!json_is_true(json_object_get(loop, "marked")))
            continue;
        if (strcmp(verdict, "parallel") == 0)
            printf("parallel %s\n", text_of(loop, "strategy"));
        else
            printf("%s %s\n", verdict,
                   text_of(json_array_get(json_object_get(loop, "reasons"), 0), "code"));
    }
    json_decref(root);
    return 0;
}
