/*
 * The codes of messages.def as names: `ORR2210` is the text "ORR2210", one and the same everywhere.
 * Who decides by a code compares names (`refusal->code == ORR2210`) or asks for its class; nobody
 * compares texts.
 */
#ifndef ORRERY_ANALYZER_MESSAGES_H
#define ORRERY_ANALYZER_MESSAGES_H

#include <stdbool.h>

#define MESSAGE(code, title) extern const char code[];
#include "analyzer/messages.def"
#undef MESSAGE

/* What a code says; OF_TEXT: the loop stays serial for its text, not for what it computes. */
enum message_class {
    MESSAGE_PARALLEL, /* ORR1xxx */
    MESSAGE_SERIAL,   /* ORR2xxx */
    MESSAGE_OF_TEXT,  /* ORR23xx */
    MESSAGE_USER,     /* ORR3xxx: needs the user */
    MESSAGE_INPUT     /* ORR9xxx: the input has errors */
};

/* `code`: one of the names above, or a text that may be one; others are MESSAGE_SERIAL. */
enum message_class message_class_of(const char *code);

/* Is `code` one of the `count` names? */
bool message_is_one_of(const char *code, int count, const char *const *names);

#endif
