#define _GNU_SOURCE
#include "analyzer/parse/clang_door.h"

#include <clang-c/Index.h>
#include <ctype.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(CXCursor) == sizeof((struct node){0}.raw), "a node holds a cursor");
_Static_assert(sizeof(CXType) == sizeof(struct ctype), "a ctype holds a type");

/* One file known to the door: `source.text` is NULL until door_file asks for it. */
struct door_source {
    CXFile file;
    struct source_file source;
    bool system, loaded;
    CXSourceRangeList *skipped;
    bool skipped_asked;
};

struct door {
    struct arena *arena;
    CXIndex index;
    CXTranslationUnit unit;
    CXFile main_file;
    int nsources;
    struct door_source *sources;
    int last_source;
};

static CXCursor cursor_of(struct node node) {
    CXCursor cursor;
    memcpy(&cursor, &node.raw, sizeof cursor);
    return cursor;
}

static CXType type_of(struct ctype type) {
    CXType t;
    memcpy(&t, &type, sizeof t);
    return t;
}

static struct ctype ctype_from(CXType type) {
    struct ctype t;
    memcpy(&t, &type, sizeof t);
    return t;
}

static const char *string_take(struct arena *arena, CXString string) {
    const char *text = clang_getCString(string);
    char *copy = arena_strdup(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}

/* ---- kinds of nodes */

static const enum node_kind kinds[] = {
    [CXCursor_FunctionDecl] = NODE_FUNCTION,
    [CXCursor_VarDecl] = NODE_VARIABLE,
    [CXCursor_ParmDecl] = NODE_PARAMETER,
    [CXCursor_FieldDecl] = NODE_FIELD,
    [CXCursor_StructDecl] = NODE_RECORD,
    [CXCursor_UnionDecl] = NODE_RECORD,
    [CXCursor_EnumDecl] = NODE_ENUM,
    [CXCursor_EnumConstantDecl] = NODE_ENUMERATOR,
    [CXCursor_TypedefDecl] = NODE_TYPEDEF,
    [CXCursor_TypeRef] = NODE_TYPE_REF,
    [CXCursor_MemberRef] = NODE_MEMBER_REF,
    [CXCursor_LabelRef] = NODE_LABEL_REF,
    [CXCursor_UnexposedExpr] = NODE_IMPLICIT,
    [CXCursor_DeclRefExpr] = NODE_REFERENCE,
    [CXCursor_MemberRefExpr] = NODE_MEMBER,
    [CXCursor_CallExpr] = NODE_CALL,
    [CXCursor_IntegerLiteral] = NODE_INT,
    [CXCursor_FloatingLiteral] = NODE_FLOAT,
    [CXCursor_StringLiteral] = NODE_STRING,
    [CXCursor_CharacterLiteral] = NODE_CHAR,
    [CXCursor_CXXBoolLiteralExpr] = NODE_BOOL,
    [CXCursor_CXXNullPtrLiteralExpr] = NODE_NULLPTR,
    [CXCursor_ParenExpr] = NODE_PAREN,
    [CXCursor_UnaryOperator] = NODE_UNARY,
    [CXCursor_ArraySubscriptExpr] = NODE_SUBSCRIPT,
    [CXCursor_BinaryOperator] = NODE_BINARY,
    [CXCursor_CompoundAssignOperator] = NODE_BINARY,
    [CXCursor_ConditionalOperator] = NODE_CONDITIONAL,
    [CXCursor_CStyleCastExpr] = NODE_CAST,
    [CXCursor_CompoundLiteralExpr] = NODE_COMPOUND,
    [CXCursor_InitListExpr] = NODE_INIT,
    [CXCursor_AddrLabelExpr] = NODE_LABEL_ADDRESS,
    [CXCursor_StmtExpr] = NODE_STATEMENT_EXPR,
    [CXCursor_GenericSelectionExpr] = NODE_GENERIC,
    [CXCursor_UnaryExpr] = NODE_SIZEOF,
    [CXCursor_UnexposedStmt] = NODE_IMPLICIT_STMT,
    [CXCursor_LabelStmt] = NODE_LABEL,
    [CXCursor_CompoundStmt] = NODE_COMPOUND_STMT,
    [CXCursor_CaseStmt] = NODE_CASE,
    [CXCursor_DefaultStmt] = NODE_DEFAULT,
    [CXCursor_IfStmt] = NODE_IF,
    [CXCursor_SwitchStmt] = NODE_SWITCH,
    [CXCursor_WhileStmt] = NODE_WHILE,
    [CXCursor_DoStmt] = NODE_DO,
    [CXCursor_ForStmt] = NODE_FOR,
    [CXCursor_GotoStmt] = NODE_GOTO,
    [CXCursor_ContinueStmt] = NODE_CONTINUE,
    [CXCursor_BreakStmt] = NODE_BREAK,
    [CXCursor_ReturnStmt] = NODE_RETURN,
    [CXCursor_GCCAsmStmt] = NODE_ASM,
    [CXCursor_MSAsmStmt] = NODE_ASM,
    [CXCursor_NullStmt] = NODE_NULL_STMT,
    [CXCursor_DeclStmt] = NODE_DECL_STMT,
    [CXCursor_PureAttr] = NODE_ATTRIBUTE_PURE,
    [CXCursor_ConstAttr] = NODE_ATTRIBUTE_CONST,
};

static enum node_kind kind_of(enum CXCursorKind kind) {
    if ((size_t)kind < sizeof kinds / sizeof *kinds && kinds[kind])
        return kinds[kind];
    if (clang_isDeclaration(kind))
        return NODE_OTHER_DECL;
    if (clang_isExpression(kind))
        return NODE_OTHER_EXPR;
    if (clang_isStatement(kind))
        return NODE_OTHER_STMT;
    return clang_isAttribute(kind) ? NODE_ATTRIBUTE : NODE_OTHER;
}

static struct node node_from(CXCursor cursor) {
    struct node node = {.kind = NODE_NONE};
    memcpy(&node.raw, &cursor, sizeof cursor);
    if (!clang_Cursor_isNull(cursor) && !clang_isInvalid(cursor.kind))
        node.kind = kind_of(cursor.kind);
    return node;
}

bool node_is_statement(struct node node) {
    return node.kind >= NODE_COMPOUND_STMT && node.kind <= NODE_OTHER_STMT;
}

bool node_is_expression(struct node node) {
    return node.kind >= NODE_INT && node.kind <= NODE_OTHER_EXPR;
}

bool node_is_attribute(struct node node) {
    return node.kind >= NODE_ATTRIBUTE && node.kind <= NODE_ATTRIBUTE_CONST;
}

/* ---- opening */

const char *door_resource_dir(struct arena *arena) {
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)clang_getClangVersion, &info) || !info.dli_fname)
        return NULL;
    const char *version = string_take(arena, clang_getClangVersion());
    const char *digits = strpbrk(version, "0123456789");
    int major = digits ? atoi(digits) : CINDEX_VERSION_MINOR;
    char *directory = realpath(info.dli_fname, NULL);
    char *slash = directory ? strrchr(directory, '/') : NULL;
    if (slash)
        *slash = '\0';
    const char *const candidates[] = {
        arena_printf(arena, "%s/clang/%d", directory ? directory : "", major),
        arena_printf(arena, "%s/../lib/clang/%d", directory ? directory : "", major),
        arena_printf(arena, "/usr/lib/llvm-%d/lib/clang/%d", major, major),
        arena_printf(arena, "/usr/lib/clang/%d", major)};
    free(directory);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; ++i)
        if (access(arena_printf(arena, "%s/include/stddef.h", candidates[i]), R_OK) == 0)
            return candidates[i];
    return NULL;
}

