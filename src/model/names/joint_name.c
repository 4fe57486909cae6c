#include "model/names/joint_name.h"

#include "model/names/model_names.h"

#include <ctype.h>
#include <string.h>

/* ---- parts of a name ---- */

enum { MAX_PARTS = 16, PART_SIZE = 32 };

typedef struct name_parts {
  char text[MAX_PARTS][PART_SIZE];
  int count;
} name_parts;

typedef enum letter { LETTER_NONE, LETTER_UPPER, LETTER_LOWER, LETTER_DIGIT } letter;

static letter letter_of(char c) {
  unsigned char u = (unsigned char)c;
  if (isdigit(u)) return LETTER_DIGIT;
  return u < 0x80 && !isalpha(u) ? LETTER_NONE : isupper(u) ? LETTER_UPPER : LETTER_LOWER;
}

/* Whether a new part begins at c[0], which follows a letter or digit: "LeftArm", "Arm2", "LThumb" (before Th). */
static bool begins_part(const char *c) {
  letter before = letter_of(c[-1]), here = letter_of(c[0]), after = letter_of(c[1]);
  if (before == LETTER_NONE || (before == LETTER_DIGIT) != (here == LETTER_DIGIT)) return true;
  return here == LETTER_UPPER && (before == LETTER_LOWER || after == LETTER_LOWER);
}

/* Full-width digits (U+FF10 and on) become ordinary ones. */
static void narrow_digits(const char *text, char *out, size_t size) {
  size_t length = 0;
  while (*text && length + 1 < size) {
    bool wide = strncmp(text, "\xEF\xBC", 2) == 0 && (unsigned char)text[2] >= 0x90 && (unsigned char)text[2] <= 0x99;
    out[length++] = wide ? (char)('0' + ((unsigned char)text[2] - 0x90)) : *text;
    text += wide ? 3 : 1;
  }
  out[length] = '\0';
}

static void split_name(const char *name, name_parts *parts) {
  size_t length = 0;
  char bare[MAX_PARTS * PART_SIZE];
  narrow_digits(joint_name_bare(name), bare, sizeof bare);
  parts->count = 0;
  for (const char *c = bare; *c; c++) {
    if (letter_of(*c) == LETTER_NONE) continue;
    if (c == bare || begins_part(c)) {
      if (parts->count == MAX_PARTS) return;
      memset(parts->text[parts->count++], 0, PART_SIZE);
      length = 0;
    }
    if (length + 1 < PART_SIZE) parts->text[parts->count - 1][length++] = (char)tolower((unsigned char)*c);
  }
}

/* ---- words ---- */

static bool is_one_of(const char *text, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(text, list[i]) == 0) return true;
  return false;
}

#define IS_ONE_OF(text, list) is_one_of(text, list, sizeof(list) / sizeof *(list))

/* Prefixes and suffixes that rigs add to their names. */
static bool is_noise(const char *part) {
  static const char *const noise[] = {"mixamorig", "bip", "def", "bone", "joint",     "jnt",   "bn",       "j",
                                      "b",         "c",   "m",   "f",    "character", "char",  "armature", "skeleton",
                                      "skel",      "rig", "cc",  "base", "valve",     "biped", "bend",     "drv"};
  return IS_ONE_OF(part, noise);
}

static joint_side side_of(const char *part) {
  static const char *const left[] = {"l", "left", "lft", "lt", "lf"}, *const right[] = {"r", "right", "rgt", "rt",
                                                                                        "rg"};
  return IS_ONE_OF(part, left) ? SIDE_LEFT : IS_ONE_OF(part, right) ? SIDE_RIGHT : SIDE_NONE;
}

typedef struct known_word {
  const char *text;
  joint_word word;
} known_word;

