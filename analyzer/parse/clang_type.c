/* Types. */
#include "analyzer/parse/clang_private.h"

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
    return door_string(door->arena, clang_getTypeSpelling(type_of(type)));
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
