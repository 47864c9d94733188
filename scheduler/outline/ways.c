/* The edit that a refusal names where its place knows none that is more exact. */
#include "scheduler/outline/collect.h"

static const struct way {
    const char *code, *fix;
} ways[] = {
    {ORR2125, "count with a number and subscript the index list by it, in the loop itself"},
    {ORR2265,
     "use the key for nothing but its row (read it once more where its number matters), keep "
     "all that a row has in one array, or leave relax(hot) out"},
    {ORR2266, "leave it out: without it the result is exact"},
    {ORR2302, "write the `for` and its body as plain text"},
    {ORR2303,
     "put the alternatives into macros or constants in front of the function, or write both "
     "loops out"},
    {ORR2304, "move the macro's `#define` in front of the function, or give it another name"},
    {ORR2305, "declare it in front of the function, with a name"},
    {ORR2306, "declare it in front of the loop"},
    {ORR2307,
     "let the body fold into a local variable or a plain array, by its own name, and store "
     "that in its place after the loop"},
    {ORR2308, "let the body use a plain variable, or a pointer to the array's first element, and a "
              "number for its size"},
    {ORR2309, "compute it into an array by a loop of its own, and use that array"},
    {ORR2310, "say assume(noalias(p, q)) where that is certain, or use a value that is computed in "
              "front of the loop"},
    {ORR2311, "declare the variable, with its size, in front of the function, and let no local one "
              "have its name"},
    {ORR2313, "make it `static inline`, or drop `inline`"},
    {ORR2314, "move the conditional to the top of the file, or let it ask for a name that both "
              "compilers are given with -D"},
    {ORR2315,
     "declare it in the body, or point a local variable to it in front of the loop and use "
     "that alone"},
    {ORR2318, "put it in front of the loop, or build without -allow-fallback"},
    {ORR2319,
     "write a minimum as `m = x < m ? x : m`; make two loops of it, where the first changes "
     "the array; or build without -allow-fallback"},
    {ORR2404, "take the directive away, or move it to a loop further in"},
    {ORR2460, "write target(cpu) in this loop's pragma"},
    {ORR2461,
     "use `float`, `double` or whole numbers, in flat arrays; or write target(cpu) in this "
     "loop's pragma"},
    {ORR2462, "write it in other words, or write target(cpu) in this loop's pragma"},
    {ORR2463,
     "put the pointer or the value into a local variable in front of the loop, and rows into "
     "one array"},
    {ORR2464, "define it in this file or name its file with -with; or write target(cpu) in this "
              "loop's pragma"},
    {ORR2465,
     "let the body itself fold into a local variable, and store that in its place after the "
     "loop"},
    {ORR2466, "count with a whole number, and write `p[i]` in place of `*p++`"},
    {ORR2474, "take the directive away, or put it and its statement into a block of their own"},
};

const char *outline_way_out(const char *code) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
        if (ways[i].code == code)
            return ways[i].fix;
    return NULL;
}
