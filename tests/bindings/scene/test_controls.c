/* Every field that something in a running scene can take has a control in the inspector. The test uses each control
 * with the mouse, copies the change as Lua, and checks that a scene with that Lua declares the same value. A field
 * without a control says why in its table. */
#include "inspected.h"

#include "declare/kinds/declared_crowd.h"

typedef struct panel {
  const store_kind *kind;
  sinew_edit_kind of;
  const char *tab,
      *thing; /* thing: what declares it; the copied call takes its place, a copied field comes after it … */
  const char *folded, *inside; /* … or what only the call can say in the place of MORE; the tree to open and a label in
                                * it, or NULL */
} panel;

#define MORE "--[[more]]"

static const panel panels[] = {
    {&kind_actor, SINEW_EDIT_ACTOR, "Actor", "", NULL, NULL},
    {&kind_action, SINEW_EDIT_ACTION, "Play", "hero:play('Walk', { fade = 0, from = 0.125 })", NULL, NULL},
    {&kind_layer, SINEW_EDIT_LAYER, "Play", "hero:layer('top', { mask = { Head = 1 }, weight = 0.5 })", NULL, NULL},
    {&kind_modifier, SINEW_EDIT_MODIFIER, "Pose",
     "hero:set_modifiers { sinew.ik { 'm', tip = 'RightHand', target = { 1, 1, 1 }, pole = { 0, 0, 1 } " MORE " } }",
     NULL, NULL},
    {&kind_view, SINEW_EDIT_VIEW, "Views", "", NULL, NULL},
    {&kind_camera, SINEW_EDIT_CAMERA, "Scene", "", NULL, NULL},
    {&kind_light, SINEW_EDIT_LIGHT, "Scene", "", NULL, NULL},
    {&kind_node, SINEW_EDIT_NODE, "Graph", "hero:set_graph(sinew.clip { 'Walk', from = 0.125 " MORE " })", "values",
     "speed"},
    {&kind_transition, SINEW_EDIT_TRANSITION, "Graph",
     "hero:set_graph(sinew.state_machine { start = 'a', states = { a = 'Idle', b = 'Walk' },\n"
     "transitions = { { 'a', 'b', on = 'x', before_end = 0.25 " MORE " } } })",
     "a → b", "locked"},
    {&kind_root, SINEW_EDIT_ROOT, "Actor", "hero:root_motion({ joint = 'Hips', height = 0.125 })", "root motion",
     "axes"},
    {&kind_attachment, SINEW_EDIT_ATTACHMENT, "Actor",
     "base:attach('Head', hero, { joint_scale = false, offset = { position = { 0, 0.5, 0 }, rotation = { 0, 0, 0.6, "
     "0.8 }, "
     "scale = { 1, 1.5, 1 } } })",
     "attachment", "offset.position y"},
    {&kind_marker, SINEW_EDIT_MARKER, "Play",
     "hero.model:markers('Idle', { { 0.5, 'step', sync = false, silent = false } })", "marker step", "silent"},
    {&kind_crowd, SINEW_EDIT_CROWD, "Scene", "sinew.crowd(hero.model, 2, { name = 'all', graph = 'Walk' " MORE " })",
     "all", "half from"},
};
enum { PANELS = sizeof panels / sizeof *panels };

/* Other nodes and modifiers have other fields. */
static const struct {
  const char *set, *thing;
} things[] = {
    {"space_1d_node", "hero:set_graph(sinew.blend_space_1d { param = 'pace', { 0, 'Idle' }, { 1, 'Walk' } " MORE " })"},
    {"look_at_modifier",
     "hero:set_modifiers { sinew.look_at { 'm', chain = { 'Neck', 'Head' }, target = { 1, 1, 1 } " MORE " } }"},
    {"chain_modifier",
     "hero:set_modifiers { sinew.chain { 'm', root = 'RightShoulder', tip = 'RightHand', target = { 1, 1, 1 } " MORE
     " } }"},
    {"spring_modifier", "hero:set_modifiers { sinew.spring { 'm', joints = { 'Head' } " MORE " } }"},
    {"limit_modifier", "hero:set_modifiers { sinew.limit { 'm', joint = 'Head' " MORE " } }"},
    {"twist_modifier",
     "hero:set_modifiers { sinew.twist { 'm', joint = 'LeftShoulder', source = 'RightShoulder' " MORE " } }"},
    {"plant_modifier", "hero:set_modifiers { sinew.plant { 'm' " MORE " } }"},
    {"warp_modifier", "hero:root_motion { joint = 'Hips' }\nhero:set_modifiers { sinew.warp { 'm' " MORE " } }"},
};

