/* Runs a command and everything it starts, to an end that always comes. */
#ifndef ORRERY_CLI_SUPERVISE_H
#define ORRERY_CLI_SUPERVISE_H

#include "cli/arglist.h"

/*
 * `timeout` seconds (0: none); `output`: file for its output and messages, NULL: ours. SIGINT,
 * SIGTERM and SIGHUP are handed on, and SIGKILL follows 3 seconds later. Descendants left behind
 * are killed. Returns the exit status, 128 + signal, 124 for the timeout, 127 with a message when
 * it cannot start.
 */
int supervise(const char *who, const struct arg_list *words, long timeout, const char *output);

#endif
