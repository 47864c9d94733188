/* The output of a job that stands by: kept until it is its turn, then ours. */
#ifndef ORRERY_TOOLS_RELAY_H
#define ORRERY_TOOLS_RELAY_H

struct relay;

/* Of what can be read from `file`, which it closes. NULL: it cannot be. */
struct relay *relay_start(int file);

/* What has come is written, and what comes. */
void relay_open(struct relay *relay);

/* Whoever wrote to the file has ended: all is written when this returns. NULL does nothing. */
void relay_end(struct relay *relay);

#endif
