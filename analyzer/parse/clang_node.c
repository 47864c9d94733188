/* Nodes of the tree: what they are, where they lead, what is declared. */
#include "analyzer/parse/clang_private.h"

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
    [CXCursor_AsmLabelAttr] = NODE_ATTRIBUTE_LABEL,
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

struct node node_from(CXCursor cursor) {
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

/* ---- walking */

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
    return door_string(door->arena, clang_getCursorSpelling(cursor_of(node)));
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

bool node_is_first(struct node node) {
    return clang_equalCursors(clang_getCanonicalCursor(cursor_of(node)), cursor_of(node));
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
