/* The progress line: only on a terminal, only for regions that take long. */
#ifndef ORRERY_RUNTIME_PROGRESS_H
#define ORRERY_RUNTIME_PROGRESS_H

/* Worker 0's share is `blocks`; `pass` counts from 1. */
void orrery_progress_start(const char *where, unsigned long pass, long blocks);
void orrery_progress_block(int worker);
void orrery_progress_end(void);

#endif
