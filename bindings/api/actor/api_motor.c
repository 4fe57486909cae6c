/* Motors of actors, as scripts see them: the wanted velocity goes in; position, rotation and parameters come out. */
#include "core/api.h"

#include <math.h>
#include <string.h>

/* Begins with the id of the actor's record. */
typedef struct motor_handle {
  int64_t actor;
  int hint;
  sinew_motor_def def;
  char line[DECLARED_LINE];
} motor_handle;

static const char *const params[] = {"left", "ahead", "speed", "wanted", "turn", "to_stop"};
enum { PARAMS = sizeof params / sizeof *params };

static double *def_value(sinew_motor_def *def, int i) {
  return i == 0 ? &def->acceleration : i == 1 ? &def->braking : &def->turn_rate;
}

static void declare_params(lua_State *L, actor_record *record) {
  sinew_error error;
  declarations *all = &scene_of(L)->declarations;
  for (int i = 0; i < PARAMS; i++) {
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

/* The motors of an epoch, by the ids of actors: a load that fails changes none. */
static int call_motor(lua_State *L) {
  static const char *const options[] = {"acceleration", "braking", "turn_rate"};
  actor_record *record = actor_check(L, 1);
  char line[DECLARED_LINE];
  lua_settop(L, 2);
  scene_line(L, line);
  note_front(L, declarations_actor_model(&scene_of(L)->declarations, record), line);
  sinew_motor_def def = sinew_motor_def_default();
  double metre = metre_of(&scene_of(L)->declarations, record);
  def.acceleration *= metre;
  def.braking *= metre;
  for (int i = 0; i < 3; i++) *def_value(&def, i) = option_number(L, 2, options[i], *def_value(&def, i));
  declare_params(L, record);
  epoch_push(L, "motors");
  motor_handle *handle = api_new(L, "motor", sizeof *handle, record->head.id);
  *handle = (motor_handle){record->head.id, 0, def, ""};
  memcpy(handle->line, line, sizeof line);
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

static void set_params(declarations *all, actor_record *record, const sinew_motor_def *def, const sinew_motor *m) {
  double s = sinew_sin(m->yaw), c = sinew_cos(m->yaw), speed = sinew_hypot(m->velocity_x, m->velocity_z);
  const double values[PARAMS] = {m->velocity_x * c - m->velocity_z * s,
                                 m->velocity_x * s + m->velocity_z * c,
                                 speed,
                                 sinew_hypot(m->wanted_x, m->wanted_z),
                                 sinew_motor_turn(m),
                                 sinew_motor_to_stop(def, m)};
  for (int i = 0; i < PARAMS; i++)
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

static void step(declarations *all, actor_record *record, const sinew_motor_def *def, double dt) {
  actor_values v = declarations_actor_values(all, record);
  sinew_motor *m = &record->motor;
  sinew_vec3 forward = forward_of(v.position.rotation);
  double yaw = sinew_atan2((double)forward.x, (double)forward.z);
  m->x = (double)v.position.translation.x, m->z = (double)v.position.translation.z, m->yaw = yaw;
  aim(record, m);
  const sinew_motor at = *m;
  bool turns = move(all, record, def, dt);
  record->turn_left = turns ? 0 : sinew_motor_turn(m);
  if (!is_finite(m)) m->velocity_x = m->velocity_z = 0, m->x = at.x, m->z = at.z, m->yaw = yaw;
  bool moved = v.position.translation.x != (float)m->x || v.position.translation.z != (float)m->z;
  v.position.translation.x = (float)m->x, v.position.translation.z = (float)m->z;
  v.position.rotation = turned(v.position.rotation, m->yaw - yaw);
  if (moved) declarations_set_actor(all, record, kind_field(&kind_actor, "position"), &v);
  if (m->yaw != yaw) declarations_set_actor(all, record, kind_field(&kind_actor, "rotation"), &v);
  set_params(all, record, def, m);
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
  bool *ran = &frame->scene->motors_ran, ran_before = *ran;
  epoch_push_current(L, "motors");
  *ran = lua_istable(L, 2) && has_fields(L, 2);
  if (!*ran && !ran_before) return 0;
  for (int i = 0; lua_istable(L, -1) && i < all->actors.count; i++) {
    actor_record *record = actor_at(all, i);
    bool has = lua_rawgeti(L, -1, record->head.id) == LUA_TUSERDATA;
    const motor_handle *handle = lua_touserdata(L, -1);
    if (has) step(all, record, &handle->def, frame->dt), note_movers(L, record, handle->line);
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
    {0}};
