#include "analyzer/parse_private.h"

void pragma_bind(struct translator *t) {
    (void)t;
}
