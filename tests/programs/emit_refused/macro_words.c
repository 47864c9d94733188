/* ORR2290 */
/* says: has the name of something that stands in the text which is emitted for it */
#define begin {
#define end }
void fill(int *restrict a, int n)
begin
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = i;
end