static CXTranslationUnit parse(struct door *door, const struct door_request *request) {
    int nargs = 0;
    const char **args = NULL;
    ARENA_PUSH(door->arena, args, nargs, "clang");
    for (int i = 0; i < request->nargs; ++i)
        ARENA_PUSH(door->arena, args, nargs, request->args[i]);
    struct CXUnsavedFile memory = {.Filename = request->file, .Contents = request->text};
    memory.Length = request->text ? strlen(request->text) : 0;
    unsigned flags = request->want_skipped ? CXTranslationUnit_DetailedPreprocessingRecord : 0;
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2FullArgv(door->index, request->file, args, nargs, &memory,
                                        request->text ? 1 : 0, flags, &unit);
    return unit;
}

struct door *door_open(struct arena *arena, const struct door_request *request) {
    struct door *door = arena_alloc(arena, sizeof *door);
    door->arena = arena;
    door->index = clang_createIndex(0, 0);
    door->unit = parse(door, request);
    if (!door->unit) {
        clang_disposeIndex(door->index);
        return NULL;
    }
    door->main_file = clang_getFile(door->unit, request->file);
    return door;
}

void door_close(struct door *door) {
    for (int i = 0; i < door->nsources; ++i)
        if (door->sources[i].skipped)
            clang_disposeSourceRangeList(door->sources[i].skipped);
    clang_disposeTranslationUnit(door->unit);
    clang_disposeIndex(door->index);
}

