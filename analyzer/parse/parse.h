/*
 * Text -> struct unit, through libclang (the only room that knows clang).
 */
#ifndef ORRERY_ANALYZER_PARSE_H
#define ORRERY_ANALYZER_PARSE_H

#include "analyzer/diag.h"
#include "analyzer/ir.h"
#include "analyzer/parse/options.h"
#include "analyzer/pragma/pragma.h"

/*
 * Parses one C file with all pragmas bound to their loops. Errors of the C text (as clang words
 * them, code ORR9001) and of pragmas (ORR91xx) go to `diags`. Returns NULL only when nothing could
 * be parsed (missing file: ORR9002); otherwise a unit, which is only to be trusted when
 * diags->nerrors is 0.
 */
struct unit *parse_unit(struct arena *arena, const struct parse_options *options,
                        struct diag_list *diags);

/* True when the file's bytes contain a marker that could be ours ("orrery"):
 * a cheap test before parsing. */
bool parse_mentions_orrery(const char *file);

/* libclang's version as it prints it. */
const char *parse_clang_version(struct arena *arena);

#endif
