/*
 * What `orrery analyze` says: as text like a compiler's, or as JSON (docs/cli.md, a contract).
 */
#ifndef ORRERY_CLI_REPORT_H
#define ORRERY_CLI_REPORT_H

#include "cli/pipeline.h"

/* Errors and remarks of one file with carets, dependences, placements, a summary line. */
void report_text(const struct pipeline *pipeline, const char *file, bool serial_is_error,
                 void *stream);

/*
 * The verdict of one plan as a message: the reason, for a refusal both accesses, the fix. Severity
 * of a marked loop that stays serial: `serial`.
 */
void report_verdict(const struct pipeline *pipeline, const struct plan *plan, enum severity serial,
                    void *stream);

/* One JSON object on one line. */
void report_json(const struct pipeline *pipeline, const char *file, void *stream);

/* Words shared by both. `+`, `min` ...; "flow" ...; "carried" ... */
const char *report_op(enum reduction_op op);
const char *report_dep_kind(enum dep_kind kind);
const char *report_dep_status(enum dep_status status);

#endif
