/*
 * How far hosts are from each other: found when the job starts, for the trees of broadcasts.
 */
#ifndef ORRERY_DSM_DISTANCE_H
#define ORRERY_DSM_DISTANCE_H

/* Hosts above this number stand by rank: every pair is asked. */
enum { DSM_DISTANCE_MOST = 64 };

/*
 * Puts 0 .. n-1 in order so that near ones stand side by side, 0 first: seconds[i * n + j] of a way
 * from i to j (i < j), alike when neither is twice the other. Single linkage: the nearest two
 * groups are joined until there is one, the one with the lowest number in front; among equals the
 * lowest numbers first (Sibson, SLINK, 1973, says which groups come of it).
 */
void dsm_distance_order(int n, const double *seconds, int *order);

/*
 * Collective, once the broadcasts' trees by rank are there. hosts[r]: the first rank of r's host.
 * Sets order[0 .. ranks) to the first ranks of hosts as they should stand behind each other, then
 * -1. Three hosts and more measure a short message's way between each two of them, as many pairs at
 * once as there are: about ten times as many ways as there are hosts.
 */
void dsm_distance_find(const int *hosts, int *order);

#endif