const char *door_version(struct arena *arena) {
    return string_take(arena, clang_getClangVersion());
}

/* ---- files and places */

static int source_index(struct door *door, CXFile file, CXSourceLocation at) {
    if (!file)
        return -1;
    if (door->nsources && door->sources[door->last_source].file == file)
        return door->last_source;
    int i = 0;
    while (i < door->nsources && !clang_File_isEqual(door->sources[i].file, file))
        ++i;
    if (i == door->nsources) {
        struct door_source source = {.file = file};
        source.source.name = string_take(door->arena, clang_getFileName(file));
        source.system = clang_Location_isInSystemHeader(at);
        ARENA_PUSH(door->arena, door->sources, door->nsources, source);
    }
    return door->last_source = i;
}

int door_main_file(struct door *door) {
    return source_index(door, door->main_file,
                        clang_getLocationForOffset(door->unit, door->main_file, 0));
}

int door_nfiles(const struct door *door) {
    return door->nsources;
}

const struct source_file *door_file(struct door *door, int index) {
    struct door_source *source = &door->sources[index];
    if (!source->loaded) {
        size_t size = 0;
        const char *text = clang_getFileContents(door->unit, source->file, &size);
        source->source.text = arena_strndup(door->arena, text ? text : "", text ? size : 0);
        source->source.size = text ? size : 0;
        source->loaded = true;
    }
    return &source->source;
}

static void take_include(CXFile file, CXSourceLocation *stack, unsigned length, CXClientData data) {
    struct door *door = data;
    (void)stack;
    (void)length;
    source_index(door, file, clang_getLocationForOffset(door->unit, file, 0));
}

int door_load_includes(struct door *door) {
    clang_getInclusions(door->unit, take_include, door);
    return door->nsources;
}

const struct source_file *door_file_entry(const struct door *door, int index) {
    return &door->sources[index].source;
}

bool door_file_is_system(const struct door *door, int index) {
    return door->sources[index].system;
}

static struct span span_of(struct door *door, CXSourceRange range) {
    struct span span = {.file = -1};
    CXSourceLocation begin = clang_getRangeStart(range), end = clang_getRangeEnd(range);
    CXFile file = NULL, last = NULL;
    clang_getFileLocation(begin, &file, NULL, NULL, &span.begin);
    clang_getFileLocation(end, &last, NULL, NULL, &span.end);
    span.file = source_index(door, file, begin);
    span.expansion = span.begin;
    span.direct = clang_Location_isFromMainFile(begin) != 0;
    if (!span.direct)
        clang_getExpansionLocation(begin, NULL, NULL, NULL, &span.expansion);
    span.whole = file && file == last && span.begin <= span.end;
    if (!span.whole)
        span.end = span.begin;
    return span;
}

struct span node_span(struct door *door, struct node node) {
    return span_of(door, clang_getCursorExtent(cursor_of(node)));
}

bool node_same_extent(struct node a, struct node b) {
    return clang_equalRanges(clang_getCursorExtent(cursor_of(a)),
                             clang_getCursorExtent(cursor_of(b)));
}

bool door_skipped(struct door *door, int file, int index, unsigned *begin, unsigned *end) {
    struct door_source *source = &door->sources[file];
    if (!source->skipped_asked) {
        source->skipped = clang_getSkippedRanges(door->unit, source->file);
        source->skipped_asked = true;
    }
    if (!source->skipped || index < 0 || (unsigned)index >= source->skipped->count)
        return false;
    CXSourceRange range = source->skipped->ranges[index];
    clang_getFileLocation(clang_getRangeStart(range), NULL, NULL, NULL, begin);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, end);
    return true;
}

/* ---- messages */

