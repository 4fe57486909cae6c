/* Copies the inspector's changes to the clipboard, or writes them into the script. */
#include "base/memory/memory.h"
#include "base/text.h"
#include "host/host.h"
#include "host/panels/inspector.h"

#include <stdio.h>

/* True if everything was written; the rest stays, with the reason, for Copy as Lua. */
static bool write_change(sinew_host *host, change *c) {
  char answer[512] = "no literal in the script sets it", text[1024];
  bool whole = c->edit_count > 0;
  for (int i = 0; i < c->edit_count;) {
    bool written = host->app.write(host->app.user, c->edits + i, answer, sizeof answer);
    if (written) change_remove_edit(c, i), sinew_host_toast(host, answer);
    else whole = false, i++;
  }
  text_format(text, sizeof text, "%.300s: %.500s (Copy as Lua has it)", c->target, answer);
  if (!whole) sinew_host_toast(host, text);
  return whole;
}

static void apply(sinew_host *host) {
  mask_forget_strokes(host); /* from now on Ctrl+Z undoes the write */
  change_list *changes = &host->inspector.changes;
  for (int i = 0; i < changes->count;)
    if (write_change(host, changes->changes + i)) changes_remove(changes, i);
    else i++;
}

void changes_draw(sinew_host *host) {
  change_list *changes = &host->inspector.changes;
  char text[64];
  if (ui_button(host->ui, "Copy as Lua")) {
    char *lua = changes_as_lua(changes);
    if (lua) sinew_host_set_clipboard(host, lua);
    mem_free(lua);
  }
  if (host->app.write && ui_button(host->ui, "Apply")) apply(host);
  if (ui_button(host->ui, "Forget")) changes_clear(changes);
  snprintf(text, sizeof text, "%d %s", changes->count, text_plural(changes->count, "change", "changes"));
  ui_label(host->ui, text);
}
