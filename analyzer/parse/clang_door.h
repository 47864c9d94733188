/*
 * The only door to libclang: everything that crosses it is in words of our own. A parsed C file is
 * a `struct door`; its syntax tree is walked with `struct node` handles, its types with `struct
 * ctype` handles, both plain values that are valid until door_close.
 */
#ifndef ORRERY_ANALYZER_CLANG_DOOR_H
#define ORRERY_ANALYZER_CLANG_DOOR_H

#include "analyzer/ir.h"

struct door;

enum node_kind {
    NODE_NONE,
    /* declarations */
    NODE_FUNCTION,
    NODE_VARIABLE,
    NODE_PARAMETER,
    NODE_FIELD,
    NODE_RECORD,
    NODE_ENUM,
    NODE_ENUMERATOR,
    NODE_TYPEDEF,
    NODE_OTHER_DECL,
    /* expressions */
    NODE_INT,
    NODE_FLOAT,
    NODE_CHAR,
    NODE_BOOL,
    NODE_NULLPTR,
    NODE_STRING,
    NODE_REFERENCE, /* a name of a variable, function or enumerator */
    NODE_MEMBER,
    NODE_CALL,
    NODE_UNARY,
    NODE_BINARY, /* compound assignment included */
    NODE_SIZEOF, /* and _Alignof */
    NODE_SUBSCRIPT,
    NODE_CONDITIONAL,
    NODE_CAST,
    NODE_COMPOUND,
    NODE_INIT,
    NODE_PAREN,
    NODE_GENERIC,
    NODE_STATEMENT_EXPR,
    NODE_LABEL_ADDRESS,
    NODE_IMPLICIT, /* what libclang does not show: implicit casts and rarer things */
    NODE_OTHER_EXPR,
    /* statements */
    NODE_COMPOUND_STMT,
    NODE_DECL_STMT,
    NODE_NULL_STMT,
    NODE_IF,
    NODE_FOR,
    NODE_WHILE,
    NODE_DO,
    NODE_SWITCH,
    NODE_CASE,
    NODE_DEFAULT,
    NODE_BREAK,
    NODE_CONTINUE,
    NODE_RETURN,
    NODE_GOTO,
    NODE_LABEL,
    NODE_ASM,
    NODE_IMPLICIT_STMT, /* an attributed statement */
    NODE_OTHER_STMT,
    /* the rest */
    NODE_ATTRIBUTE,
    NODE_ATTRIBUTE_PURE,
    NODE_ATTRIBUTE_CONST,
    NODE_ATTRIBUTE_LABEL, /* `asm("name")` behind a declaration */
    NODE_LABEL_REF,
    NODE_MEMBER_REF,
    NODE_TYPE_REF,
    NODE_OTHER
};

/* A handle of one tree node; `raw` is libclang's business. */
struct node {
    enum node_kind kind;
    struct {
        int kind, xdata;
        const void *data[3];
    } raw;
};

/* A handle of one type. */
struct ctype {
    int kind;
    void *data[2];
};

/*
 * Where a node stands, in offsets of files (indices into door_files). begin/end are file positions:
 * of the macro argument's text for what comes out of a macro argument, of the macro's use for
 * what comes out of a macro's body. `direct`: its first byte is written in the main file outside of
 * any macro. `whole`: begin and end are in one file and in order. `expansion`: offset of the
 * outermost macro's use, equal to begin where there is none.
 */
struct span {
    int file;
    unsigned begin, end, expansion;
    bool direct, whole;
};

/* Which operator: a kind and op of our IR; EXPR_UNKNOWN with a description for the others. */
struct operation {
    enum expr_kind kind;
    enum op op;
    int delta;
    bool prefix;
    bool transparent; /* __extension__ */
    const char *unknown;
};

enum ctype_class {
    CTYPE_VOID,
    CTYPE_BOOL,
    CTYPE_SIGNED,
    CTYPE_UNSIGNED,
    CTYPE_FLOAT,
    CTYPE_POINTER,
    CTYPE_ARRAY,
    CTYPE_INCOMPLETE_ARRAY,
    CTYPE_VLA,
    CTYPE_RECORD,
    CTYPE_FUNCTION,
    CTYPE_ATOMIC,
    CTYPE_OTHER
};

/* How a message of the C text reads. severity as in clang: 2 warning, 3 error, 4 fatal. */
struct door_message {
    int severity;
    const char *text;
    struct span span;
    bool has_place;
};

/*
 * A macro's definition: its name, its parameters and what takes a use's place, as tokens.
 * `touches`: the token stands at the one in front of it, no blank between them. `file`, `offset`:
 * where its name stands in the definition.
 */
