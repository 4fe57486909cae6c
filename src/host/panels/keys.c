#include "host/panels/overlay.h"

static const char everywhere[] = "?            this list, while paused\n"
                                 "F1           inspector\n"
                                 "F2           wireframe (view: W)\n"
                                 "F3           numbers\n"
                                 "F4           the next debug view (view: V)\n"
                                 "F5           skeletons (view: B)\n"
                                 "F6           pause and go on\n"
                                 "F7           one frame of 1/60 s\n"
                                 "F8           slow motion\n"
                                 "F9           looks back at the last minute\n"
                                 "F10          the graph\n"
                                 "F11          full screen\n"
                                 "Ctrl+`       console\n"
                                 "Ctrl+click   picks an actor and a joint;\n"
                                 "             while paused, a click does\n"
                                 "Ctrl+R       restarts the scene\n"
                                 "Ctrl+C       copies the error that shows\n"
                                 "Ctrl+Z       takes back what Apply wrote\n"
                                 "left drag    turns the camera\n"
                                 "right drag   shifts it, the wheel zooms";

static const char looking_back[] = "While looking back (F9)\n"
                                   "Space        plays the loop\n"
                                   "Left, Right  a moment; with Shift ten\n"
                                   "Home, End    the oldest, the newest\n"
                                   "N, P         next and previous mark\n"
                                   "[, ]         the loop begins, ends here\n"
                                   "Tab          next actor\n"
                                   "Up, Down     whose joint's curve is shown\n"
                                   "E            why that joint is there\n"
                                   "a save       runs the loop again, beside\n"
                                   "             the ghost of what was\n"
                                   "S            runs again from the start\n"
                                   "Backspace    a shorter loop, while it runs\n"
                                   "G            ghost; Shift+G: beside\n"
                                   "Enter        plays on from here\n"
                                   "Ctrl+Z       forgets what was run again, or\n"
                                   "             brings back the run that Enter left\n"
                                   "Esc, F9      back to now";

void overlay_draw_keys(ui *u, const float area[4]) {
  float left[2], right[2], pad = 14 * ui_scale(u);
  ui_text_size(u, UI_CODE, everywhere, &left[0], &left[1]);
  ui_text_size(u, UI_CODE, looking_back, &right[0], &right[1]);
  float width = left[0] + pad + right[0], x = (area[0] + area[2] - width) / 2, y = (area[1] + area[3] - left[1]) / 2;
  ui_style back = {UI_IN_FRONT, UI_TEXT, ui_color(18, 21, 26, 0.96f)},
           front = {UI_IN_FRONT, UI_CODE, ui_color(230, 232, 235, 1)};
  ui_draw_box(u, &back, (float[4]){x - pad, y - pad, x + width + pad, y + left[1] + pad}, 8 * ui_scale(u));
  ui_draw_text(u, &front, x, y, everywhere);
  ui_draw_text(u, &front, x + left[0] + pad, y, looking_back);
}
