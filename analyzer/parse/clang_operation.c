/* Operators, constants, and the tokens that nodes begin with. */
#include "analyzer/parse/clang_private.h"

#include <ctype.h>

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

bool node_evaluate_float(struct node node, double *value) {
    CXEvalResult result = clang_Cursor_Evaluate(cursor_of(node));
    if (!result)
        return false;
    bool is_float = clang_EvalResult_getKind(result) == CXEval_Float;
    if (is_float)
        *value = clang_EvalResult_getAsDouble(result);
    clang_EvalResult_dispose(result);
    return is_float;
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
    const char *text = door_string(door->arena, clang_getTokenSpelling(door->unit, *token));
    clang_disposeTokens(door->unit, token, 1);
    return text;
}

/* The first token of a macro's replacement:
 * the token in its definition behind name and parameters. */
static const char *first_of_body(struct door *door, CXCursor definition) {
    CXToken *tokens;
    unsigned count, at = 1, depth = 0;
    clang_tokenize(door->unit, clang_getCursorExtent(definition), &tokens, &count);
    for (; clang_Cursor_isMacroFunctionLike(definition) && at < count; ++at) {
        const char *text = door_string(door->arena, clang_getTokenSpelling(door->unit, tokens[at]));
        depth += strcmp(text, "(") == 0;
        if (strcmp(text, ")") == 0 && --depth == 0)
            break;
    }
    at += clang_Cursor_isMacroFunctionLike(definition) != 0;
    const char *first =
        at < count ? door_string(door->arena, clang_getTokenSpelling(door->unit, tokens[at]))
                   : NULL;
    clang_disposeTokens(door->unit, tokens, count);
    return first;
}

/* The macro whose use stands where the node begins; a cursor of another kind: none. */
static CXCursor macro_of(struct door *door, struct node node) {
    CXFile file;
    unsigned offset;
    clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(cursor_of(node))), &file,
                               NULL, NULL, &offset);
    CXCursor use =
        clang_getCursor(door->unit, clang_getLocationForOffset(door->unit, file, offset));
    return use.kind == CXCursor_MacroExpansion ? clang_getCursorReferenced(use)
                                               : clang_getNullCursor();
}

const char *node_macro_begin(struct door *door, struct node node) {
    CXCursor definition = macro_of(door, node);
    return definition.kind == CXCursor_MacroDefinition ? first_of_body(door, definition) : NULL;
}

bool node_macro_balanced(struct door *door, struct node node) {
    CXToken *tokens;
    unsigned count;
    int depth = 0;
    CXCursor definition = macro_of(door, node);
    if (definition.kind != CXCursor_MacroDefinition)
        return false;
    clang_tokenize(door->unit, clang_getCursorExtent(definition), &tokens, &count);
    for (unsigned i = 0; i < count && depth >= 0; ++i) {
        const char *text = door_string(door->arena, clang_getTokenSpelling(door->unit, tokens[i]));
        bool opens = strcmp(text, "(") == 0 || strcmp(text, "{") == 0 || strcmp(text, "[") == 0;
        bool closes = strcmp(text, ")") == 0 || strcmp(text, "}") == 0 || strcmp(text, "]") == 0;
        depth += opens - closes;
    }
    clang_disposeTokens(door->unit, tokens, count);
    return depth == 0;
}
