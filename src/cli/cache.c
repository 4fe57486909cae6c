/* sinew cache – lists or clears the cache of imported models. */
#include "cli/cli.h"

#include "base/text.h"

#include <stdio.h>
#include <time.h>

static void print_entry(void *user, const sinew_cache_entry *entry) {
  uint64_t *total = user;
  char when[32] = "";
  time_t used = (time_t)entry->used;
  struct tm local;
  if (localtime_r(&used, &local)) strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
  text_show(stdout, "  %9.2f MB  %-16s  %s\n", (double)entry->bytes / 1e6, when, entry->source);
  *total += entry->bytes;
}

static int list(const char *folder) {
  uint64_t total = 0;
  text_show(stdout, "%s\n", folder);
  int count = sinew_cache_list(print_entry, &total);
  text_show(stdout, "%d %s, %.1f MB of at most %.0f MB\n", count, text_plural(count, "model", "models"),
            (double)total / 1e6, (double)sinew_cache_limit() / 1e6);
  return 0;
}

int cli_cache(int argc, char **argv) {
  bool clear = false;
  const cli_option options[] = {{"--clear", CLI_FLAG, &clear, "remove every model"}};
  const cli_usage usage = {
      .command = "cache",
      .arguments = "",
      .summary = "Lists the models that were imported before, with their size and when they were last used. The folder "
                 "is\n$SINEW_CACHE, else $XDG_CACHE_HOME/sinew, else ~/.cache/sinew; SINEW_CACHE=off switches it off, "
                 "and\n$SINEW_CACHE_LIMIT sets how many megabytes it may have (1024).",
      .options = options,
      .option_count = 1};
  int status = cli_parse(&usage, argc, argv, NULL, NULL);
  if (status >= 0) return status;
  char folder[4096];
  if (!sinew_cache_folder(folder, sizeof folder)) return puts("the cache is off (SINEW_CACHE)") < 0;
  if (!clear) return list(folder);
  int count = sinew_cache_clear();
  text_show(stdout, "%s: %d %s removed\n", folder, count, text_plural(count, "model", "models"));
  return 0;
}