static const known_word known_words[] = {{"hips", WORD_HIPS},
                                         {"pelvis", WORD_HIPS},
                                         {"hip", WORD_HIP},
                                         {"spine", WORD_SPINE},
                                         {"chest", WORD_SPINE},
                                         {"upperchest", WORD_SPINE},
                                         {"torso", WORD_SPINE},
                                         {"abdomen", WORD_SPINE},
                                         {"waist", WORD_SPINE},
                                         {"lowerback", WORD_SPINE},
                                         {"upperback", WORD_SPINE},
                                         {"back", WORD_SPINE},
                                         {"thorax", WORD_SPINE},
                                         {"stomach", WORD_SPINE},
                                         {"abdomenlower", WORD_SPINE},
                                         {"abdomenupper", WORD_SPINE},
                                         {"chestlower", WORD_SPINE},
                                         {"chestupper", WORD_SPINE},
                                         {"neck", WORD_NECK},
                                         {"lowerneck", WORD_NECK},
                                         {"upperneck", WORD_NECK},
                                         {"necklower", WORD_NECK},
                                         {"neckupper", WORD_NECK},
                                         {"head", WORD_HEAD},
                                         {"clavicle", WORD_CLAVICLE},
                                         {"clav", WORD_CLAVICLE},
                                         {"collar", WORD_CLAVICLE},
                                         {"collarbone", WORD_CLAVICLE},
                                         {"shoulder", WORD_SHOULDER},
                                         {"shldr", WORD_SHOULDER},
                                         {"upperarm", WORD_UPPER_ARM},
                                         {"uparm", WORD_UPPER_ARM},
                                         {"armupper", WORD_UPPER_ARM},
                                         {"humerus", WORD_UPPER_ARM},
                                         {"bicep", WORD_UPPER_ARM},
                                         {"arm", WORD_ARM},
                                         {"forearm", WORD_FOREARM},
                                         {"lowerarm", WORD_FOREARM},
                                         {"lowarm", WORD_FOREARM},
                                         {"armlower", WORD_FOREARM},
                                         {"elbow", WORD_FOREARM},
                                         {"radius", WORD_FOREARM},
                                         {"hand", WORD_HAND},
                                         {"wrist", WORD_HAND},
                                         {"palm", WORD_HAND},
                                         {"thigh", WORD_THIGH},
                                         {"upleg", WORD_THIGH},
                                         {"upperleg", WORD_THIGH},
                                         {"legupper", WORD_THIGH},
                                         {"femur", WORD_THIGH},
                                         {"leg", WORD_LEG},
                                         {"calf", WORD_SHIN},
                                         {"shin", WORD_SHIN},
                                         {"lowerleg", WORD_SHIN},
                                         {"lowleg", WORD_SHIN},
                                         {"leglower", WORD_SHIN},
                                         {"knee", WORD_SHIN},
                                         {"tibia", WORD_SHIN},
                                         {"foot", WORD_FOOT},
                                         {"ankle", WORD_FOOT},
                                         {"toe", WORD_TOES},
                                         {"toes", WORD_TOES},
                                         {"ball", WORD_TOES},
                                         {"thumb", WORD_THUMB},
                                         {"handthumb", WORD_THUMB},
                                         {"fingerthumb", WORD_THUMB},
                                         {"index", WORD_INDEX},
                                         {"handindex", WORD_INDEX},
                                         {"fingerindex", WORD_INDEX},
                                         {"indexfinger", WORD_INDEX},
                                         {"middle", WORD_MIDDLE},
                                         {"handmiddle", WORD_MIDDLE},
                                         {"fingermiddle", WORD_MIDDLE},
                                         {"middlefinger", WORD_MIDDLE},
                                         {"mid", WORD_MIDDLE},
                                         {"ring", WORD_RING},
                                         {"handring", WORD_RING},
                                         {"fingerring", WORD_RING},
                                         {"ringfinger", WORD_RING},
                                         {"pinky", WORD_PINKY},
                                         {"handpinky", WORD_PINKY},
                                         {"fingerpinky", WORD_PINKY},
                                         {"pinkyfinger", WORD_PINKY},
                                         {"pinkie", WORD_PINKY},
                                         {"little", WORD_PINKY},
                                         {"littlefinger", WORD_PINKY},
                                         {"handlittle", WORD_PINKY},
                                         {"\u4e0b\u534a\u8eab", WORD_HIPS}, /* MikuMikuDance: lower body, … */
                                         {"\u4e0a\u534a\u8eab", WORD_SPINE},
                                         {"\u9996", WORD_NECK},
                                         {"\u982d", WORD_HEAD},
                                         {"\u80a9", WORD_SHOULDER},
                                         {"\u8155", WORD_UPPER_ARM},
                                         {"\u3072\u3058", WORD_FOREARM},
                                         {"\u624b\u9996", WORD_HAND},
                                         {"\u8db3", WORD_THIGH},
                                         {"\u3072\u3056", WORD_SHIN},
                                         {"\u8db3\u9996", WORD_FOOT},
                                         {"\u3064\u307e\u5148", WORD_TOES},
                                         {"\u89aa\u6307", WORD_THUMB},
                                         {"\u4eba\u6307", WORD_INDEX},
                                         {"\u4e2d\u6307", WORD_MIDDLE},
                                         {"\u85ac\u6307", WORD_RING},
                                         {"\u5c0f\u6307", WORD_PINKY}};

