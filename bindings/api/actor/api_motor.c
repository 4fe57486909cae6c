/* Motors of actors, as scripts see them: the wanted velocity goes in; position, rotation and parameters come out. */
#include "api/level/level_object.h"

#include <math.h>
#include <string.h>

/* Begins with the id of the actor's record. */
typedef struct motor_handle {
  int64_t actor;
  int hint;
  sinew_motor_def def;
  sinew_walker_def walker;
  level_object *object; /* the level, which the handle's second user value keeps; NULL: level ground */
  char line[DECLARED_LINE];
} motor_handle;

/* The last two in a level only. */
static const char *const params[] = {"left", "ahead", "speed", "wanted", "turn", "to_stop", "grounded", "rise"};
enum { PARAMS = sizeof params / sizeof *params, PARAMS_ANYWHERE = PARAMS - 2 };

static int param_count(const motor_handle *handle) { return handle->object ? PARAMS : PARAMS_ANYWHERE; }

static double *def_value(sinew_motor_def *def, int i) {
  return i == 0 ? &def->acceleration : i == 1 ? &def->braking : &def->turn_rate;
}

static void declare_params(lua_State *L, actor_record *record, int count) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  for (int i = 0; i < count; i++) {
    int index = declarations_param_index(record, params[i]);
    bool said = index >= 0 && (!all->loading || record->parts[PART_PARAMS].items[index]->next_set);
    if (!said && !declare_param(all, record, params[i], 0, &error)) luaL_error(L, "actor:motor: %s", error.message);
  }
}

/* How many of the world's lengths are a metre. A figure in centimetres may be scaled to metres; a giant in metres stays
 * in metres. */
static double metre_of(const declarations *all, const actor_record *record) {
  double scale = fabs((double)sinew_actor_transform(all->stage, record->actor).scale.x);
  double metre = sinew_model_metre(declarations_actor_model(all, record)) * scale;
  return metre > 0 ? sinew_pow(10, round(sinew_log10(metre))) : 1;
}

