/* Places of edits in the user's text. */
#ifndef ORRERY_SCHEDULER_FIXIT_TEXT_H
#define ORRERY_SCHEDULER_FIXIT_TEXT_H

#include "analyzer/analyzer.h"

/* The bytes [begin, end) of a file as a range. */
struct range fixit_range(const struct unit *unit, int file, unsigned begin, unsigned end);

/* The text of `range`, as it is written. */
const char *fixit_source(const struct unit *unit, struct range range);

/* The text of `range` is `words`, byte for byte. */
bool fixit_spells(const struct unit *unit, struct range range, const char *words);

/* `clause` with the blanks and the comma that separate it from its neighbours. */
struct range fixit_clause(const struct unit *unit, struct range clause);

/* Where a clause can be put into the directive, and what has to follow it ("" or ", "); false where
 * the directive is not written as usual. */
bool fixit_clause_place(const struct unit *unit, struct range directive, struct range *place,
                        const char **before, const char **behind);

/* What has to stand between the brace that opens a block and a line that is put behind it. */
const char *fixit_first_line(const struct unit *unit, struct range block);

/* Where `#include <orrery.h>` goes, at the begin of a line of the main file; false: it is there. */
bool fixit_include_place(const struct unit *unit, struct range *place);

#endif