static joint_word find_word(const char *text) {
  for (size_t i = 0; i < sizeof known_words / sizeof *known_words; i++)
    if (known_words[i].text[0] == text[0] && strcmp(known_words[i].text, text) == 0) return known_words[i].word;
  return WORD_NONE;
}

/* ---- sides ---- */

/* "leftarm", "lhumerus" and "upperarmr" have the side joined to a word. */
static joint_side unglue(char *text) {
  static const struct {
    const char *text;
    joint_side side;
  } ends[] = {{"left", SIDE_LEFT}, {"right", SIDE_RIGHT}, {"l", SIDE_LEFT},
              {"r", SIDE_RIGHT},   {"\u5de6", SIDE_LEFT}, {"\u53f3", SIDE_RIGHT}};
  size_t length = strlen(text);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t cut = strlen(ends[i].text);
    if (cut >= length) continue;
    if (strncmp(text, ends[i].text, cut) == 0 && find_word(text + cut)) {
      memmove(text, text + cut, length - cut + 1);
      return ends[i].side;
    }
    if (strcmp(text + length - cut, ends[i].text) != 0) continue;
    text[length - cut] = '\0';
    if (find_word(text)) return ends[i].side;
    text[length - cut] = ends[i].text[0];
  }
  return SIDE_NONE;
}

static void append(char plain[JOINT_PLAIN_SIZE], const char *text) {
  size_t used = strlen(plain), length = strlen(text);
  if (used + length < JOINT_PLAIN_SIZE) memcpy(plain + used, text, length + 1);
}

/* Letters and digits apart. */
static joint_side read_parts(const char *name, const char *prefix, char *letters, char *digits) {
  name_parts parts;
  joint_side side = SIDE_NONE;
  split_name(name, &parts);
  letters[0] = digits[0] = '\0';
  for (int i = 0; i < parts.count; i++) {
    const char *part = parts.text[i];
    if (isdigit((unsigned char)part[0])) {
      /* leading digits are part of a rig's name: "Bip01 Head", "Character1_Head" */
      if (letters[0]) append(digits, part);
      continue;
    }
    bool skipped = i == 0 && prefix && strcmp(part, prefix) == 0;
    if (side == SIDE_NONE && side_of(part)) side = side_of(part);
    else if (!skipped && !is_noise(part)) append(letters, part);
  }
  return side == SIDE_NONE && !find_word(letters) ? unglue(letters) : side;
}

joint_side joint_name_plain(const char *name, const char *prefix, char plain[JOINT_PLAIN_SIZE]) {
  char digits[JOINT_PLAIN_SIZE];
  joint_side side = read_parts(name, prefix, plain, digits);
  append(plain, digits + strspn(digits, "0"));
  return side;
}

joint_word joint_name_word(const char *name, const char *prefix, joint_side *side) {
  char letters[JOINT_PLAIN_SIZE], digits[JOINT_PLAIN_SIZE];
  *side = read_parts(name, prefix, letters, digits);
  if (strcmp(letters, "finger") != 0) return find_word(letters);
  /* Biped numbers its fingers: Finger0 is the thumb, Finger11 the second joint of the next one */
  int finger = digits[0] - '0';
  return finger >= 0 && finger <= 4 ? (joint_word)(WORD_THUMB + finger) : WORD_NONE;
}

void joint_name_first(const char *name, char first[JOINT_PLAIN_SIZE]) {
  name_parts parts;
  split_name(name, &parts);
  memset(first, 0, JOINT_PLAIN_SIZE);
  if (parts.count) memcpy(first, parts.text[0], PART_SIZE);
}
