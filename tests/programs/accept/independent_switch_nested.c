/* expect: parallel independent ordered
 * carried: none
 */
void classify(int *out, const int *kind, const int *sort, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        switch (kind[n]) {
        case 0: {
            out[n] = 1;
        } break;
        case -1:
        case 7:
            switch (sort[n]) {
            case 2:
                out[n] = 5;
                break;
            default:
                out[n] = 6;
            }
            break;
        default:
            out[n] = -1;
        }
    }
}