int door_nmessages(const struct door *door) {
    return (int)clang_getNumDiagnostics(door->unit);
}

struct door_message door_message(struct door *door, int index) {
    CXDiagnostic diagnostic = clang_getDiagnostic(door->unit, (unsigned)index);
    struct door_message message = {.severity = (int)clang_getDiagnosticSeverity(diagnostic)};
    message.text = string_take(door->arena, clang_getDiagnosticSpelling(diagnostic));
    CXSourceLocation at = clang_getDiagnosticLocation(diagnostic);
    message.span = span_of(door, clang_getRange(at, at));
    message.has_place = message.span.file >= 0;
    clang_disposeDiagnostic(diagnostic);
    return message;
}

/* ---- walking */

struct visitor {
    struct door *door;
    void (*visit)(void *data, struct node node);
    void *data;
};

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct visitor *visitor = data;
    if (!clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        visitor->visit(visitor->data, node_from(cursor));
    return CXChildVisit_Continue;
}

void door_visit(struct door *door, void (*visit)(void *data, struct node node), void *data) {
    struct visitor visitor = {door, visit, data};
    clang_visitChildren(clang_getTranslationUnitCursor(door->unit), visit_top, &visitor);
}

/* Children of one node on their way into an array. */
struct collector {
    struct arena *arena;
    int count;
    struct node *nodes;
};

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct collector *collector = data;
    ARENA_PUSH(collector->arena, collector->nodes, collector->count, node_from(cursor));
    return CXChildVisit_Continue;
}

int node_children(struct door *door, struct node node, struct node **children) {
    struct collector collector = {.arena = door->arena};
    clang_visitChildren(cursor_of(node), collect, &collector);
    *children = collector.nodes;
    return collector.count;
}

const char *node_name(struct door *door, struct node node) {
    return string_take(door->arena, clang_getCursorSpelling(cursor_of(node)));
}

struct ctype node_type(struct node node) {
    return ctype_from(clang_getCursorType(cursor_of(node)));
}

const void *node_entity(struct node node) {
    return clang_getCanonicalCursor(cursor_of(node)).data[0];
}

struct node node_referenced(struct node node) {
    return node_from(clang_getCursorReferenced(cursor_of(node)));
}

struct node node_definition(struct node node) {
    return node_from(clang_getCursorDefinition(cursor_of(node)));
}

struct node node_initializer(struct node node) {
    return node_from(clang_Cursor_getVarDeclInitializer(cursor_of(node)));
}

struct node node_parent_function(struct node node) {
    CXCursor parent = clang_getCursorSemanticParent(cursor_of(node));
    while (!clang_Cursor_isNull(parent) && !clang_isInvalid(parent.kind) &&
           !clang_isTranslationUnit(parent.kind)) {
        if (parent.kind == CXCursor_FunctionDecl)
            return node_from(parent);
        parent = clang_getCursorSemanticParent(parent);
    }
    return (struct node){.kind = NODE_NONE};
}

/* ---- operators and constants */

