/*
 * Holds what `orrery analyze --format=json` says of a file's one marked loop against what the first
 * comment of the file expects. The expectations are reasoned out by hand.
 *
 *   usage: expect FILE.c < analysis.json        exit status 0: all as expected
 *
 *   expect: parallel STRATEGY[|STRATEGY] [ordered|unordered]
 *   dims: NAME, NAME           the dims, in any order       keys: N      so many dims, all keys
 *   carried OBJECT: DIM=ENTRY  its carried dependences have this entry in this dim, `*` elsewhere;
 *                              an object without such a line carries none
 *   carried: none              no object carries any
 *   reductions: OP OBJECT, ... all of them    private: NAME, ... at least these; `none`: no one
 *   guards: none|some          guard: WORDS      one of them says this
 *   assumed: WORDS             one of the assumptions says this
 *   placed: A B                one is resident, the other rotates
 *   rotating: A B ...          all of these rotate
 *   carried OBJECT: pair       its carried dependences are between two keys: one vector at least is
 *                              `*` in all dims
 *   expect: serial CODE LINE:COLUMN `TEXT`      the reason, its place, and what stands there
 */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 32, LINE = 512 };

/* `key` up to the colon, `value` behind it; the first one is "expect". */
struct expectation {
    char key[LINE], value[LINE];
};

static int failures;

static void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stdout, format, arguments);
    va_end(arguments);
    putchar('\n');
    ++failures;
}

/* ---- the header ---- */

static char *trim(char *text) {
    text += strspn(text, " \t*/");
    char *end = text + strlen(text);
    while (end > text && strchr(" \t\n", end[-1]))
        --end;
    if (end - text >= 2 && strncmp(end - 2, "*/", 2) == 0)
        end -= 2;
    while (end > text && strchr(" \t\n", end[-1]))
        --end;
    *end = '\0';
    return text;
}

static int read_expectations(const char *path, struct expectation *out) {
    char line[LINE];
    int count = 0, last = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    while (!last && count < MAX_LINES && fgets(line, sizeof line, file)) {
        last = strstr(line, "*/") != NULL;
        char *text = trim(line), *colon = strstr(text, ": ");
        if (!colon)
            continue;
        *colon = '\0';
        snprintf(out[count].key, LINE, "%s", text);
        snprintf(out[count++].value, LINE, "%s", colon + 2);
    }
    fclose(file);
    if (!count || strcmp(out[0].key, "expect") != 0) {
        fprintf(stderr, "%s: the first line is no `expect:`\n", path);
        exit(2);
    }
    return count;
}

/* Line `number` of the file, without its end. */
static void source_line(const char *path, int number, char *out) {
    FILE *file = fopen(path, "r");
    *out = '\0';
    for (int i = 0; file && i < number; ++i)
        if (!fgets(out, LINE, file))
            *out = '\0';
    if (file)
        fclose(file);
    out[strcspn(out, "\n")] = '\0';
}

/* ---- the analysis ---- */

