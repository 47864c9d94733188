/*
 * What machine.c (lanes that take turns) and order.c (what they know of each other) ask of each
 * other. An *agent* is a lane, by its number in the grid, or the host, the one behind the last.
 */
#ifndef ORRERY_TESTS_PTX_MACHINE_H
#define ORRERY_TESTS_PTX_MACHINE_H

#include "ptx.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- machine.c ---- */

/* Who runs. */
long machine_agent(void);

/* Is it in the running lane's own memory? */
bool machine_is_local(const void *at);

/* Others may run before what comes; something has happened that others may wait for. */
void machine_yield(void);
void machine_progress(void);

/* A line that accesses memory or meets others runs; it reads what the same kernel has `written`. */
void machine_trace(int line, bool written);

/* Zeros; the job ends when there are none left. */
void *machine_memory(size_t count, size_t bytes);

unsigned machine_random(unsigned below);

/* Ends the job: `line` of the running kernel's PTX is wrong. */
__attribute__((format(printf, 2, 3))) _Noreturn void machine_wrong(int line, const char *form, ...);

/* ---- order.c ---- */

/* The device's memory, or the host's that the device sees. `low` aligned to 8. */
void order_memory_add(char *low, size_t bytes, bool host);
void order_memory_remove(const char *low);

/* A launch of so many warps: what came before it is known to all of them. Its end. */
void order_begin(long warps);
void order_end(void);

/* All lanes of the warp that meet know what each of them did. `all`: no others are left. */
void order_meet_warp(long warp, uint32_t lanes, bool all);

/* The same of all lanes of the warps from `first` on, which have just met in their warps. */
void order_meet_block(long first, long warps);

/* The host copies to or from the device while a kernel runs. */
void order_host_copies(const char *at, size_t bytes, bool writes);

/* Flags in host memory: what the host did can be taken from those that it has set (before the
 * kernel goes on); what the device did, from those that it has set (behind that). */
void order_host_gives(void);
void order_host_takes(void);

#endif
