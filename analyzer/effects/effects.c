/* What a function does whose body is not seen. */
#include "analyzer/effects.h"

const struct effects *effects_of(const struct function *function) {
    return function->body ? NULL : function->effects;
}

enum effect effect_of_function(const struct function *function) {
    const struct effects *effects = effects_of(function);
    return effects ? effects->effect : EFFECT_UNKNOWN;
}

bool effects_pure(const struct function *function) {
    return effect_of_function(function) == EFFECT_PURE;
}

bool effects_say(const struct function *function, unsigned marks) {
    const struct effects *effects = effects_of(function);
    return effects && (effects->marks & marks) == marks;
}

bool effects_free(const struct function *function) {
    const struct effects *effects = effects_of(function);
    return effects && effects->frees >= 0 && !(effects->marks & EFFECT_NEW);
}
