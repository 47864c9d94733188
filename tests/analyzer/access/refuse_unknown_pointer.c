/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object a pointer [16L x nnz] read
  object an unknown place unknown read written not-captured
  read a[n] bytes 0..8 at 21:9 `a[n].next`
  read an unknown place at 21:9 `a[n].next->count`
  write an unknown place at 21:9 `a[n].next->count`
  captures a nnz
  uses-index
  refusal ORR2205 at 21:9 where the write to `a[n].next->count` goes is not known: `a[n].next` may be read from memory the loop writes (line 21); it may change anything the loop uses
*/
/* clang-format on */
struct node {
    struct node *next;
    int count;
};
void pass(struct node *a, long nnz) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        a[n].next->count++;
}