static const struct operation binaries[] = {
    [CXBinaryOperator_Mul] = {.kind = EXPR_BINARY, .op = OP_MUL},
    [CXBinaryOperator_Div] = {.kind = EXPR_BINARY, .op = OP_DIV},
    [CXBinaryOperator_Rem] = {.kind = EXPR_BINARY, .op = OP_REM},
    [CXBinaryOperator_Add] = {.kind = EXPR_BINARY, .op = OP_ADD},
    [CXBinaryOperator_Sub] = {.kind = EXPR_BINARY, .op = OP_SUB},
    [CXBinaryOperator_Shl] = {.kind = EXPR_BINARY, .op = OP_SHL},
    [CXBinaryOperator_Shr] = {.kind = EXPR_BINARY, .op = OP_SHR},
    [CXBinaryOperator_LT] = {.kind = EXPR_BINARY, .op = OP_LT},
    [CXBinaryOperator_GT] = {.kind = EXPR_BINARY, .op = OP_GT},
    [CXBinaryOperator_LE] = {.kind = EXPR_BINARY, .op = OP_LE},
    [CXBinaryOperator_GE] = {.kind = EXPR_BINARY, .op = OP_GE},
    [CXBinaryOperator_EQ] = {.kind = EXPR_BINARY, .op = OP_EQ},
    [CXBinaryOperator_NE] = {.kind = EXPR_BINARY, .op = OP_NE},
    [CXBinaryOperator_And] = {.kind = EXPR_BINARY, .op = OP_BITAND},
    [CXBinaryOperator_Xor] = {.kind = EXPR_BINARY, .op = OP_BITXOR},
    [CXBinaryOperator_Or] = {.kind = EXPR_BINARY, .op = OP_BITOR},
    [CXBinaryOperator_LAnd] = {.kind = EXPR_AND},
    [CXBinaryOperator_LOr] = {.kind = EXPR_OR},
    [CXBinaryOperator_Assign] = {.kind = EXPR_ASSIGN},
    [CXBinaryOperator_MulAssign] = {.kind = EXPR_ASSIGN, .op = OP_MUL},
    [CXBinaryOperator_DivAssign] = {.kind = EXPR_ASSIGN, .op = OP_DIV},
    [CXBinaryOperator_RemAssign] = {.kind = EXPR_ASSIGN, .op = OP_REM},
    [CXBinaryOperator_AddAssign] = {.kind = EXPR_ASSIGN, .op = OP_ADD},
    [CXBinaryOperator_SubAssign] = {.kind = EXPR_ASSIGN, .op = OP_SUB},
    [CXBinaryOperator_ShlAssign] = {.kind = EXPR_ASSIGN, .op = OP_SHL},
    [CXBinaryOperator_ShrAssign] = {.kind = EXPR_ASSIGN, .op = OP_SHR},
    [CXBinaryOperator_AndAssign] = {.kind = EXPR_ASSIGN, .op = OP_BITAND},
    [CXBinaryOperator_XorAssign] = {.kind = EXPR_ASSIGN, .op = OP_BITXOR},
    [CXBinaryOperator_OrAssign] = {.kind = EXPR_ASSIGN, .op = OP_BITOR},
    [CXBinaryOperator_Comma] = {.kind = EXPR_COMMA},
};

static const struct operation unaries[] = {
    [CXUnaryOperator_PostInc] = {.kind = EXPR_INCREMENT, .delta = 1},
    [CXUnaryOperator_PostDec] = {.kind = EXPR_INCREMENT, .delta = -1},
    [CXUnaryOperator_PreInc] = {.kind = EXPR_INCREMENT, .delta = 1, .prefix = true},
    [CXUnaryOperator_PreDec] = {.kind = EXPR_INCREMENT, .delta = -1, .prefix = true},
    [CXUnaryOperator_AddrOf] = {.kind = EXPR_ADDRESS},
    [CXUnaryOperator_Deref] = {.kind = EXPR_DEREF},
    [CXUnaryOperator_Plus] = {.kind = EXPR_UNARY, .op = OP_PLUS},
    [CXUnaryOperator_Minus] = {.kind = EXPR_UNARY, .op = OP_MINUS},
    [CXUnaryOperator_Not] = {.kind = EXPR_UNARY, .op = OP_BITNOT},
    [CXUnaryOperator_LNot] = {.kind = EXPR_UNARY, .op = OP_NOT},
    [CXUnaryOperator_Real] = {.kind = EXPR_UNKNOWN, .unknown = "the real part of a complex number"},
    [CXUnaryOperator_Imag] = {.kind = EXPR_UNKNOWN, .unknown = "the imaginary part"},
    [CXUnaryOperator_Extension] = {.kind = EXPR_UNKNOWN, .transparent = true},
};

struct operation node_operation(struct node node) {
    struct operation none = {.kind = EXPR_UNKNOWN, .unknown = "an operator"};
    CXCursor cursor = cursor_of(node);
    if (node.kind == NODE_UNARY) {
        size_t kind = clang_getCursorUnaryOperatorKind(cursor);
        return kind && kind < sizeof unaries / sizeof *unaries && unaries[kind].kind != EXPR_INT
                   ? unaries[kind]
                   : none;
    }
    size_t kind = clang_getCursorBinaryOperatorKind(cursor);
    return kind && kind < sizeof binaries / sizeof *binaries && binaries[kind].kind != EXPR_INT
               ? binaries[kind]
               : none;
}

