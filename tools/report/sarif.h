/* A SARIF 2.1.0 log around the results of one call of `orrery analyze`. */
#ifndef ORRERY_TOOLS_SARIF_H
#define ORRERY_TOOLS_SARIF_H

#include <jansson.h>

/*
 * Prints the log of one run on `stream`: tool, the rules that the results name with their pages,
 * `results` (an array of report_sarif's, taken over; gets its rule indices). `status`: what the
 * command will return.
 */
void sarif_print(json_t *results, int status, void *stream);

#endif
