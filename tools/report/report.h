/*
 * What `orrery analyze` says: as text like a compiler's, as JSON (docs/cli.md, a contract), or as
 * results of a SARIF log.
 */
#ifndef ORRERY_TOOLS_REPORT_H
#define ORRERY_TOOLS_REPORT_H

#include "tools/pipeline/pipeline.h"

#include <jansson.h>

/* Errors and remarks of one file with carets, dependences, placements, a summary line; `quiet`:
 * marked loops that stay serial, and nothing else. */
void report_text(const struct compilation *pipeline, const char *file, bool serial_is_error,
                 bool quiet, void *stream);

/* What stands below the verdict of a parallel plan, a line each, indented by four; nothing of a
 * serial one. */
void report_details(const struct compilation *pipeline, const struct plan *plan, void *stream);

/*
 * The verdict of one plan as a message in `list`: the reason, for a refusal both accesses as notes,
 * the fix. Severity of a marked loop that stays serial: `serial`, of the other verdicts: remark.
 */
struct diag *report_diag(const struct compilation *pipeline, const struct plan *plan,
                         enum severity serial, struct diag_list *list);

/*
 * The verdict of one plan as a message: the reason, for a refusal both accesses, the fix; the
 * arrays that every rank has all of although others are cut. Severity of a marked loop that stays
 * serial: `serial`.
 */
void report_verdict(const struct compilation *pipeline, const struct plan *plan,
                    enum severity serial, void *stream);

/* One JSON object on one line. */
void report_json(const struct compilation *pipeline, const char *file, void *stream);

/* The functions that the file defines for others, with the types of their parameters, as one JSON
 * object on one line (docs/cli.md). */
void report_functions(const struct compilation *pipeline, const char *file, void *stream);

/* One loop of it. */
json_t *report_loop_json(const struct compilation *pipeline, const struct plan *plan);

/* Appends the errors and verdicts of one file to a JSON array of SARIF results. `ruleIndex` is left
 * to who makes the log. */
void report_sarif(const struct compilation *pipeline, bool serial_is_error, json_t *results);

/* Of a pipeline (report_stages.c): its stages; the variables that travel from one to another. */
json_t *report_stages_json(const struct plan *plan);
json_t *report_late_json(const struct plan *plan);
json_t *report_travels_json(const struct plan *plan);
void report_stages_print(const struct plan *plan, void *stream);

/* A string that may be NULL (null) or not UTF-8 (its bytes are kept as Latin-1 code points). */
json_t *report_string(const char *text);

/* A file's name as a URI reference (RFC 3986). */
json_t *report_uri(const char *path);

/* "as long", "1.3 times as long"; until the next call. */
const char *report_ratio(double ratio);

/* What a measured loop should run on,
 * and what the measured grid takes there; without a line's end. */
void report_best(const struct plan_best *best, FILE *out);

/* Words shared by all. `+`, `min` ...; "flow" ...; "carried" ... */
const char *report_op(enum reduction_op op);
const char *report_dep_kind(enum dep_kind kind);
const char *report_dep_status(enum dep_status status);

#endif
