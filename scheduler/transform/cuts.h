/*
 * Index-set splitting of nests: an iteration of a loop alone writes what the others read, so the loop
 * becomes those before it, it, and those behind it. The order of the iterations stays, so any cut is
 * right.
 *
 *   for i, j: d[i][j] = min(d[i][j], d[i][k] + d[k][j])      i < k, i = k, i > k; and j likewise
 */
#ifndef ORRERY_SCHEDULER_TRANSFORM_CUTS_H
#define ORRERY_SCHEDULER_TRANSFORM_CUTS_H

#include "scheduler/transform/front.h"

/* The other way of the nest's outermost loop. False: there is no such iteration. */
bool cuts_write(struct nest *nest, struct writing *w);

/* "the loop runs in parts, cut at i = k" */
const char *cuts_words(const struct nest *nest);

#endif
