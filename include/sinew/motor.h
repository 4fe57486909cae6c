/* sinew/motor.h – moves a character over level ground towards a wanted velocity, within limits. */
#ifndef SINEW_MOTOR_H
#define SINEW_MOTOR_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_motor_def {
  double acceleration; /* m/s², > 0: while it does not slow down */
  double braking;      /* m/s², > 0: while it slows down */
  double turn_rate;    /* rad/s, >= 0 */
} sinew_motor_def;

SINEW_API sinew_motor_def sinew_motor_def_default(void); /* 9, 12, 6: of a world in metres */

/* In world space; a character with yaw 0 looks along +z, and a positive yaw is to its left. */
typedef struct sinew_motor {
  double x, z, yaw;
  double velocity_x, velocity_z;
  double wanted_x, wanted_z; /* m/s */
  double wanted_yaw;
} sinew_motor;

/* One step. The velocity changes in a straight line to the wanted one. Any subdivision of the same time leads to the
 * same position and velocity: with a constant acceleration a, the displacement over a time t is v t + a t² / 2. A
 * character stops from s m/s within s² / (2 braking) metres. A dt that is not > 0 changes nothing. */
SINEW_API void sinew_motor_step(const sinew_motor_def *def, double dt, sinew_motor *motor);
/* The remaining rotation to the wanted yaw, -π..π, the shorter way. */
SINEW_API double sinew_motor_turn(const sinew_motor *motor);

/* Metres until it stands, if it brakes now. */
SINEW_API double sinew_motor_to_stop(const sinew_motor_def *def, const sinew_motor *motor);

#ifdef __cplusplus
}
#endif
#endif
