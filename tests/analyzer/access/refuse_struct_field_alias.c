/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object users pointer [16L x nnz] read
  object an unknown place unknown read written not-captured
  read users[n] at 22:27 `users[n]`
  read an unknown place at 23:9 `one.w[0]`
  write an unknown place at 23:9 `one.w[0]`
  captures users nnz
  uses-index
  refusal ORR2205 at 23:9 where the write to `one.w[0]` goes is not known: it is read from memory of which nothing is known; it may change anything the loop uses
*/
/* clang-format on */
/* the iteration's own copy of a pointer leads to shared memory */
struct user {
    float *w;
    int id;
};
void pass(const struct user *users, long nnz) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        struct user one = users[n];
        one.w[0] += 1;
    }
}
