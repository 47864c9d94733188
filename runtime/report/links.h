/*
 * The links between ranks, measured when the program begins (ORRERY_LINKS=FILE): a cluster file for
 * `orrery simulate`, docs/simulate.md.
 */
#ifndef ORRERY_RUNTIME_LINKS_H
#define ORRERY_RUNTIME_LINKS_H

/*
 * Collective, before main. Rank 0 and one other rank of its host, and one of another host, where
 * there are such, send each other messages for some tenths of a second. Nothing when it is not
 * wanted; ends the job where there is one rank only, or the file cannot be written.
 */
void orrery_links_measure(void);

#endif
