/* json – writes JSON to standard output. */
#ifndef SINEW_CLI_JSON_H
#define SINEW_CLI_JSON_H

/* "text" with quotes and escapes; bytes that are no UTF-8 become U+FFFD. */
void json_string(const char *text);

/* %.9g: enough to read a float back; null where it is not finite. */
void json_number(double value);

/* [a,b,…] */
void json_floats(const float *values, int count);

#endif
