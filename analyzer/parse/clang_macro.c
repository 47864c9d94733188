/* Macros: what stands at a use of one, and whether two texts of a file mean the same. */
#include "analyzer/parse/clang_private.h"

/* ---- definitions */

static CXCursor use_at(struct door *door, unsigned offset) {
    CXCursor use = clang_getCursor(door->unit,
                                   clang_getLocationForOffset(door->unit, door->main_file, offset));
    CXFile file;
    unsigned begin;
    if (use.kind != CXCursor_MacroExpansion)
        return clang_getNullCursor();
    clang_getFileLocation(clang_getRangeStart(clang_getCursorExtent(use)), &file, NULL, NULL,
                          &begin);
    return begin == offset ? use : clang_getNullCursor();
}

static void take_token(struct door *door, CXToken token, unsigned *last, struct macro *macro) {
    unsigned begin;
    CXSourceRange range = clang_getTokenExtent(door->unit, token);
    int count = macro->ntokens;
    clang_getFileLocation(clang_getRangeStart(range), NULL, NULL, NULL, &begin);
    ARENA_PUSH(door->arena, macro->touches, count, begin == *last);
    ARENA_PUSH(door->arena, macro->tokens, macro->ntokens,
               door_string(door->arena, clang_getTokenSpelling(door->unit, token)));
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, last);
}

bool door_macro_at(struct door *door, unsigned offset, struct macro *macro) {
    CXCursor definition = clang_getCursorReferenced(use_at(door, offset));
    if (definition.kind != CXCursor_MacroDefinition || clang_Cursor_isMacroBuiltin(definition) ||
        clang_Location_isInSystemHeader(clang_getCursorLocation(definition)))
        return false;
    CXToken *tokens = NULL;
    unsigned count = 0, last = 0;
    struct span span = node_span(door, node_from(definition));
    *macro = (struct macro){.takes_arguments = clang_Cursor_isMacroFunctionLike(definition),
                            .file = span.file,
                            .offset = span.begin};
    clang_tokenize(door->unit, clang_getCursorExtent(definition), &tokens, &count);
    for (unsigned i = 0; i < count; ++i)
        if (clang_getTokenKind(tokens[i]) != CXToken_Comment)
            take_token(door, tokens[i], &last, macro);
    clang_disposeTokens(door->unit, tokens, count);
    return macro->ntokens > 0;
}

/* ---- digests */

struct digest {
    struct door *door;
    uint64_t hash;
};

static void take_number(struct digest *digest, uint64_t value) {
    for (int i = 0; i < 8; ++i)
        digest->hash = (digest->hash ^ (value >> 8 * i & 255)) * 1099511628211ULL;
}

/* A name without the places that libclang gives to what has none: "(unnamed at mf.c:3:9)". */
static void take_string(struct digest *digest, CXString string) {
    const char *text = clang_getCString(string);
    bool skips = false;
    for (const char *c = text ? text : ""; *c; ++c) {
        skips = (skips && *c != ')') || strncmp(c, " at ", 4) == 0;
        if (!skips)
            digest->hash = (digest->hash ^ (unsigned char)*c) * 1099511628211ULL;
    }
    take_number(digest, 0);
    clang_disposeString(string);
}

static void take_value(struct digest *digest, struct node node) {
    long long number = 0;
    double real = 0;
    uint64_t bits = 0;
    if (node.kind == NODE_FLOAT && node_evaluate_float(node, &real))
        memcpy(&bits, &real, sizeof bits);
    else if (node_evaluate_int(node, &number))
        bits = (uint64_t)number;
    take_number(digest, bits);
}

static enum CXChildVisitResult take_cursor(CXCursor cursor, CXCursor parent, CXClientData data) {
    struct digest *digest = data;
    (void)parent;
    if (clang_isPreprocessing(cursor.kind))
        return CXChildVisit_Continue;
    struct node node = node_from(cursor);
    take_number(digest, (uint64_t)cursor.kind);
    take_number(digest, (uint64_t)clang_getCursorBinaryOperatorKind(cursor));
    take_number(digest, (uint64_t)clang_getCursorUnaryOperatorKind(cursor));
    take_string(digest, clang_getCursorSpelling(cursor));
    take_string(digest, clang_getTypeSpelling(clang_getCursorType(cursor)));
    if (node.kind == NODE_INT || node.kind == NODE_FLOAT || node.kind == NODE_CHAR ||
        node.kind == NODE_BOOL || node.kind == NODE_SIZEOF)
        take_value(digest, node);
    clang_visitChildren(cursor, take_cursor, digest);
    take_number(digest, 1);
    return CXChildVisit_Continue;
}

static void take_declaration(void *data, struct node node) {
    take_cursor(cursor_of(node), clang_getNullCursor(), data);
}

uint64_t door_digest(struct door *door) {
    struct digest digest = {door, 14695981039346656037ULL};
    door_visit(door, take_declaration, &digest);
    return digest.hash;
}