bool node_evaluate_int(struct node node, long long *value) {
    CXEvalResult result = clang_Cursor_Evaluate(cursor_of(node));
    if (!result)
        return false;
    bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
    if (is_int)
        *value = clang_EvalResult_isUnsignedInt(result)
                     ? (long long)clang_EvalResult_getAsUnsigned(result)
                     : clang_EvalResult_getAsLongLong(result);
    clang_EvalResult_dispose(result);
    return is_int;
}

/*
 * The number that is written where a macro's argument stands: clang_getToken finds short tokens
 * behind long macro names no more (libclang 19).
 */
static const char *number_written(struct door *door, CXSourceLocation place) {
    CXFile file;
    unsigned offset, end;
    size_t size;
    clang_getSpellingLocation(place, &file, NULL, NULL, &offset);
    const char *text = file ? clang_getFileContents(door->unit, file, &size) : NULL;
    if (!text || offset >= size || !(isdigit((unsigned char)text[offset]) || text[offset] == '.'))
        return NULL;
    for (end = offset; end < size; ++end) {
        bool is_sign = text[end] == '+' || text[end] == '-';
        bool signs = is_sign && end > offset && tolower((unsigned char)text[end - 1]) == 'e';
        if (!signs && !isalnum((unsigned char)text[end]) && text[end] != '.')
            break;
    }
    return arena_strndup(door->arena, text + offset, end - offset);
}

const char *node_token(struct door *door, struct node node) {
    CXSourceLocation begin = clang_getRangeStart(clang_getCursorExtent(cursor_of(node)));
    CXToken *token = clang_getToken(door->unit, begin);
    if (!token)
        return number_written(door, begin);
    const char *text = string_take(door->arena, clang_getTokenSpelling(door->unit, *token));
    clang_disposeTokens(door->unit, token, 1);
    return text;
}

/* The first token of a macro's replacement: the token in its definition behind name and parameters.
 */
static const char *first_of_body(struct door *door, CXCursor definition) {
    CXToken *tokens;
    unsigned count, at = 1, depth = 0;
    clang_tokenize(door->unit, clang_getCursorExtent(definition), &tokens, &count);
    for (; clang_Cursor_isMacroFunctionLike(definition) && at < count; ++at) {
        const char *text = string_take(door->arena, clang_getTokenSpelling(door->unit, tokens[at]));
        depth += strcmp(text, "(") == 0;
        if (strcmp(text, ")") == 0 && --depth == 0)
            break;
    }
    at += clang_Cursor_isMacroFunctionLike(definition) != 0;
    const char *first =
        at < count ? string_take(door->arena, clang_getTokenSpelling(door->unit, tokens[at]))
                   : NULL;
    clang_disposeTokens(door->unit, tokens, count);
    return first;
}

const char *node_macro_begin(struct door *door, struct node node) {
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor_of(node))), &file,
                               NULL, NULL, &offset);
    CXCursor use =
        clang_getCursor(door->unit, clang_getLocationForOffset(door->unit, file, offset));
    if (use.kind != CXCursor_MacroExpansion)
        return NULL;
    CXCursor definition = clang_getCursorReferenced(use);
    return definition.kind == CXCursor_MacroDefinition ? first_of_body(door, definition) : NULL;
}

/* ---- properties of declarations */

bool node_is_static(struct node node) {
    return clang_Cursor_getStorageClass(cursor_of(node)) == CX_SC_Static;
}

bool node_is_extern(struct node node) {
    return clang_Cursor_getStorageClass(cursor_of(node)) == CX_SC_Extern;
}

bool node_is_thread_local(struct node node) {
    return clang_getCursorTLSKind(cursor_of(node)) != CXTLS_None;
}

bool node_is_union(struct node node) {
    return cursor_of(node).kind == CXCursor_UnionDecl;
}

bool node_is_bit_field(struct node node, int *width) {
    bool is = clang_Cursor_isBitField(cursor_of(node)) != 0;
    *width = is ? clang_getFieldDeclBitWidth(cursor_of(node)) : -1;
    return is;
}

long node_field_offset(struct node node) {
    return (long)clang_Cursor_getOffsetOfField(cursor_of(node));
}

long long node_enumerator_value(struct node node) {
    return clang_getEnumConstantDeclValue(cursor_of(node));
}

/* ---- types */

struct ctype ctype_canonical(struct ctype type) {
    return ctype_from(clang_getCanonicalType(type_of(type)));
}

