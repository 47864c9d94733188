#define ORRERY_PARALLEL(...)
