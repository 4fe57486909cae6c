/* sinew/motor.h – what carries a character over level ground: towards a velocity that is wanted, with limits. */
#ifndef SINEW_MOTOR_H
#define SINEW_MOTOR_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_motor_def {
  double acceleration; /* m/s², > 0: as long as it does not slow down */
  double braking;      /* m/s², > 0: while what it changes takes from its speed */
  double turn_rate;    /* rad/s, >= 0 */
} sinew_motor_def;

SINEW_API sinew_motor_def sinew_motor_def_default(void); /* 9, 12, 6 */

/* In world space; a character with yaw 0 looks along +z, and a positive yaw is to its left. */
typedef struct sinew_motor {
  double x, z, yaw;
  double velocity_x, velocity_z;
  double wanted_x, wanted_z; /* m/s */
  double wanted_yaw;
} sinew_motor;

/* One step. The velocity goes straight to the one that is wanted; over any subdivision of the same time it comes to the
 * same place and the same velocity: with a constant change d of the velocity, the way of a time t is v t + d t² / 2. A
 * character stops from s m/s after s² / (2 braking) metres. A dt that is not > 0 changes nothing. */
SINEW_API void sinew_motor_step(const sinew_motor_def *def, double dt, sinew_motor *motor);
/* What is left to turn, -π..π, the shorter way. */
SINEW_API double sinew_motor_turn(const sinew_motor *motor);

#ifdef __cplusplus
}
#endif
#endif
