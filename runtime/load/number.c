#define _GNU_SOURCE /* strtod_l */
#include "runtime/load/load.h"

#include <limits.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

const char *load_whole(const char *text, long *value) {
    bool negative = *text == '-';
    if (*text == '-' || *text == '+')
        ++text;
    if (!is_digit(*text))
        return NULL;
    unsigned long sum = 0;
    for (; is_digit(*text); ++text)
        sum = sum > (LONG_MAX - 9) / 10 ? LONG_MAX : sum * 10 + (unsigned long)(*text - '0');
    *value = negative ? -(long)sum : (long)sum;
    return text;
}

/* A decimal number as digits * 10^power, when that says all of it. */
struct decimal {
    uint64_t digits;
    int power;
    bool negative, exact;
};

/* Returns what follows, or NULL when this is no plain decimal number. */
static const char *read_decimal(const char *text, struct decimal *number) {
    *number = (struct decimal){.negative = *text == '-', .exact = true};
    if (*text == '-' || *text == '+')
        ++text;
    const char *first = text;
    int seen = 0, point = 0;
    for (; is_digit(*text) || (*text == '.' && !point); ++text) {
        if (*text == '.') {
            point = 1;
            continue;
        }
        ++seen;
        if (number->digits > (UINT64_MAX - 9) / 10) {
            number->exact = false;
        } else {
            number->digits = number->digits * 10 + (uint64_t)(*text - '0');
            number->power -= point;
        }
    }
    if (!seen || (seen == 1 && *first == '0' && (*text == 'x' || *text == 'X')))
        return NULL;
    if (*text == 'e' || *text == 'E') {
        long power;
        const char *end = load_whole(text + 1, &power);
        if (end) {
            text = end;
            if (power < -10000 || power > 10000)
                number->exact = false;
            else
                number->power += (int)power;
        }
    }
    return text;
}

/* The library's answer for the hard cases, words such as `inf`, and hexadecimal. */
static const char *library_real(const char *text, double *real, float *single) {
    static locale_t plain;
    locale_t known = __atomic_load_n(&plain, __ATOMIC_ACQUIRE);
    if (!known) {
        locale_t fresh = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (__atomic_compare_exchange_n(&plain, &known, fresh, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            known = fresh;
        else
            freelocale(fresh);
    }
    if (!*text || strchr(" \t\r\n\v\f", *text))
        return NULL;
    char *end;
    if (real)
        *real = strtod_l(text, &end, known);
    else
        *single = strtof_l(text, &end, known);
    return end == text ? NULL : end;
}

/*
 * A product or quotient of two numbers that are exact is rounded once, so it is the right one
 * (Clinger, "How to read floating point numbers accurately", PLDI 1990, section 3).
 */
const char *load_real(const char *text, double *value) {
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct decimal number;
    const char *end = read_decimal(text, &number);
    if (!end || !number.exact || number.digits > (UINT64_C(1) << 53) || number.power < -22 ||
        number.power > 22)
        return library_real(text, value, NULL);
    double digits = (double)number.digits;
    digits = number.power < 0 ? digits / tens[-number.power] : digits * tens[number.power];
    *value = number.negative ? -digits : digits;
    return end;
}

const char *load_any_float(const char *text, float *value) {
    static const float tens[] = {1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f};
    struct decimal number;
    const char *end = read_decimal(text, &number);
    if (!end || !number.exact || number.digits > (UINT64_C(1) << 24) || number.power < -10 ||
        number.power > 10)
        return library_real(text, NULL, value);
    float digits = (float)number.digits;
    digits = number.power < 0 ? digits / tens[-number.power] : digits * tens[number.power];
    *value = number.negative ? -digits : digits;
    return end;
}
