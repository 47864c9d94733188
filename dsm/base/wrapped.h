/*
 * The C library's functions behind the hooks. With --wrap=f the linker gives us the original as
 * __real_f; without it (unit tests) that name is nowhere, the weak reference is NULL, and f itself
 * is the original. REAL(f) is right in both.
 */
#ifndef ORRERY_DSM_WRAPPED_H
#define ORRERY_DSM_WRAPPED_H

#define REAL_DECLARE(function) extern __typeof__(function) __real_##function __attribute__((weak))
#define REAL(function) (__real_##function ? __real_##function : function)

#endif
