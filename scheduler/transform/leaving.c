#include "scheduler/transform/leaving.h"

#include "scheduler/transform/rows_text.h"

#include <string.h>

static bool is_label(const void *name, const struct stmt *stmt) {
    return stmt->kind == STMT_LABEL && strcmp(stmt->text, name) == 0;
}

/* `breaks`: the statement stands in no loop or switch of the body. */
static bool jumps_out(const struct loop *loop, const struct stmt *stmt, bool breaks) {
    return stmt->kind == STMT_RETURN || (stmt->kind == STMT_BREAK && breaks) ||
           (stmt->kind == STMT_GOTO && !stmt_any(loop->body, is_label, stmt->text));
}

static void add(struct leaving *leaving, struct stmt *stmt) {
    if (leaving->count == MOST_LEAVING)
        leaving->is_unfit = true;
    else
        leaving->stmts[leaving->count++] = stmt;
}

/* `branch`: it is all that an `if` does. */
static void see(struct leaving *leaving, struct stmt *stmt, bool branch, bool breaks) {
    if (!stmt)
        return;
    const bool loops = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO;
    const struct stmt *last =
        branch && stmt->kind == STMT_BLOCK && stmt->nbody > 0 ? stmt->body[stmt->nbody - 1] : stmt;
    if (jumps_out(leaving->loop, last, breaks)) {
        add(leaving, stmt);
        return;
    }
    breaks = breaks && !loops && stmt->kind != STMT_SWITCH;
    branch = stmt->kind == STMT_IF;
    for (int i = 0; i < stmt->nbody; ++i)
        see(leaving, stmt->body[i], false, breaks);
    see(leaving, loops ? stmt->loop->body : stmt->then, branch, breaks);
    see(leaving, stmt->other, branch, breaks);
}

struct leaving leaving_find(const struct unit *unit, const struct loop *loop) {
    struct leaving leaving = {.unit = unit, .loop = loop};
    see(&leaving, loop->body, false, true);
    return leaving;
}

bool leaving_holds(const struct leaving *leaving, const struct range *range) {
    for (int i = 0; i < leaving->count; ++i)
        if (range_holds(&leaving->stmts[i]->range, range))
            return true;
    return false;
}

/* A block that ends by a jump is left at its begin: what it prints comes when the loop runs again. */
static bool edit(const struct leaving *leaving, const struct stmt *stmt, struct text_edits *edits) {
    const char *text = leaving->unit->files[leaving->unit->main_file].text;
    const unsigned begin = stmt->range.begin.offset;
    unsigned end = stmt->range.end.offset;
    if (!text_is_written(leaving->unit, &stmt->range))
        return false;
    if (stmt->kind == STMT_BLOCK) {
        text_edit_add(edits, begin + 1, begin + 1, " orrery_output_leave();");
        return true;
    }
    struct token_scan scan = token_scan_start(text, end, strlen(text));
    const struct token behind = token_next(&scan);
    if (text[end - 1] != ';' && token_spells(&scan, behind, ";"))
        end = (unsigned)behind.end;
    text_edit_add(edits, begin, begin, "{ orrery_output_leave(); ");
    text_edit_add(edits, end, end, " }");
    return text[end - 1] == ';';
}

bool leaving_edit(const struct leaving *leaving, struct text_edits *edits) {
    bool all = !leaving->is_unfit;
    for (int i = 0; i < leaving->count; ++i)
        all = edit(leaving, leaving->stmts[i], edits) && all;
    return all;
}
