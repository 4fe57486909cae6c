/* Finds our counterpart of a key's name in another engine: "shift", "ArrowUp", "KEY_W", "LeftControl". */
#include "core/api.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 6, WORD = 16 };

typedef struct word_list {
  char words[WORDS][WORD];
  int count;
} word_list;

static const struct {
  const char *said, *word; /* "": it says nothing */
} synonyms[] = {
    {"control", "ctrl"},   {"option", "alt"},   {"command", "super"}, {"cmd", "super"},   {"meta", "super"},
    {"win", "super"},      {"return", "enter"}, {"esc", "escape"},    {"del", "delete"},  {"ins", "insert"},
    {"spacebar", "space"}, {"keypad", "kp"},    {"numpad", "kp"},     {"gamepad", "pad"}, {"joypad", "pad"},
    {"key", ""},           {"arrow", ""},       {"digit", ""},        {"alpha", ""},      {"button", ""},
};

static const char *plain_word(const char *word) {
  for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
    if (strcmp(synonyms[i].said, word) == 0) return synonyms[i].word;
  return word;
}

static bool begins_word(const char *text, size_t i) {
  unsigned char c = (unsigned char)text[i], before = i ? (unsigned char)text[i - 1] : ' ';
  if (!isalnum(before)) return true;
  return (isupper(c) && islower(before)) || (isdigit(c) && isalpha(before));
}

static void end_word(word_list *list, char *word) {
  const char *plain = plain_word(word);
  if (*plain && list->count < WORDS) snprintf(list->words[list->count++], WORD, "%s", plain);
  *word = 0;
}

static word_list split(const char *text) {
  word_list list = {0};
  char word[WORD] = "";
  for (size_t i = 0; text[i]; i++) {
    size_t size = strlen(word);
    if (begins_word(text, i)) end_word(&list, word), size = 0;
    if (isalnum((unsigned char)text[i]) && size + 1 < WORD) {
      word[size] = (char)tolower((unsigned char)text[i]);
      word[size + 1] = 0;
    }
  }
  end_word(&list, word);
  return list;
}

static bool has_all(const word_list *list, const word_list *wanted) {
  for (int i = 0; i < wanted->count; i++) {
    int k = 0;
    while (k < list->count && strcmp(list->words[k], wanted->words[i]) != 0) k++;
    if (k == list->count) return false;
  }
  return wanted->count > 0;
}

const char *key_hint(const char *said) {
  const char *key, *longer = NULL;
  word_list wanted = split(said);
  for (int i = 0; (key = sinew_key_name(i)) != NULL; i++) {
    word_list words = split(key);
    if (!has_all(&words, &wanted)) continue;
    if (words.count == wanted.count) return key;
    if (!longer) longer = key;
  }
  return longer;
}