/* The capsule of a motor's options, in the world's lengths. */
static void read_walker(lua_State *L, motor_handle *handle, double metre) {
  sinew_walker_def *w = &handle->walker;
  *w = sinew_walker_def_default();
  w->radius *= (float)metre, w->height *= (float)metre, w->step *= (float)metre, w->gravity *= (float)metre;
  static const char *const names[] = {"radius", "height", "step", "slope", "gravity"};
  float *const values[] = {&w->radius, &w->height, &w->step, &w->slope, &w->gravity};
  bool has_level = option_push(L, 2, "level");
  if (has_level) {
    handle->object = level_check(L, -1);
    lua_setiuservalue(L, -2, 2);
  }
  for (int i = 0; i < 5; i++) {
    if (!option_push(L, 2, names[i])) continue;
    if (!has_level) luaL_error(L, "actor:motor: '%s' is for a motor with a level: level = sinew.level { … }", names[i]);
    *values[i] = (float)lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  const char *wrong = sinew_walker_check(w);
  if (wrong) luaL_error(L, "actor:motor: %s", wrong);
}

/* The motors of an epoch, by the ids of actors: a load that fails changes none. */
static int call_motor(lua_State *L) {
  static const char *const options[] = {"acceleration", "braking", "turn_rate"};
  actor_record *record = actor_check(L, 1);
  char line[DECLARED_LINE];
  lua_settop(L, 2);
  scene_line(L, line);
  note_repeated(L, "makes a motor", "keep the one that it returns");
  note_front(L, declarations_actor_model(&scene_of(L)->declarations, record), line);
  sinew_motor_def def = sinew_motor_def_default();
  double metre = metre_of(&scene_of(L)->declarations, record);
  def.acceleration *= metre;
  def.braking *= metre;
  for (int i = 0; i < 3; i++) *def_value(&def, i) = option_number(L, 2, options[i], *def_value(&def, i));
  epoch_push(L, "motors");
  motor_handle *handle = api_new(L, "motor", sizeof *handle, record->head.id);
  *handle = (motor_handle){.actor = record->head.id, .def = def};
  memcpy(handle->line, line, sizeof line);
  read_walker(L, handle, metre);
  declare_params(L, record, param_count(handle));
  lua_pushvalue(L, -1);
  lua_rawseti(L, -3, record->head.id);
  return 1;
}

/* ---- fields ---- */

static actor_record *record_of(lua_State *L, motor_handle *handle) {
  actor_record *record = declarations_actor_near(&scene_of(L)->declarations, handle->actor, &handle->hint);
  if (!record) actor_gone(L, handle->actor);
  return record;
}

static void get_velocity(lua_State *L, const api_entry *entry) {
  const actor_record *record = record_of(L, api_check(L, 1, "motor"));
  (void)entry;
  vector_push_field(L, "velocity", (float[]){(float)record->motor.wanted_x, 0, (float)record->motor.wanted_z}, 3);
}

static void set_velocity(lua_State *L, const api_entry *entry) {
  actor_record *record = record_of(L, api_check(L, 1, "motor"));
  float v[3];
  (void)entry;
  refuse_while_loading(L, "motor.velocity", "leave it out");
  vector_read(L, 3, v, 3);
  record->motor.wanted_x = (double)v[0];
  record->motor.wanted_z = (double)v[2];
}

static void get_facing(lua_State *L, const api_entry *entry) {
  const actor_record *record = record_of(L, api_check(L, 1, "motor"));
  (void)entry;
  if (record->faces) lua_pushnumber(L, record->facing);
  else lua_pushnil(L);
}

static void set_facing(lua_State *L, const api_entry *entry) {
  actor_record *record = record_of(L, api_check(L, 1, "motor"));
  (void)entry;
  refuse_while_loading(L, "motor.facing", "leave it out");
  record->faces = !lua_isnil(L, 3);
  record->facing = lua_tonumber(L, 3);
}

static void get_limit(lua_State *L, const api_entry *entry) {
  motor_handle *handle = api_check(L, 1, "motor");
  lua_pushnumber(L, *def_value(&handle->def, entry->data));
}

static void set_limit(lua_State *L, const api_entry *entry) {
  motor_handle *handle = api_check(L, 1, "motor");
  *def_value(&handle->def, entry->data) = lua_tonumber(L, 3);
}

/* ---- in a level ---- */

/* The walker of the object at 1; raises without a level. */
static sinew_walker *walker_check(lua_State *L, const char *what, motor_handle **handle) {
  *handle = api_check(L, 1, "motor");
  if (!(*handle)->object)
    luaL_error(L, "%s: the motor has no level; give actor:motor { level = sinew.level { … } }", what);
  return &record_of(L, *handle)->walker;
}

static int call_jump(lua_State *L) {
  motor_handle *handle;
  sinew_walker *w = walker_check(L, "motor:jump", &handle);
  refuse_while_loading(L, "motor:jump", "jump in sinew.update");
  double height = lua_tonumber(L, 2);
  lua_pushboolean(L, w->grounded);
  if (w->grounded) w->rise = (float)sqrt(2 * (double)handle->walker.gravity * height) + fmaxf(w->riding.y, 0);
  return 1;
}

static void get_grounded(lua_State *L, const api_entry *entry) {
  motor_handle *handle;
  (void)entry;
  lua_pushboolean(L, walker_check(L, "motor.grounded", &handle)->grounded);
}

static void get_rise(lua_State *L, const api_entry *entry) {
  motor_handle *handle;
  (void)entry;
  lua_pushnumber(L, (lua_Number)walker_check(L, "motor.rise", &handle)->rise);
}

static void get_surface(lua_State *L, const api_entry *entry) {
  motor_handle *handle;
  const sinew_walker *w = walker_check(L, "motor.surface", &handle);
  bool stands = w->part >= 0 && w->part < handle->object->count && handle->object->parts[w->part].surface[0];
  (void)entry;
  if (stands) lua_pushstring(L, handle->object->parts[w->part].surface);
  else lua_pushnil(L);
}

/* ---- each frame ---- */

static sinew_vec3 forward_of(sinew_quat q) {
  return (sinew_vec3){2 * (q.x * q.z + q.w * q.y), 0, 1 - 2 * (q.x * q.x + q.y * q.y)};
}

/* Rotates about the vertical, on top of the old rotation. */
static sinew_quat turned(sinew_quat q, double angle) {
  float s = (float)sinew_sin(angle / 2), c = (float)sinew_cos(angle / 2);
  return (sinew_quat){c * q.x + s * q.z, c * q.y + s * q.w, c * q.z - s * q.x, c * q.w - s * q.y};
}

/* Without a direction to face, the actor looks where it is going; a standing one stays as it is. */
static void aim(const actor_record *record, sinew_motor *m) {
  static const double least = 0.05;
  if (record->faces) m->wanted_yaw = record->facing;
  else m->wanted_yaw = sinew_hypot(m->wanted_x, m->wanted_z) > least ? sinew_atan2(m->wanted_x, m->wanted_z) : m->yaw;
}

static void set_params(declarations *all, actor_record *record, const motor_handle *handle, const sinew_motor *m) {
  const sinew_motor_def *def = &handle->def;
  double s = sinew_sin(m->yaw), c = sinew_cos(m->yaw), speed = sinew_hypot(m->velocity_x, m->velocity_z);
  const double values[PARAMS] = {m->velocity_x * c - m->velocity_z * s,
                                 m->velocity_x * s + m->velocity_z * c,
                                 speed,
                                 sinew_hypot(m->wanted_x, m->wanted_z),
                                 sinew_motor_turn(m),
                                 sinew_motor_to_stop(def, m),
                                 record->walker.grounded,
                                 (double)record->walker.rise};
  for (int i = 0; i < param_count(handle); i++)
    declarations_set_param(all, record, declarations_param_index(record, params[i]), values[i]);
}

/* With extreme limits the position may become infinite. */
static bool is_finite(const sinew_motor *m) {
  return isfinite((float)m->x) && isfinite((float)m->z) && isfinite((float)m->yaw) && isfinite((float)m->velocity_x) &&
         isfinite((float)m->velocity_z);
}

/* A turning clip sets the speed of the turn, so that the feet stay in place; the last bit needs no clip. If the graph
 * has such clips but none plays yet, or one has just ended, the turn waits a frame for it. */
static double turn_rate_of(const actor_record *record, const sinew_matched_turn *turn, double own, double dt) {
  static const double least = 0.05;
  double left = fabs(sinew_motor_turn(&record->motor));
  if (!isnan(turn->fraction)) return fmin(left * turn->fraction, turn->most) / dt;
  bool waits = turn->in_place ? left > least : left > fabs(record->turn_left) + least;
  return waits ? 0 : own;
}

/* An actor that turns on the spot does not walk yet. False if no clip turns. */
static bool move(const declarations *all, actor_record *record, const sinew_motor_def *def, double dt) {
  sinew_motor *m = &record->motor;
  sinew_motor_def limits = *def;
  sinew_matched_turn turn = {.fraction = (double)NAN};
  const double x = m->wanted_x, z = m->wanted_z;
  if (dt > 0 && sinew_actor_matched_turn(all->stage, record->actor, dt, &turn)) {
    limits.turn_rate = turn_rate_of(record, &turn, def->turn_rate, dt);
    if (turn.in_place) m->wanted_x = m->wanted_z = 0;
  }
  sinew_motor_step(&limits, dt, m);
  m->wanted_x = x, m->wanted_z = z;
  return turn.in_place || !isnan(turn.fraction);
}

/* Seconds in which half of a change in the walker's height above the ground is followed. */
static const double float_half_life = 0.05;

/* Another level than before, a save's for example. What has grown around her is what she stands on. */
static void enter_level(actor_record *record, const motor_handle *handle) {
  sinew_walker *w = &record->walker;
  sinew_hit hit;
  record->walks_in = handle->object->serial, w->part = -1;
  float top = w->position.y + handle->walker.height;
  if (sinew_level_ground(handle->object->level, w->position.x, w->position.z, top, &hit))
    w->position.y = fmaxf(w->position.y, hit.point.y);
}

/* The capsule goes where the motor wants to; where it is held up, the motor's velocity is what is left. On slopes its
 * round end floats above the ground, and over stairs by a changing height, which is smoothed. */
static void walk(actor_record *record, const motor_handle *handle, const sinew_motor *at, double dt,
                 sinew_vec3 *position) {
  sinew_motor *m = &record->motor;
  sinew_walker *w = &record->walker;
  const sinew_vec3 *walked = &record->walked;
  if (position->x != walked->x || position->y != walked->y || position->z != walked->z)
    *w = sinew_walker_at(*position), record->float_height = 0;
  if (record->walks_in != handle->object->serial) enter_level(record, handle);
  sinew_vec3 from = w->position, way = {(float)(m->x - at->x), 0, (float)(m->z - at->z)};
  sinew_walker_move(w, &handle->walker, handle->object->level, (float)dt, way);
  double x = (double)(w->position.x - from.x) - (double)w->riding.x * dt,
         z = (double)(w->position.z - from.z) - (double)w->riding.z * dt;
  if (dt > 0 && sinew_hypot(x - (double)way.x, z - (double)way.z) > 1e-3 * (double)handle->walker.radius)
    m->velocity_x = x / dt, m->velocity_z = z / dt;
  float above = w->grounded ? w->position.y - w->ground : 0;
  record->float_height += (above - record->float_height) * (float)(1 - sinew_exp(-dt * 0.69314718 / float_half_life));
  m->x = (double)w->position.x, m->z = (double)w->position.z, m->yaw += (double)w->turned;
  position->y = w->position.y - record->float_height;
}

static void step(declarations *all, actor_record *record, const motor_handle *handle, double dt) {
  actor_values v = declarations_actor_values(all, record);
  sinew_motor *m = &record->motor;
  sinew_vec3 forward = forward_of(v.position.rotation);
  double yaw = sinew_atan2((double)forward.x, (double)forward.z);
  m->x = (double)v.position.translation.x, m->z = (double)v.position.translation.z, m->yaw = yaw;
  aim(record, m);
  const sinew_motor at = *m;
  bool turns = move(all, record, &handle->def, dt);
  record->turn_left = turns ? 0 : sinew_motor_turn(m);
  if (!is_finite(m)) m->velocity_x = m->velocity_z = 0, m->x = at.x, m->z = at.z, m->yaw = yaw;
  const sinew_vec3 before = v.position.translation;
  if (handle->object && dt > 0) walk(record, handle, &at, dt, &v.position.translation);
  v.position.translation.x = (float)m->x, v.position.translation.z = (float)m->z;
  record->walked = v.position.translation;
  bool moved = before.x != record->walked.x || before.y != record->walked.y || before.z != record->walked.z;
  v.position.rotation = turned(v.position.rotation, m->yaw - yaw);
  if (moved) declarations_set_actor(all, record, kind_field(&kind_actor, "position"), &v);
  if (m->yaw != yaw) declarations_set_actor(all, record, kind_field(&kind_actor, "rotation"), &v);
  set_params(all, record, handle, m);
}

typedef struct motor_frame {
  sinew_scene *scene;
  double dt;
} motor_frame;

static bool has_fields(lua_State *L, int index) {
  lua_pushnil(L);
  bool any = lua_next(L, index);
  lua_settop(L, index);
  return any;
}

/* An actor that has lost its motor has no velocity to continue with. */
static int update_all(lua_State *L) {
  const motor_frame *frame = lua_touserdata(L, 1);
  declarations *all = &frame->scene->declarations;
  levels_place(L);
  bool *ran = &frame->scene->motors_ran, ran_before = *ran;
  epoch_push_current(L, "motors");
  *ran = lua_istable(L, 2) && has_fields(L, 2);
  if (!*ran && !ran_before) return 0;
  for (int i = 0; lua_istable(L, -1) && i < all->actors.count; i++) {
    actor_record *record = actor_at(all, i);
    bool has = lua_rawgeti(L, -1, record->head.id) == LUA_TUSERDATA;
    const motor_handle *handle = lua_touserdata(L, -1);
    if (has) step(all, record, handle, frame->dt), note_movers(L, record, handle->line);
    else record->motor = (sinew_motor){0};
    lua_pop(L, 1);
  }
  return 0;
}

void motors_update(sinew_scene *scene, double dt) {
  if (scene->loaded_once) scene_protect(scene, update_all, &(motor_frame){scene, dt});
}

const api_entry api_motor_entries[] = {
    {"actor", "motor", API_METHOD, "options?: motor_options", "motor",
     "Moves the actor over level ground towards motor.velocity and motor.facing, and declares parameters for "
     "graphs: left and ahead (its velocity relative to itself, m/s), speed, wanted (the speed that you asked "
     "for), turn (radians left to turn, positive to the left) and to_stop (metres that it needs to stop if it "
     "brakes now: speed² / (2 braking), at any frame rate). You control the height. While a clip with match = "
     "\"turn\" plays, the motor turns the actor at the clip's rate; if the clip turns on the spot, the actor "
     "waits and moves afterwards.",
     .call = call_motor},
    {"motor", "velocity", API_FIELD, "vec3", "",
     "The velocity to reach, in metres per second in world space; y is ignored. Default {0, 0, 0}.",
     .get = get_velocity, .set = set_velocity},
    {"motor", "facing", API_FIELD, "number|nil", "",
     "The direction to face, in radians about y; nil (the default): the direction in which it moves.",
     .get = get_facing, .set = set_facing},
    {"motor", "acceleration", API_FIELD, "positive", "", "In metres per second squared.", .get = get_limit,
     .set = set_limit, .data = 0},
    {"motor", "braking", API_FIELD, "positive", "", "The same, while it slows down.", .get = get_limit,
     .set = set_limit, .data = 1},
    {"motor", "turn_rate", API_FIELD, "seconds", "", "Radians a second.", .get = get_limit, .set = set_limit,
     .data = 2},
    {"motor", "jump", API_METHOD, "height: positive", "boolean",
     "Jumps so high, in metres, if it stands; false if it does not. For motors with a level.", .call = call_jump},
    {"motor", "grounded", API_FIELD, "boolean", "", "Whether it stands on ground. For motors with a level.",
     .get = get_grounded},
    {"motor", "rise", API_FIELD, "number", "", "Metres per second upwards; 0 while it stands. For motors with a level.",
     .get = get_rise},
    {"motor", "surface", API_FIELD, "string|nil", "",
     "What the part is made of on which it stands; nil in the air, and where the part does not say. For motors with a "
     "level.",
     .get = get_surface},
    {0}};