static const char *thing_of_field(const panel *p, const store_field *f) {
  bool is_switch = p->kind == &kind_node && (!strcmp(f->name, "fade") || !strcmp(f->name, "ease"));
  if (is_switch) return "hero:set_graph(sinew.switch { param = 'pace', 'Idle', 'Walk' " MORE " })";
  bool own = f->effect == FIELD_LIVE || field_is_option(p->kind, f, "ik_modifier") || strcmp(f->name, "match") == 0;
  for (size_t i = 0; f->sets && !own && i < sizeof things / sizeof *things; i++)
    if (field_is_option(p->kind, f, things[i].set)) return things[i].thing;
  return p->thing;
}

static void open_host(harness *h, const panel *p, const char *thing, const char *more, bool panels_wanted) {
  char text[8192];
  const char *base = p->of == SINEW_EDIT_ATTACHMENT ? "local base = sinew.actor('base', hero.model)\n"
                     : p->of == SINEW_EDIT_MARKER   ? "hero:play 'Idle'\n"
                                                    : "";
  snprintf(text, sizeof text, "%s%s\n%s", base, thing, more);
  open_inspected(h, text, panels_wanted);
}

static void open_scene(harness *h, const panel *p, const char *thing, const char *more) {
  open_host(h, p, thing, more, true);
}

static sinew_edit thing_of(const harness *h, const panel *p) {
  sinew_edit of = edit_of(h, p->of);
  of.layer = p->folded ? 0 : 1;
  of.action = sinew_actor_action(sinew_host_stage(h->host), of.actor, 0, 0);
  if (p->of == SINEW_EDIT_MARKER)
    of.layer = sinew_model_find_clip(sinew_actor_model(sinew_host_stage(h->host), of.actor), "Idle");
  return of;
}

static sinew_control control_of(const harness *h, const panel *p, int index) {
  sinew_edit of = thing_of(h, p);
  return control_at(h, &of, index);
}

/* ---- using a control ---- */

/* Of an open list. Some words of `match` are labels beside it, too: they lie where the others say. */
static bool click_word(harness *h, const sinew_control *c, int word) {
  float second[4], third[4];
  if (strcmp(c->name, "match") != 0) return click(h, c->words[word]);
  if (!ui_find_item(h->host->ui, c->words[1], second) || !ui_find_item(h->host->ui, c->words[2], third)) return false;
  drag_from(h, second[0] + 5, (second[1] + second[3]) / 2 + (float)(word - 1) * (third[1] - second[1]), 0);
  return true;
}

static float share = 0.3f; /* of a slider, where it is dragged to */

/* Another value than there is. */
static bool use(harness *h, const sinew_control *c) {
  char label[64];
  snprintf(label, sizeof label, "%s%s", c->name, c->type == SINEW_CONTROL_VECTOR ? " y" : "");
  for (char *at = label; *at; at++)
    if (*at == '_') *at = ' ';
  int other = c->values[0] == 0 ? 1 : 0;
  switch (c->type) {
  case SINEW_CONTROL_NUMBER: return drag(h, label, share, strcmp(c->name, "to") ? 9 : -9);
  case SINEW_CONTROL_CHOICE: return click(h, label) && click_word(h, c, other);
  case SINEW_CONTROL_FLAG: return click(h, label);
  case SINEW_CONTROL_COLOR: return drag(h, label, 0.1f, c->values[0] > 0.5f ? -60 : 60);
  case SINEW_CONTROL_VECTOR: return drag(h, label, 0.1f, 60);
  case SINEW_CONTROL_NONE: break;
  }
  return false;
}

/* ---- the walk ---- */

static char reason[4096];

static bool fails(const char *why, const char *what) {
  snprintf(reason, sizeof reason, "%s: %s", why, what ? what : "nothing");
  return false;
}

/* The copied line up to its comment, in the call. */
static void put(char *out, size_t size, const char *thing, const char *lua) {
  const char *place = strstr(thing, MORE), *end = strstr(lua, " --");
  snprintf(out, size, "%.*s, %.*s %s", (int)(place - thing), thing, (int)(end - lua), lua, place + strlen(MORE));
}

