/* Integers that lie packed, those of some lanes only, spread over their lanes. */
#ifndef SINEW_MATH_LANES_SPREAD_H
#define SINEW_MATH_LANES_SPREAD_H

#include <stddef.h>
#include <stdint.h>

/* How many lanes are in a set (bit k: lane k). */
#define SPREAD_COUNT(set) (((set)&1) + ((set) >> 1 & 1) + ((set) >> 2 & 1) + ((set) >> 3 & 1))

#if defined(LANES_AVX2) || defined(LANES_NEON)

/* For each set of four lanes that have an integer which byte comes where, 0x80 for a zero, as pshufb and tbl
 * read it: four lanes' integers of one component, and those of the next, which lie behind them. */
#define SPREAD_BYTE(set, k, next, byte)                                                                                \
  (set) >> (k)&1 ? 2 * (SPREAD_COUNT((set) & ((1 << (k)) - 1)) + (next)*SPREAD_COUNT(set)) + (byte) : 0x80
#define SPREAD_LANE(set, k, next) SPREAD_BYTE(set, k, next, 0), SPREAD_BYTE(set, k, next, 1)
#define SPREAD_FOUR(set, next)                                                                                         \
  SPREAD_LANE(set, 0, next), SPREAD_LANE(set, 1, next), SPREAD_LANE(set, 2, next), SPREAD_LANE(set, 3, next)
#define SPREAD(set)                                                                                                    \
  { SPREAD_FOUR(set, 0), SPREAD_FOUR(set, 1) }

static const _Alignas(16) uint8_t lanes_spread[16][16] = {
    SPREAD(0), SPREAD(1), SPREAD(2),  SPREAD(3),  SPREAD(4),  SPREAD(5),  SPREAD(6),  SPREAD(7),
    SPREAD(8), SPREAD(9), SPREAD(10), SPREAD(11), SPREAD(12), SPREAD(13), SPREAD(14), SPREAD(15)};

#elif defined(LANES_SSE2)

/* SSE2 shuffles by constants only, but shifts. A lane's integer has to move up by as many places as lanes below it have
 * none: by two first, then by one. masks: which places keep what they have and which get what is two places below, and
 * then the same for one place, where lanes without an integer get neither. */
typedef struct lanes_moves {
  _Alignas(16) int16_t masks[4][8];
  int count;
} lanes_moves;

#define SPREAD_GAPS(set, k) ((k)-SPREAD_COUNT((set) & ((1 << (k)) - 1)))
#define SPREAD_BY_TWO(set, k) ((k) == 2 ? SPREAD_GAPS(set, 2) == 2 : (k) == 3 && SPREAD_GAPS(set, 3) == 2)
#define SPREAD_ODD(set, k) (SPREAD_GAPS(set, k) & 1)
#define SPREAD_MASK(set, k, step)                                                                                      \
  -((step) < 2 ? SPREAD_BY_TWO(set, k) == (step) : ((set) >> (k)&1) && SPREAD_ODD(set, k) == (step)-2)
#define SPREAD_FOUR(set, step)                                                                                         \
  SPREAD_MASK(set, 0, step), SPREAD_MASK(set, 1, step), SPREAD_MASK(set, 2, step), SPREAD_MASK(set, 3, step)
#define SPREAD_STEP(set, step)                                                                                         \
  { SPREAD_FOUR(set, step), SPREAD_FOUR(set, step) }
#define SPREAD(set)                                                                                                    \
  { {SPREAD_STEP(set, 0), SPREAD_STEP(set, 1), SPREAD_STEP(set, 2), SPREAD_STEP(set, 3)}, SPREAD_COUNT(set) }

static const lanes_moves lanes_spread[16] = {SPREAD(0),  SPREAD(1),  SPREAD(2),  SPREAD(3), SPREAD(4),  SPREAD(5),
                                             SPREAD(6),  SPREAD(7),  SPREAD(8),  SPREAD(9), SPREAD(10), SPREAD(11),
                                             SPREAD(12), SPREAD(13), SPREAD(14), SPREAD(15)};

#endif

#endif
