/*
 * A rank's connection to `orrery run`, by which its heartbeats travel to another host
 * (heartbeat_format.h). Both ends learn from the kernel that the other host is cut off, however
 * busy, or stopped, the processes are.
 */
#ifndef ORRERY_RUNTIME_HEARTBEAT_LINE_H
#define ORRERY_RUNTIME_HEARTBEAT_LINE_H

#include "runtime/base/heartbeat_format.h"

/* Begins to connect to one of the addresses of ORRERY_WATCH. A malformed text is no address. */
void orrery_line_open(const char *watch, int rank);

/* At every beat, any thread: goes on connecting, sends this frame unless too many are unanswered.
 * Ends the process (status 205) when the launcher, or its host, is gone. */
void orrery_line_beat(const struct orrery_heartbeat *heartbeat);

/* What the launcher answered last; 0: nothing yet. */
int orrery_line_wanted(void);

#endif