struct macro {
    int file;
    unsigned offset;
    bool takes_arguments;
    int ntokens;
    const char **tokens;
    bool *touches;
};

/* What to parse; as parse_options, with the arguments that libclang understands. */
struct door_request {
    const char *file;
    int nargs;
    const char *const *args;
    const char *text;
    bool want_skipped;
};

/* NULL when libclang could not make anything of it. Strings and children live in `arena`. */
struct door *door_open(struct arena *arena, const struct door_request *request);
void door_close(struct door *door);
const char *door_version(struct arena *arena);
/* The directory of libclang's own headers, beside the loaded library; NULL when it has no place. */
const char *door_resource_dir(struct arena *arena);

/* The file table so far; texts are loaded. It grows as places in new files are asked for. */
/* The index of the file that is parsed. */
int door_main_file(struct door *door);
int door_nfiles(const struct door *door);
const struct source_file *door_file(struct door *door, int index);
/* The same without loading: text is NULL when nobody asked for it yet. */
const struct source_file *door_file_entry(const struct door *door, int index);
/* Takes every included file into the table; returns how many files that makes. */
int door_load_includes(struct door *door);
bool door_file_is_system(const struct door *door, int index);

int door_nmessages(const struct door *door);
struct door_message door_message(struct door *door, int index);

/* Calls `visit` for all declarations at file scope that do not stand in system headers. */
void door_visit(struct door *door, void (*visit)(void *data, struct node node), void *data);

/* Fills in [*begin, *end) of the skipped range number `index` of a file;
 * false when out of range. */
bool door_skipped(struct door *door, int file, int index, unsigned *begin, unsigned *end);

/* The macro whose use begins at `offset` of the main file; false: none does, or a system's. */
bool door_macro_at(struct door *door, unsigned offset, struct macro *macro);
/* The file's name and the line's number that #line gives to a place in the main file. */
const char *door_line_of(struct door *door, unsigned offset, int *line);
/* A number that is the same for two files that mean the same, wherever what they say stands. */
uint64_t door_digest(struct door *door);

/* ---- nodes */

int node_children(struct door *door, struct node node, struct node **children);
const char *node_name(struct door *door, struct node node);
struct ctype node_type(struct node node);
struct span node_span(struct door *door, struct node node);
bool node_same_extent(struct node a, struct node b);
/* They are one; no node at all is the same as none. */
bool node_is_same(struct node a, struct node b);
bool node_is_statement(struct node node);
bool node_is_expression(struct node node);

/* One address per declared entity, the same for all its declarations. */
const void *node_entity(struct node node);
/* What a reference names, the definition of a declaration (kind NODE_NONE when there is none). */
struct node node_referenced(struct node node);
struct node node_definition(struct node node);
/* No other declaration of the same entity stands in front. */
bool node_is_first(struct node node);
struct node node_initializer(struct node node);
/* The function a declaration stands in, NODE_NONE at file scope. */
struct node node_parent_function(struct node node);

struct operation node_operation(struct node node);
bool node_evaluate_int(struct node node, long long *value);
bool node_evaluate_float(struct node node, double *value);
/* The spelling of the first token, also out of a macro's body; NULL when it cannot be had. */
const char *node_token(struct door *door, struct node node);
/* The first token of the macro whose use a node begins with,
 * as in its definition; NULL: unknown. */
const char *node_macro_begin(struct door *door, struct node node);
/* All brackets that the replacement of that macro opens it closes, and no others. */
bool node_macro_balanced(struct door *door, struct node node);

bool node_is_static(struct node node);
bool node_is_extern(struct node node);
bool node_is_thread_local(struct node node);
bool node_is_union(struct node node);
bool node_is_bit_field(struct node node, int *width);
long node_field_offset(struct node node);
long long node_enumerator_value(struct node node);

/* ---- types */

struct ctype ctype_canonical(struct ctype type);
enum ctype_class ctype_class(struct ctype type);
const void *ctype_entity(struct ctype type);
const char *ctype_spelling(struct door *door, struct ctype type);
bool ctype_is_const(struct ctype type);
bool ctype_is_volatile(struct ctype type);
bool ctype_is_restrict(struct ctype type);
bool ctype_is_variadic(struct ctype type);
/* Pointee, element, result or value type (atomic). */
struct ctype ctype_element(struct ctype type);
long ctype_count(struct ctype type);
long ctype_size(struct ctype type);
struct node ctype_declaration(struct ctype type);
/* The typedef a sugared type is named by (kind NODE_NONE: none), and what it stands for. */
struct node ctype_typedef(struct ctype type, struct ctype *underlying);
int ctype_fields(struct door *door, struct ctype type, struct node **fields);

#endif