/* True if the copied Lua is the whole call. */
static bool is_called(const panel *p) {
  return p->of == SINEW_EDIT_ACTION || p->of == SINEW_EDIT_LAYER || p->of == SINEW_EDIT_ROOT ||
         p->of == SINEW_EDIT_ATTACHMENT || p->of == SINEW_EDIT_MARKER;
}

/* A scene that says what was copied: by its call, in it, or after what is declared. */
static bool declares(const panel *p, int index, const char *lua, const sinew_control *wanted) {
  static harness h;
  char whole[4096];
  const char *thing = thing_of_field(p, p->kind->fields + index);
  bool is_call = is_called(p), is_inside = strstr(lua, " -- of ") != NULL;
  if (is_inside) put(whole, sizeof whole, thing, lua);
  else snprintf(whole, sizeof whole, "%s", is_call ? lua : thing);
  open_host(&h, p, whole, is_call || is_inside ? "" : lua, p->kind == &kind_view);
  sinew_control c = control_of(&h, p, index);
  close_scene(&h);
  return (c.is_declared && is_same(&c, wanted)) || fails("is not declared by", lua);
}

/* The tree may be open since the scene before. */
static void unfold(harness *h, const panel *p) {
  float box[4];
  bool open = p->folded && ui_find_item(h->host->ui, p->inside, box);
  if (p->folded && !open) click(h, p->folded);
}

/* Set by hand, copied, and said by another scene. */
static bool copies(const panel *p, int index, char lua[2048], sinew_control *out) {
  static harness h;
  open_scene(&h, p, thing_of_field(p, p->kind->fields + index), "");
  click(&h, p->tab);
  sinew_control before = control_of(&h, p, index);
  unfold(&h, p);
  bool used = use(&h, &before);
  sinew_control after = *out = control_of(&h, p, index);
  lua[0] = '\0';
  if (used && click(&h, "Copy as Lua")) {
    const char *text = sinew_host_clipboard(h.host);
    snprintf(lua, 2048, "%s", text ? text : "");
  }
  close_scene(&h);
  if (!used) return fails("has no control", before.name);
  if (is_same(&before, &after)) return fails("does not change", before.name);
  return lua[0] ? true : fails("is not copied", before.name);
}

static bool works(const panel *p, int index) {
  char lua[2048];
  sinew_control after;
  return copies(p, index, lua, &after) && declares(p, index, lua, &after);
}

/* ---- Apply ---- */

/* Whatever the inspector shows of the thing is the same after the save that Apply is. */
static bool stays(harness *h, const panel *p) {
  static sinew_control before[128];
  sinew_edit of = thing_of(h, p);
  sinew_control now;
  int count = 0;
  while (count < 128 && h->host->app.control(h->host->app.user, &of, count, before + count)) count++;
  if (!sinew_scene_reload(h->scene, &h->error)) return fails("is no scene any more", h->error.message);
  of = thing_of(h, p);
  for (int i = 0; i < count; i++) {
    assert_true(h->host->app.control(h->host->app.user, &of, i, &now));
    if (!is_same(before + i, &now)) return fails("is changed by the reload", now.name);
  }
  return true;
}

/* In a scene that says the field, it is changed once more, and applied: the file says the new value, and the reload
 * changes nothing. */
static bool applies(const panel *p, int index) {
  static harness h;
  static char text[4096], after_text[4096], whole[4096];
  char lua[2048];
  sinew_control first;
  share = 0.3f;
  if (!copies(p, index, lua, &first)) return false;
  bool is_call = is_called(p);
  if (is_call && !first.is_option) return true; /* assigned after the call: no literal of it */
  bool is_inside = strstr(lua, " -- of ") != NULL;
  const char *thing = thing_of_field(p, p->kind->fields + index);
  if (is_inside) put(whole, sizeof whole, thing, lua);
  open_host(&h, p, is_inside ? whole : is_call ? lua : thing, is_call || is_inside ? "" : lua, true);
  click(&h, p->tab);
  unfold(&h, p);
  sinew_control before = control_of(&h, p, index);
  read_script(&h, text);
  share = 0.6f;
  bool used = use(&h, &before);
  share = 0.3f;
  sinew_control after = control_of(&h, p, index);
  bool applied = used && !is_same(&before, &after) && click(&h, "Apply");
  read_script(&h, after_text);
  int left = h.host->inspector.changes.count;
  bool same = applied && left == 0 && strcmp(text, after_text) != 0 && stays(&h, p);
  sinew_control now = control_of(&h, p, index);
  if (left > 0 && h.host->messages.toast_count > 0)
    fails("is not written", h.host->messages.toasts[h.host->messages.toast_count - 1].text);
  close_scene(&h);
  if (!used || is_same(&before, &after)) return fails("does not change once more", before.name);
  if (left > 0 || !applied) return false;
  if (strcmp(text, after_text) == 0) return fails("the file stays", before.name);
  return same && ((now.is_declared && is_same(&now, &after)) || fails("is not what was applied", now.name));
}

