/* sinew-dev – the program of those who develop Sinew. It is not installed. */
#include "bench/bench.h"
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

const char cli_program[] = "sinew-dev";

static int run_command(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "bench") == 0) return bench_command(argc - 1, argv + 1);
  bool help = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
  fputs("usage: sinew-dev bench ...   measure how fast this machine animates\n"
        "\nsinew-dev COMMAND --help explains a command.\n",
        help ? stdout : stderr);
  return help ? 0 : 2;
}

int main(int argc, char **argv) {
  cli_begin(argc, argv);
  return cli_end(run_command(argc, argv));
}
