/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. 15
  object users pointer [68L] [4L x 17L] read written
  object r pointer [12L x nnz] read
  object items pointer [68L] [4L x 17L] read written
  read r[n] bytes 0..4 at 39:23 `r[n].user`
  read r[n] bytes 4..8 at 39:42 `r[n].item`
  read r[n] bytes 8..12 at 39:54 `r[n].value`
  read items[{r[n].item}][k + 1] called at 43:31 `item->w[k]`
  read users[{r[n].user}][k + 1] called at 43:9 `user->w[k]`
  write users[{r[n].user}][k + 1] called at 43:9 `user->w[k]`
  read items[{r[n].item}][k + 1] called at 44:9 `item->w[k]`
  write items[{r[n].item}][k + 1] called at 44:9 `item->w[k]`
  read users[{r[n].user}][0] called at 46:5 `user->bias`
  write users[{r[n].user}][0] called at 46:5 `user->bias`
  captures users r items nnz
  stream key `r[n].user` {r[n].user} +0 at 39:23-32
  stream key `r[n].item` {r[n].item} +0 at 39:42-51
  stream value `r[n].value` at 39:54-64
  guard no-overlap `r and users do not overlap`
  guard no-overlap `items and users do not overlap`
  guard no-overlap `items and r do not overlap`
*/
/* clang-format on */
struct rating {
    int user, item;
    float value;
};
struct factor {
    float bias;
    float w[16];
};
static void update(struct factor *user, struct factor *item, float value);
void pass(const struct rating *r, long nnz, struct factor *users, struct factor *items) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        update(&users[r[n].user], &items[r[n].item], r[n].value);
}
static void update(struct factor *user, struct factor *item, float value) {
    for (int k = 0; k < 16; ++k) {
        user->w[k] += value * item->w[k];
        item->w[k] -= value;
    }
    user->bias += value;
}