static const char *text_of(json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static int int_of(json_t *object, const char *key) {
    return (int)json_integer_value(json_object_get(object, key));
}

static json_t *marked_loop(json_t *root) {
    json_t *found = NULL, *loop;
    size_t i;
    json_array_foreach(json_object_get(root, "loops"), i, loop) {
        if (!json_is_true(json_object_get(loop, "marked")))
            continue;
        if (found)
            complain("more than one loop is marked");
        found = loop;
    }
    return found;
}

/* The next item of a comma-separated list in `buffer` (advances *at), or NULL. */
static char *next_item(char **at) {
    while (*at && **at) {
        char *item = *at, *comma = strstr(item, ", ");
        *at = comma ? comma + 2 : NULL;
        if (comma)
            *comma = '\0';
        if (*item && strcmp(item, "none") != 0)
            return item;
    }
    return NULL;
}

static int dim_index(json_t *loop, const char *name) {
    json_t *dim;
    size_t i;
    json_array_foreach(json_object_get(loop, "dims"), i, dim) {
        if (strcmp(text_of(dim, "name"), name) == 0)
            return (int)i;
    }
    return -1;
}

static void check_dims(json_t *loop, const char *value) {
    char buffer[LINE], *at = buffer, *item;
    size_t count = 0;
    snprintf(buffer, LINE, "%s", value);
    for (; (item = next_item(&at)); ++count)
        if (dim_index(loop, item) < 0)
            complain("no dim `%s`", item);
    if (json_array_size(json_object_get(loop, "dims")) != count)
        complain("%zu dims, expected %zu", json_array_size(json_object_get(loop, "dims")), count);
}

static void check_keys(json_t *loop, int count) {
    json_t *dims = json_object_get(loop, "dims"), *dim;
    size_t i;
    if ((int)json_array_size(dims) != count)
        complain("%zu dims, expected %d keys", json_array_size(dims), count);
    json_array_foreach(dims, i, dim) {
        if (strcmp(text_of(dim, "kind"), "key") != 0)
            complain("dim `%s` is no key", text_of(dim, "name"));
    }
}

/* The expected `DIM=ENTRY` of an object, NULL when it is to carry nothing. */
static const char *expected_vector(const struct expectation *all, int count, const char *object) {
    for (int i = 0; i < count; ++i)
        if (strncmp(all[i].key, "carried ", 8) == 0 && strcmp(all[i].key + 8, object) == 0)
            return all[i].value;
    return NULL;
}

static void check_vector(json_t *loop, json_t *dep, const char *expected) {
    char name[LINE];
    json_t *vector = json_object_get(dep, "vector"), *entry;
    size_t i;
    snprintf(name, LINE, "%s", expected);
    char *equal = strrchr(name, '=');
    *equal = '\0';
    int dim = dim_index(loop, name);
    json_array_foreach(vector, i, entry) {
        const char *wanted = (int)i == dim ? equal + 1 : "*";
        if (strcmp(json_string_value(entry), wanted) != 0)
            complain("%s: entry %zu of a vector is %s, expected %s", text_of(dep, "object"), i,
                     json_string_value(entry), wanted);
    }
}

/* Is this dependence one that no dim covers? */
static int is_pair(json_t *dep) {
    json_t *entry;
    size_t i;
    int pair = 1;
    json_array_foreach(json_object_get(dep, "vector"), i, entry) {
        pair &= strcmp(json_string_value(entry), "*") == 0;
    }
    return pair;
}

static void check_carried(json_t *loop, const struct expectation *all, int count) {
    json_t *dep;
    size_t i;
    int any = 0, found[MAX_LINES] = {0};
    for (int j = 0; j < count; ++j)
        any |= strncmp(all[j].key, "carried", 7) == 0;
    json_array_foreach(json_object_get(loop, "dependences"), i, dep) {
        if (strcmp(text_of(dep, "status"), "carried") != 0 || !any)
            continue;
        const char *expected = expected_vector(all, count, text_of(dep, "object"));
        if (!expected)
            complain("%s carries a dependence", text_of(dep, "object"));
        else if (strcmp(expected, "pair") != 0)
            check_vector(loop, dep, expected);
        for (int j = 0; j < count; ++j)
            found[j] |= all[j].value == expected && (strcmp(expected, "pair") != 0 || is_pair(dep));
    }
    for (int j = 0; j < count; ++j)
        if (strncmp(all[j].key, "carried ", 8) == 0 && !found[j])
            complain("%s: no dependence was found", all[j].key);
}

static void check_reductions(json_t *loop, const char *value) {
    char buffer[LINE], *at = buffer, *item;
    json_t *list = json_object_get(loop, "reductions"), *one;
    size_t i, count = 0;
    snprintf(buffer, LINE, "%s", value);
    for (; (item = next_item(&at)); ++count) {
        int found = 0;
        json_array_foreach(list, i, one) {
            char text[LINE];
            snprintf(text, LINE, "%s %s", text_of(one, "op"), text_of(one, "object"));
            found |= strcmp(text, item) == 0;
        }
        if (!found)
            complain("no reduction `%s`", item);
    }
    if (json_array_size(list) != count)
        complain("%zu reductions, expected %zu", json_array_size(list), count);
}

static void check_private(json_t *loop, const char *value) {
    char buffer[LINE], *at = buffer, *item;
    json_t *list = json_object_get(loop, "private"), *one;
    size_t i;
    snprintf(buffer, LINE, "%s", value);
    if (strcmp(value, "none") == 0 && json_array_size(list))
        complain("`%s` is private", json_string_value(json_array_get(list, 0)));
    while ((item = next_item(&at))) {
        int found = 0;
        json_array_foreach(list, i, one) found |= strcmp(json_string_value(one), item) == 0;
        if (!found)
            complain("`%s` is not private", item);
    }
}

static void check_guards(json_t *loop, const char *value) {
    int some = json_array_size(json_object_get(loop, "guards")) > 0;
    if (some != (strcmp(value, "some") == 0))
        complain("%s guards, expected %s", some ? "some" : "no", value);
}

static void check_words(json_t *list, const char *what, const char *words) {
    for (size_t i = 0; i < json_array_size(list); ++i)
        if (strstr(json_string_value(json_array_get(list, i)), words))
            return;
    complain("no %s says: %s", what, words);
}

static const char *placement(json_t *loop, const char *name) {
    json_t *array;
    size_t i;
    json_array_foreach(json_object_get(loop, "arrays"), i, array) {
        if (strcmp(text_of(array, "name"), name) == 0)
            return text_of(array, "placement");
    }
    return "nowhere";
}

static void check_placed(json_t *loop, const char *value) {
    char a[LINE], b[LINE];
    if (sscanf(value, "%511s %511s", a, b) != 2)
        return;
    const char *first = placement(loop, a), *second = placement(loop, b);
    int good = (strcmp(first, "resident") == 0 && strcmp(second, "rotating") == 0) ||
               (strcmp(first, "rotating") == 0 && strcmp(second, "resident") == 0);
    if (!good)
        complain("%s is %s and %s is %s", a, first, b, second);
}

static void check_rotating(json_t *loop, const char *value) {
    char buffer[LINE];
    snprintf(buffer, LINE, "%s", value);
    for (char *name = strtok(buffer, " "); name; name = strtok(NULL, " "))
        if (strcmp(placement(loop, name), "rotating") != 0)
            complain("%s is %s", name, placement(loop, name));
}

/* ---- verdicts ---- */

static int one_of(const char *choices, const char *word) {
    size_t length = strlen(word);
    for (const char *at = choices; (at = strstr(at, word)); ++at)
        if ((at == choices || at[-1] == '|') && (at[length] == '\0' || at[length] == '|'))
            return 1;
    return 0;
}

static void check_parallel(json_t *loop, const struct expectation *all, int count) {
    char strategy[LINE] = "", order[LINE] = "";
    sscanf(all[0].value, "parallel %511s %511s", strategy, order);
    if (strcmp(text_of(loop, "verdict"), "parallel") != 0) {
        json_t *reason = json_array_get(json_object_get(loop, "reasons"), 0);
        complain("kept serial: %s at %d:%d: %s", text_of(reason, "code"), int_of(reason, "line"),
                 int_of(reason, "column"), text_of(reason, "message"));
        return;
    }
    if (!one_of(strategy, text_of(loop, "strategy")))
        complain("strategy %s, expected %s", text_of(loop, "strategy"), strategy);
    if (*order && strcmp(order, text_of(loop, "order")) != 0)
        complain("order %s, expected %s", text_of(loop, "order"), order);
    for (int i = 1; i < count; ++i) {
        const struct expectation *one = &all[i];
        if (strcmp(one->key, "dims") == 0)
            check_dims(loop, one->value);
        else if (strcmp(one->key, "keys") == 0)
            check_keys(loop, atoi(one->value));
        else if (strcmp(one->key, "reductions") == 0)
            check_reductions(loop, one->value);
        else if (strcmp(one->key, "private") == 0)
            check_private(loop, one->value);
        else if (strcmp(one->key, "guards") == 0)
            check_guards(loop, one->value);
        else if (strcmp(one->key, "guard") == 0)
            check_words(json_object_get(loop, "guards"), "guard", one->value);
        else if (strcmp(one->key, "assumed") == 0)
            check_words(json_object_get(loop, "assumptions"), "assumption", one->value);
        else if (strcmp(one->key, "placed") == 0)
            check_placed(loop, one->value);
        else if (strcmp(one->key, "rotating") == 0)
            check_rotating(loop, one->value);
        else if (strncmp(one->key, "carried", 7) != 0)
            complain("unknown expectation `%s`", one->key);
    }
    check_carried(loop, all, count);
}

static void check_serial(json_t *loop, const char *path, const char *value) {
    char code[LINE] = "", line[LINE];
    int row = 0, column = 0;
    sscanf(value, "serial %511s %d:%d", code, &row, &column);
    json_t *reason = json_array_get(json_object_get(loop, "reasons"), 0);
    if (strcmp(text_of(loop, "verdict"), "serial") != 0) {
        complain("called parallel (%s)", text_of(loop, "strategy"));
        return;
    }
    if (strcmp(code, text_of(reason, "code")) != 0 || row != int_of(reason, "line") ||
        column != int_of(reason, "column"))
        complain("%s at %d:%d, expected %s at %d:%d: %s", text_of(reason, "code"),
                 int_of(reason, "line"), int_of(reason, "column"), code, row, column,
                 text_of(reason, "message"));
    const char *tick = strchr(value, '`');
    source_line(path, row, line);
    if (tick && (column < 1 || (size_t)column > strlen(line) ||
                 strncmp(line + column - 1, tick + 1, strcspn(tick + 1, "`")) != 0))
        complain("%d:%d does not say %s", row, column, tick);
}

int main(int argc, char **argv) {
    static struct expectation all[MAX_LINES];
    if (argc != 2) {
        fprintf(stderr, "usage: expect FILE.c < analysis.json\n");
        return 2;
    }
    int count = read_expectations(argv[1], all);
    json_error_t error;
    json_t *root = json_loadf(stdin, 0, &error);
    if (!root) {
        printf("no JSON: %s\n", error.text);
        return 1;
    }
    json_t *loop = marked_loop(root);
    if (!loop)
        complain("no marked loop in the analysis");
    else if (strncmp(all[0].value, "parallel", 8) == 0)
        check_parallel(loop, all, count);
    else
        check_serial(loop, argv[1], all[0].value);
    json_decref(root);
    return failures != 0;
}
