/* Bytes: words of a text are hashed and counted in chains of a table, as in many a parser. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *next;
    unsigned hash;
    int count;
    char text[16];
};

static struct word *table[4096];

static void count(const char *text, int length) {
    unsigned hash = 5381;
    for (int i = 0; i < length; ++i)
        hash = hash * 33 + (unsigned char)text[i];
    struct word *word = table[hash % 4096];
    while (word && (word->hash != hash || memcmp(word->text, text, (size_t)length) != 0))
        word = word->next;
    if (!word) {
        word = calloc(1, sizeof *word);
        memcpy(word->text, text, (size_t)length);
        word->hash = hash;
        word->next = table[hash % 4096];
        table[hash % 4096] = word;
    }
    ++word->count;
}

int main(int argc, char **argv) {
    int size = argc > 1 ? atoi(argv[1]) : 1 << 22, most = 0;
    char *text = malloc((size_t)size + 1);
    unsigned state = 1;
    for (int i = 0; i < size; ++i) {
        state = state * 1664525u + 1013904223u;
        text[i] = (state >> 28) < 3 || i % 12 == 0 ? ' ' : (char)('a' + (state >> 20) % 6);
    }
    text[size] = '\0';
    for (int pass = 0; pass < 2; ++pass)
        for (const char *at = text; *at;) {
            const char *end = at;
            while (*end && *end != ' ')
                ++end;
            if (end > at)
                count(at, (int)(end - at));
            at = *end ? end + 1 : end;
        }
    for (int i = 0; i < 4096; ++i)
        for (const struct word *word = table[i]; word; word = word->next)
            most = word->count > most ? word->count : most;
    printf("%d\n", most);
    return 0;
}
