#include <sinew/math.h>
#include <sinew/motor.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

sinew_motor_def sinew_motor_def_default(void) { return (sinew_motor_def){9, 12, 6}; }

/* Moves for this many seconds at a constant acceleration. */
static void move(sinew_motor *m, double x, double z, double t) {
  m->x += m->velocity_x * t + x * t * t / 2;
  m->z += m->velocity_z * t + z * t * t / 2;
  m->velocity_x += x * t;
  m->velocity_z += z * t;
}

/* Along the unit vector to the wanted velocity, `left` m/s away. The speed falls until no part of the velocity points
 * against that direction, and grows from there on. */
static double change_velocity(const sinew_motor_def *def, sinew_motor *m, double dt, double x, double z, double left) {
  double against = -(m->velocity_x * x + m->velocity_z * z);
  bool slows = against > 1e-12 * left; /* or by rounding only */
  double rate = slows ? def->braking : def->acceleration, change = slows && against < left ? against : left;
  double t = change / rate;
  bool whole = t <= dt;
  if (!whole) t = dt;
  move(m, x * rate, z * rate, t);
  if (whole && change == left) m->velocity_x = m->wanted_x, m->velocity_z = m->wanted_z;
  return dt - t;
}

double sinew_motor_turn(const sinew_motor *m) {
  double turn = fmod(m->wanted_yaw - m->yaw, 2 * pi);
  return turn > pi ? turn - 2 * pi : turn <= -pi ? turn + 2 * pi : turn;
}

double sinew_motor_to_stop(const sinew_motor_def *def, const sinew_motor *m) {
  return (m->velocity_x * m->velocity_x + m->velocity_z * m->velocity_z) / (2 * def->braking);
}

static void turn(const sinew_motor_def *def, double dt, sinew_motor *m) {
  double left = sinew_motor_turn(m), most = def->turn_rate * dt;
  m->yaw += left > most ? most : left < -most ? -most : left;
}

void sinew_motor_step(const sinew_motor_def *def, double dt, sinew_motor *m) {
  if (!(dt > 0)) return;
  turn(def, dt, m);
  /* at most three parts: slow down, speed up, keep going */
  for (int part = 0; part < 2 && dt > 0; part++) {
    double x = m->wanted_x - m->velocity_x, z = m->wanted_z - m->velocity_z, left = sinew_hypot(x, z);
    if (!(left > 0)) break;
    dt = change_velocity(def, m, dt, x / left, z / left, left);
  }
  if (dt > 0) move(m, 0, 0, dt);
}