static bool is_unsigned(enum CXTypeKind kind) {
    return kind >= CXType_Char_U && kind <= CXType_UInt128;
}

static bool is_signed(enum CXTypeKind kind) {
    return kind >= CXType_Char_S && kind <= CXType_Int128;
}

enum ctype_class ctype_class(struct ctype type) {
    CXType t = type_of(type);
    switch (t.kind) {
    case CXType_Void:
        return CTYPE_VOID;
    case CXType_Bool:
        return CTYPE_BOOL;
    case CXType_Enum:
        return is_unsigned(
                   clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(t)))
                       .kind)
                   ? CTYPE_UNSIGNED
                   : CTYPE_SIGNED;
    case CXType_Float:
    case CXType_Double:
    case CXType_LongDouble:
    case CXType_Float128:
    case CXType_Float16:
    case CXType_Half:
    case CXType_BFloat16:
        return CTYPE_FLOAT;
    case CXType_Pointer:
        return CTYPE_POINTER;
    case CXType_ConstantArray:
        return CTYPE_ARRAY;
    case CXType_IncompleteArray:
        return CTYPE_INCOMPLETE_ARRAY;
    case CXType_VariableArray:
        return CTYPE_VLA;
    case CXType_Record:
        return CTYPE_RECORD;
    case CXType_FunctionProto:
    case CXType_FunctionNoProto:
        return CTYPE_FUNCTION;
    case CXType_Atomic:
        return CTYPE_ATOMIC;
    default:
        return is_unsigned(t.kind) ? CTYPE_UNSIGNED
               : is_signed(t.kind) ? CTYPE_SIGNED
                                   : CTYPE_OTHER;
    }
}

const void *ctype_entity(struct ctype type) {
    return type.data[0];
}

const char *ctype_spelling(struct door *door, struct ctype type) {
    return string_take(door->arena, clang_getTypeSpelling(type_of(type)));
}

bool ctype_is_const(struct ctype type) {
    return clang_isConstQualifiedType(type_of(type)) != 0;
}

bool ctype_is_volatile(struct ctype type) {
    return clang_isVolatileQualifiedType(type_of(type)) != 0;
}

bool ctype_is_restrict(struct ctype type) {
    return clang_isRestrictQualifiedType(type_of(type)) != 0;
}

bool ctype_is_variadic(struct ctype type) {
    return clang_isFunctionTypeVariadic(type_of(type)) != 0;
}

struct ctype ctype_element(struct ctype type) {
    CXType t = type_of(type);
    switch (ctype_class(type)) {
    case CTYPE_POINTER:
        return ctype_from(clang_getPointeeType(t));
    case CTYPE_FUNCTION:
        return ctype_from(clang_getResultType(t));
    case CTYPE_ATOMIC:
        return ctype_from(clang_Type_getValueType(t));
    default:
        return ctype_from(clang_getArrayElementType(t));
    }
}

long ctype_count(struct ctype type) {
    return (long)clang_getArraySize(type_of(type));
}

long ctype_size(struct ctype type) {
    long long size = clang_Type_getSizeOf(type_of(type));
    return size < 0 ? -1 : (long)size;
}

struct node ctype_declaration(struct ctype type) {
    return node_from(clang_getTypeDeclaration(type_of(type)));
}

struct node ctype_typedef(struct ctype type, struct ctype *underlying) {
    CXType t = type_of(type);
    while (t.kind == CXType_Elaborated)
        t = clang_Type_getNamedType(t);
    *underlying = ctype_from(t);
    if (t.kind != CXType_Typedef)
        return (struct node){.kind = NODE_NONE};
    CXCursor declaration = clang_getTypeDeclaration(t);
    *underlying = ctype_from(clang_getTypedefDeclUnderlyingType(declaration));
    return node_from(declaration);
}

static enum CXVisitorResult collect_field(CXCursor cursor, CXClientData data) {
    struct collector *collector = data;
    ARENA_PUSH(collector->arena, collector->nodes, collector->count, node_from(cursor));
    return CXVisit_Continue;
}

int ctype_fields(struct door *door, struct ctype type, struct node **fields) {
    struct collector collector = {.arena = door->arena};
    clang_Type_visitFields(type_of(type), collect_field, &collector);
    *fields = collector.nodes;
    return collector.count;
}
