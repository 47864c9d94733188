/*
 * Text that a marked loop prints: collected while it runs, each piece with its iteration, and
 * written behind the loop in the loop's order (docs/transform.md).
 */
#ifndef ORRERY_SCHEDULER_OUTPUT_H
#define ORRERY_SCHEDULER_OUTPUT_H

#include "analyzer/analyzer.h"

/*
 * The main file's text in which the loop's calls of printf collect; lines keep their numbers. NULL:
 * it has none, or one that has to stay: in a macro, with a value that is used, with a format that
 * is no plain literal or takes something else than numbers. `deep`: functions of the file that it
 * calls may print, too, and both may end the program.
 */
const char *output_text(struct unit *unit, const struct loop *loop, bool deep);

/* Does it collect already? What an iteration collects stays in one piece then. */
bool output_is_collected(const struct stmt *stmt);

#endif