static int walk(bool (*check)(const panel *p, int index)) {
  int failed = 0;
  for (int i = 0; i < PANELS; i++)
    for (int k = 0; panels[i].kind->fields[k].name; k++) {
      const store_field *f = panels[i].kind->fields + k;
      if (!field_has_control(panels[i].kind, f) || check(panels + i, k)) continue;
      print_error("%s.%s %s\n", panels[i].kind->name, f->name, reason);
      failed++;
    }
  return failed;
}

static void each_control_changes_its_field_and_is_copied(void **state) {
  (void)state;
  assert_int_equal(walk(works), 0);
}

static void each_changed_value_is_written_into_the_script(void **state) {
  (void)state;
  assert_int_equal(walk(applies), 0);
}

static bool is_missed(const panel *p, int index) {
  bool missed = true;
  for (int use = FIELD_SHOW; use <= FIELD_COPY; use++) {
    field_blind[use] = p->kind->fields + index;
    missed = missed && !works(p, index);
    field_blind[use] = NULL;
  }
  return missed || fails("is not missed", "");
}

static void without_a_control_or_its_lua_the_check_fails(void **state) {
  (void)state;
  assert_int_equal(walk(is_missed), 0);
}

/* ---- parameters and morph targets have controls by their names ---- */

static void named_numbers_are_copied(void **state) {
  static const char *const names[][4] = {{"Graph", "pace", "hero.params.pace = "},
                                         {"Pose", "Blink", "hero.morphs.Blink = "}};
  (void)state;
  for (int i = 0; i < 2; i++) {
    harness h;
    open_scene(&h, panels, "", "");
    click(&h, names[i][0]);
    assert_true(drag(&h, names[i][1], 0.3f, 30));
    click(&h, "Copy as Lua");
    harness_expect(sinew_host_clipboard(h.host), names[i][2]);
    close_scene(&h);
  }
}

/* With all that the layer was declared with. */
static void the_call_of_a_layer_is_copied_whole(void **state) {
  static const char thing[] = "hero:layer('top', { mask = { Head = 1 }, mode = 'additive', reference = 'Idle', "
                              "play = { speed = 2, loop = 'once' } })";
  static const char copied[] =
      "hero:layer(\"top\", { mode = \"additive\", space = \"model\", "
      "reference = { clip = \"Idle\", time = 0 }, play = { loop = \"once\", speed = 2 }, mask = {";
  harness h;
  (void)state;
  open_scene(&h, panels, thing, "");
  click(&h, "Play");
  assert_true(click(&h, "space") && click(&h, "model"));
  click(&h, "Copy as Lua");
  harness_expect(sinew_host_clipboard(h.host), copied);
  harness_expect(sinew_host_clipboard(h.host), "[\"Head/**\"] = 1");
  close_scene(&h);
}

static bool is_walked(const store_kind *k) {
  bool found = k == &kind_param || k == &kind_morph || k == &kind_kept;
  for (int i = 0; i < PANELS; i++) found = found || panels[i].kind == k;
  return found;
}

static void each_field_has_a_control_or_a_reason(void **state) {
  (void)state;
  for (const store_kind *const *k = store_kinds; *k; k++)
    for (const store_field *f = (*k)->fields; f->name; f++)
      if (field_has_control(*k, f) && !is_walked(*k)) fail_msg("%s.%s has none", (*k)->name, f->name);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_field_has_a_control_or_a_reason),
      cmocka_unit_test(each_control_changes_its_field_and_is_copied),
      cmocka_unit_test(each_changed_value_is_written_into_the_script),
      cmocka_unit_test(without_a_control_or_its_lua_the_check_fails),
      cmocka_unit_test(the_call_of_a_layer_is_copied_whole),
      cmocka_unit_test(named_numbers_are_copied),
  };
  return cmocka_run_group_tests(tests, NULL, destroy_benches);
}
