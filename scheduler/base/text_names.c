#include "scheduler/base/text.h"

#include <string.h>

const char *text_new_name(const struct unit *unit, const char *begin, const char *end) {
    const char *source = unit->files[unit->main_file].text;
    const char *name = arena_printf(unit->arena, "%s%s", begin, end);
    for (int i = 2; token_uses(source, name); ++i)
        name = arena_printf(unit->arena, "%s%s_%d", begin, end, i);
    return name;
}

static bool begins(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Does a name of the file, or a macro of its headers and flags, begin so? */
static bool is_taken(const struct unit *unit, const char *prefix) {
    const struct source_file *file = &unit->files[unit->main_file];
    struct token_scan scan = token_scan_start(file->text, 0, file->size);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_NAME && begins(file->text + t.begin, prefix))
            return true;
    for (int i = 0; i < unit->nmacros; ++i)
        if (begins(unit->macros[i].name, prefix))
            return true;
    return false;
}

const char *text_new_prefix(const struct unit *unit, const char *word) {
    const char *prefix = arena_printf(unit->arena, "%s_", word);
    for (int i = 2; is_taken(unit, prefix); ++i)
        prefix = arena_printf(unit->arena, "%s%d_", word, i);
    return prefix;
}
