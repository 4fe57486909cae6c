/* Angles by polynomials (minimax, found with Lawson's weights): the same bits on every machine, which the C library
 * does not guarantee. pose/kernels/additive.c does the same for eight at a time. */
#ifndef SINEW_MATH_ANGLE_H
#define SINEW_MATH_ANGLE_H

enum { ARCTANGENT_TERMS = 9, SINE_TERMS = 5, COSINE_TERMS = 6, SQUARED_ANGLE_TERMS = 9, ANGLE_TO_SINE_TERMS = 10 };

/* arctan(t) / t for t in 0..1 as a polynomial in t²; relative error 1.5e-8 before rounding. */
static const float arctangent_terms[ARCTANGENT_TERMS] = {0.999999985f,  -0.333330733f,  0.199926191f,
                                                         -0.14203642f,  0.106409244f,   -0.07504274f,
                                                         0.0426912759f, -0.0160684788f, 0.00284985202f};

/* sin(x) / x and cos(x) for x in −π/2..π/2 as polynomials in x²; errors 5.3e-9 (relative) and 2.2e-10. */
static const float sine_terms[SINE_TERMS] = {0.999999995f, -0.166666567f, 0.00833302514f, -0.000198074187f,
                                             2.60190303e-06f};
static const float cosine_terms[COSINE_TERMS] = {
    1, -0.499999994f, 0.0416666363f, -0.00138883614f, 2.47601613e-05f, -2.6051495e-07f};

/* θ² / t and θ / sin θ for θ in 0..π/2 as polynomials in t = (1 − cos θ) / 2; relative errors 9.5e-9 and 2.1e-8. They
 * need no root, and for small θ the rounding of cos θ does not matter. */
static const float squared_angle_terms[SQUARED_ANGLE_TERMS] = {
    4, 1.33332717f, 0.711437285f, 0.450623155f, 0.389315635f, -0.101185627f, 1.25881302f, -1.61040223f, 1.45753729f};
static const float angle_to_sine_terms[ANGLE_TO_SINE_TERMS] = {
    1,           0.66667074f, 0.533066273f, 0.463822424f, 0.322615832f, 0.961893618f,
    -2.1473918f, 6.5248971f,  -8.34347248f, 5.71536589f};

/* c[0] + c[1] x + … + c[count − 1] x^(count − 1). */
static inline float angle_polynomial(const float *c, int count, float x) {
  float sum = c[count - 1];
  for (int i = count - 2; i >= 0; i--) sum = sum * x + c[i];
  return sum;
}

static inline float angle_arctangent(float t) {
  return t * angle_polynomial(arctangent_terms, ARCTANGENT_TERMS, t * t);
}

static inline float angle_sine(float x) { return x * angle_polynomial(sine_terms, SINE_TERMS, x * x); }

#endif
