#include "lua/constructors.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH = 200 }; /* Lua's own limit of nested constructs */

/* ---- constructors ---- */

/* Something still open: a brace (with its table), a bracket or a block (−1). */
typedef struct reader {
  constructors *out;
  int stack[DEPTH], depth;
  bool fresh;               /* the next token begins an item */
  token before[3];          /* the latest first */
  int prefix;               /* the line where the current chain of names began */
  text_span callees[DEPTH]; /* for each parenthesis on the stack, the called function */
  int lines[DEPTH];         /* … and its line */
} reader;

static int top(const reader *r) { return r->depth > 0 ? r->stack[r->depth - 1] : -1; }

/* The function that a parenthesis, brace or text after the last token calls: f(, o:f {, f"text". */
static text_span callee_of(const reader *r) {
  static const char *const words[] = {"return", "and", "or", "not", "in", "if", "while", "until", "elseif", NULL};
  text_span none = {NULL, 0};
  return r->before[0].kind == TOKEN_NAME && !token_is_one_of(&r->before[0], words) ? r->before[0].text : none;
}

static void push(reader *r, int what, const token *t) {
  if (r->depth == DEPTH) return;
  r->callees[r->depth] = callee_of(r);
  r->lines[r->depth] = t->line;
  r->stack[r->depth++] = what;
}

/* Notes an argument directly inside the parenthesis. */
static void note_callee(reader *r, constructor *c, const token *t) {
  bool argument = token_is(&r->before[0], "(") || token_is(&r->before[0], ",");
  bool inside = argument && r->depth > 0 && top(r) < 0;
  c->callee = inside ? r->callees[r->depth - 1] : callee_of(r);
  c->given = inside ? r->lines[r->depth - 1] : t->line;
}

static constructor_item *item_of(reader *r) {
  constructor_item *item = r->out->item_count ? r->out->items + r->out->item_count - 1 : NULL;
  for (; item && item >= r->out->items; item--)
    if (item->table == top(r)) return item;
  return NULL;
}

static void begin_table(reader *r, const token *t) {
  constructors *out = r->out;
  int index = out->table_count++;
  bool assigned = token_is(&r->before[0], "=") && r->before[1].kind == TOKEN_NAME;
  out->tables[index] = (constructor){.line = t->line,
                                     .call = token_is(&r->before[0], "(") ? r->before[0].line : t->line,
                                     .prefix = r->prefix,
                                     .text = {t->text.begin, 0},
                                     .first = out->item_count};
  if (assigned) out->tables[index].assigned = r->before[1].text;
  note_callee(r, out->tables + index, t);
  push(r, index, t);
  r->fresh = true;
}

static void begin_item(reader *r, const token *t) {
  constructor *table = r->out->tables + top(r);
  r->out->items[r->out->item_count++] =
      (constructor_item){.table = top(r), .line = t->line, .position = ++table->positions, .value = -1};
  r->fresh = false;
}

static void take_key(reader *r, text_span key) {
  constructor_item *item = item_of(r);
  constructor *table = r->out->tables + top(r);
  if (!item || item->position == 0) return;
  item->position = 0;
  item->key = key;
  table->positions--;
  table->open = table->open || !key.begin;
}

static bool begins_value(const token *t) {
  return token_is(t, "=") || token_is(t, ",") || token_is(t, ";") || token_is(t, "{");
}

/* With its quotes; empty for a text in long brackets. */
static text_span quoted(const token *value) {
  char quote = value->text.begin[-1];
  if (quote != '"' && quote != '\'') return (text_span){NULL, 0};
  return (text_span){value->text.begin - 1, value->text.size + 2};
}

/* Of the last tokens, the latest first: a single number (with or without a minus), truth value or string. */
static text_span literal_before(const token before[3]) {
  const token *value = &before[0];
  bool number = value->kind == TOKEN_NUMBER, truth = token_is(value, "true") || token_is(value, "false");
  if ((number || truth) && begins_value(&before[1])) return value->text;
  if (value->kind == TOKEN_STRING && begins_value(&before[1])) return quoted(value);
  if (!number || !token_is(&before[1], "-") || !begins_value(&before[2])) return (text_span){NULL, 0};
  const char *begin = before[1].text.begin;
  return (text_span){begin, (size_t)(value->text.begin + value->text.size - begin)};
}

/* At the end of an item, its value is a name if that name stood alone. */
static void end_item(reader *r, bool last) {
  constructor_item *item = r->fresh ? NULL : item_of(r);
  const token *value = &r->before[0];
  if (!item) return;
  item->literal = literal_before(r->before);
  bool alone = value->kind == TOKEN_NAME &&
               (token_is(&r->before[1], "=") || token_is(&r->before[1], ",") || token_is(&r->before[1], "{"));
  bool many = token_is(value, ")") || token_is(value, "}") || value->kind == TOKEN_STRING || token_is(value, ".");
  if (alone) item->name = value->text;
  if (last && item->position > 0 && many && item->value < 0) r->out->tables[item->table].open = true;
}

