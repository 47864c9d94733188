/*
 * ORRERY_TRACE=file: a Chrome trace (chrome://tracing, Perfetto) of the whole run: one process per
 * rank, one lane per worker and one per direction of communication.
 */
#ifndef ORRERY_RUNTIME_TRACE_H
#define ORRERY_RUNTIME_TRACE_H

/* Now, or 0 when no trace is wanted. */
double orrery_trace_begin(void);

/* Before the first event of a region. */
void orrery_trace_prepare(void);

/* One event each, from `begin` to now (or `end`). No effect without a trace. `where` lives on. */
void orrery_trace_block(int worker, const char *where, long row, long column, double begin);
void orrery_trace_wait(int worker, double begin, double end);
void orrery_trace_region(const char *what, const char *where, double begin);
void orrery_trace_message(int sent, long column, int peer, double begin);

/* Of the rank's device: `what` is the loop of a kernel, or the direction of a copy. */
enum orrery_trace_device { ORRERY_TRACE_KERNEL, ORRERY_TRACE_COPY };
void orrery_trace_device(enum orrery_trace_device kind, const char *what, unsigned long bytes,
                         double begin);

/* Collective, at the end: rank 0 writes the file with every rank's events. */
void orrery_trace_write(void);

#endif
