/* expect
loop n = 0 .. nnz - 1
  object a pointer [16L x nnz] read
  object an unknown place unknown read written not-captured
  read a[n] bytes 0..8 at 19:9 `a[n].next`
  read an unknown place at 19:9 `a[n].next->count`
  write an unknown place at 19:9 `a[n].next->count`
  captures a nnz
  uses-index
  refusal ORR2205 at 19:9 the loop writes through a pointer that is not known (`a[n].next` is read from memory the loop writes (line 19)): it may change anything the loop uses
*/
struct node {
    struct node *next;
    int count;
};
void pass(struct node *a, long nnz) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        a[n].next->count++;
}
