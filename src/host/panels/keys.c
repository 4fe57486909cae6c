#include "host/panels/overlay.h"

static const char keys[] = "?            this list, while the scene is paused\n"
                           "F1           inspector\n"
                           "F2           wireframe            (view: W)\n"
                           "F3           numbers\n"
                           "F4           the next debug view  (view: V)\n"
                           "F5           skeletons            (view: B)\n"
                           "F6           pause and go on\n"
                           "F7           one frame of 1/60 s\n"
                           "F8           slow motion\n"
                           "F9           looks back at the last minute\n"
                           "F11          full screen\n"
                           "Ctrl+`       console\n"
                           "Ctrl+click   picks an actor and a joint; while paused, a click does\n"
                           "Ctrl+R       restarts the scene\n"
                           "Ctrl+C       copies the error that shows\n"
                           "Ctrl+Z       takes back what Apply wrote\n"
                           "left drag    turns the camera\n"
                           "right drag   shifts it, the wheel zooms";

void overlay_draw_keys(ui *u, const float area[4]) {
  float width, height, pad = 14 * ui_scale(u);
  ui_text_size(u, UI_CODE, keys, &width, &height);
  float x = (area[0] + area[2] - width) / 2, y = (area[1] + area[3] - height) / 2;
  ui_style back = {UI_IN_FRONT, UI_TEXT, ui_color(18, 21, 26, 0.94f)},
           front = {UI_IN_FRONT, UI_CODE, ui_color(230, 232, 235, 1)};
  ui_draw_box(u, &back, (float[4]){x - pad, y - pad, x + width + pad, y + height + pad}, 8 * ui_scale(u));
  ui_draw_text(u, &front, x, y, keys);
}