static void see_item(reader *r, const token *t) {
  if (token_is(t, ",") || token_is(t, ";")) {
    end_item(r, false);
    r->fresh = true;
  } else if (token_is(t, "=")) {
    text_span none = {NULL, 0};
    bool bracketed = token_is(&r->before[0], "]");
    bool constant = bracketed && r->before[1].kind == TOKEN_STRING && token_is(&r->before[2], "[");
    take_key(r, constant ? r->before[1].text : bracketed ? none : r->before[0].text);
  } else if (r->fresh && !token_is(t, "}")) {
    begin_item(r, t);
  }
}

static void end_table(constructor *table, const token *brace) {
  table->text.size = (size_t)(brace->text.begin + 1 - table->text.begin);
}

static void see_braces(reader *r, const token *t) {
  if (token_is(t, "{")) {
    constructor_item *item = top(r) >= 0 ? item_of(r) : NULL;
    bool value = item && (token_is(&r->before[0], "=") || token_is(&r->before[0], ",") ||
                          token_is(&r->before[0], ";") || token_is(&r->before[0], "{"));
    if (value) item->value = r->out->table_count;
    begin_table(r, t);
  } else {
    end_item(r, true);
    if (top(r) >= 0) end_table(r->out->tables + top(r), t);
    r->depth -= r->depth > 0;
    r->fresh = false;
  }
}

static void see(reader *r, const token *t) {
  static const char *const opening[] = {"(", "[", "function", "if", "do", "repeat", NULL};
  static const char *const closing[] = {")", "]", "end", "until", NULL};
  bool linked = token_is(&r->before[0], ".") || token_is(&r->before[0], ":");
  if (top(r) >= 0) see_item(r, t);
  if (t->kind == TOKEN_NAME && !linked) r->prefix = t->line;
  if (token_is(t, "{") || token_is(t, "}")) see_braces(r, t);
  else if (token_is_one_of(t, opening)) push(r, -1, t);
  else if (token_is_one_of(t, closing)) r->depth -= r->depth > 0;
  r->before[2] = r->before[1];
  r->before[1] = r->before[0];
  r->before[0] = *t;
}

void constructors_count(const char *text, size_t size, int *tables, int *items) {
  *tables = *items = 1;
  for (size_t i = 0; i < size; i++) {
    *tables += text[i] == '{';
    *items += text[i] == '{' || text[i] == ',' || text[i] == ';';
  }
}

void constructors_read(const char *text, size_t size, constructors *out) {
  reader r = {.out = out};
  scanner s = {text, text + size, 1};
  out->table_count = out->item_count = 0;
  for (token t = scanner_next(&s); t.kind != TOKEN_END; t = scanner_next(&s)) see(&r, &t);
}

int constructors_assigned(const constructors *all, text_span name, int line) {
  int found = -1;
  for (int i = 0; i < all->table_count; i++) {
    const text_span *to = &all->tables[i].assigned;
    bool same = to->begin && to->size == name.size && memcmp(to->begin, name.begin, name.size) == 0;
    if (same && all->tables[i].line <= line) found = i;
  }
  return found;
}

/* ---- assignments ---- */

static bool same_text(const token *t, text_span text) {
  return t->text.size == text.size && memcmp(t->text.begin, text.begin, text.size) == 0;
}

/* Of the tokens up to `=`, the latest first: .field, or ["field"]. */
static bool ends_with_field(const token *before, text_span field) {
  bool name = before[0].kind == TOKEN_NAME && token_is(&before[1], ".");
  bool key = token_is(&before[0], "]") && before[1].kind == TOKEN_STRING && token_is(&before[2], "[");
  key = key && (before[3].kind == TOKEN_NAME || token_is(&before[3], ")") ||
                token_is(&before[3], "]")); /* { ["field"] = is none */
  return (name && same_text(&before[0], field)) || (key && same_text(&before[1], field));
}

/* True for a token that may follow a complete value. */
static bool begins_statement(const token *t) {
  bool joins = token_is(t, "and") || token_is(t, "or");
  return t->kind == TOKEN_END || token_is(t, ";") || (t->kind == TOKEN_NAME && !joins);
}

