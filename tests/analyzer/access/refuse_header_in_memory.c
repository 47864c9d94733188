/* clang-format off */
/* expect
loop n = 0 .. ?
  object l->items scalar read not-captured
  object l->length scalar read written not-captured
  object l->items pointer [8L] read not-captured
  read l->length at 24:26 `l->length`
  read l->items at 25:22 `l->items`
  read l->items[n] at 25:22 `l->items[n]`
  read l->length at 25:9 `l->length`
  write l->length at 25:9 `l->length`
  captures l
  stream value `l->items[n]` at 25:22-33
  guard no-overlap `l->items and l->length do not overlap`
  refusal ORR2224 at 24:26 the loop's bound reads `l->length`, which the loop changes
*/
/* clang-format on */
struct list {
    long length;
    long *items;
};
void pass(struct list *l) {
#pragma orrery parallel unordered
    for (long n = 0; n < l->length; ++n)
        l->length += l->items[n];
}