int assignments_read(const char *text, size_t size, int line, text_span field, text_span *literal, int *others) {
  enum { BEFORE = 7 };
  token before[BEFORE] = {{TOKEN_END, {text, 0}, 0}};
  scanner s = {text, text + size, 1};
  int found = 0, begun = 0;
  for (int i = 0; i < BEFORE; i++) before[i] = before[0];
  for (bool more = true; more;) {
    token t = scanner_next(&s);
    text_span value = literal_before(before);
    const token *sign = token_is(&before[1], "-") ? &before[2] : &before[1];
    bool whole = value.begin && value.begin + value.size <= s.end; /* an unfinished string has no quote there */
    if (whole && before[0].line == line && begins_statement(&t) && token_is(sign, "=") &&
        ends_with_field(sign + 1, field))
      if (found++ == 0) *literal = value;
    begun += token_is(&t, "=") && t.line == line && ends_with_field(before, field);
    memmove(before + 1, before, (BEFORE - 1) * sizeof *before);
    before[0] = t;
    more = t.kind != TOKEN_END;
  }
  *others = begun > found ? begun - found : 0;
  return found;
}

/* ---- the words of a script, one after the other, without spaces and comments ---- */

static bool is_name_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static char peek(const scanner *s, int ahead) { return s->end - s->at > ahead ? s->at[ahead] : 0; }

static void step(scanner *s, size_t count) {
  for (; count > 0 && s->at < s->end; count--) s->line += *s->at++ == '\n';
}

/* The level of the long bracket that opens here, [[ or [==[; or -1. */
static int long_level(const scanner *s) {
  int level = 0;
  if (peek(s, 0) != '[') return -1;
  while (peek(s, 1 + level) == '=') level++;
  return peek(s, 1 + level) == '[' ? level : -1;
}

static text_span skip_long(scanner *s, int level) {
  step(s, (size_t)level + 2);
  const char *begin = s->at;
  for (; s->at < s->end; step(s, 1)) {
    int equals = 0;
    if (*s->at != ']') continue;
    while (peek(s, 1 + equals) == '=') equals++;
    if (equals != level || peek(s, 1 + level) != ']') continue;
    text_span body = {begin, (size_t)(s->at - begin)};
    step(s, (size_t)level + 2);
    return body;
  }
  return (text_span){begin, 0};
}

static text_span skip_quoted(scanner *s) {
  char quote = *s->at;
  step(s, 1);
  const char *begin = s->at;
  while (s->at < s->end && *s->at != quote) step(s, *s->at == '\\' ? 2 : 1);
  text_span body = {begin, (size_t)(s->at - begin)};
  step(s, 1);
  return body;
}

static void skip_comment(scanner *s) {
  step(s, 2);
  int level = long_level(s);
  if (level >= 0) skip_long(s, level);
  else
    while (s->at < s->end && *s->at != '\n') step(s, 1);
}

static void skip_space(scanner *s) {
  for (;;) {
    if (isspace((unsigned char)peek(s, 0))) step(s, 1);
    else if (peek(s, 0) == '-' && peek(s, 1) == '-') skip_comment(s);
    else return;
  }
}

/* Whether this is the sign of an exponent: 1e-5, 0x1p+3. */
static bool is_exponent_sign(const scanner *s, const char *begin) {
  bool hex = s->end - begin > 1 && begin[0] == '0' && (begin[1] == 'x' || begin[1] == 'X');
  char before = s->at > begin ? (char)tolower((unsigned char)s->at[-1]) : 0;
  return (peek(s, 0) == '-' || peek(s, 0) == '+') && before == (hex ? 'p' : 'e');
}

static token word(scanner *s, token_kind kind) {
  const char *begin = s->at;
  int line = s->line;
  while (is_name_char(peek(s, 0)) || (kind == TOKEN_NUMBER && (peek(s, 0) == '.' || is_exponent_sign(s, begin))))
    step(s, 1);
  return (token){kind, {begin, (size_t)(s->at - begin)}, line};
}

token scanner_next(scanner *s) {
  skip_space(s);
  int line = s->line, level = long_level(s);
  char c = peek(s, 0);
  if (s->at >= s->end) return (token){TOKEN_END, {NULL, 0}, line};
  if (level >= 0) return (token){TOKEN_STRING, skip_long(s, level), line};
  if (c == '"' || c == '\'') return (token){TOKEN_STRING, skip_quoted(s), line};
  bool point = c == '.' && isdigit((unsigned char)peek(s, 1)); /* .5 */
  if (isdigit((unsigned char)c) || point) return word(s, TOKEN_NUMBER);
  if (is_name_char(c)) return word(s, TOKEN_NAME);
  bool pair = (c == '=' || c == '~' || c == '<' || c == '>') && peek(s, 1) == '=';
  token sign = {TOKEN_SIGN, {s->at, pair ? 2 : 1}, line};
  step(s, sign.text.size);
  return sign;
}

bool token_is(const token *t, const char *text) {
  return (t->kind == TOKEN_SIGN || t->kind == TOKEN_NAME) && t->text.size == strlen(text) &&
         memcmp(t->text.begin, text, t->text.size) == 0;
}

bool token_is_one_of(const token *t, const char *const *texts) {
  bool found = false;
  for (; *texts && !found; texts++) found = token_is(t, *texts);
  return found;
}
