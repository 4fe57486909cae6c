#include "host/ui.h"

extern "C" {
#include "base/error.h"
#include "base/file.h"
}

#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

static_assert(sizeof(ImDrawVert) == sizeof(sinew_overlay_vertex), "vertices are copied as they are");
static_assert(sizeof(ImDrawIdx) == 2, "overlay indices are 16-bit");

namespace {

/* How often a label was used in a panel in this frame: the second "speed" of a panel gets an id of its own. */
struct label_use {
  ImGuiID panel_and_label;
  int count;
};

/* Panels stand one below the other until somebody moves one. */
struct panel_place {
  ImGuiID title;
  ImVec2 position;
  bool moved;
  int drawn_in; /* ImGui's number of the frame; -1 before the first */
};

} // namespace

struct ui {
  ImGuiContext *context;
  ImFont *fonts[2];
  float scale;
  bool in_frame;
  int depth;     /* panels opened by ui_begin */
  bool is_scene; /* the panel "Scene" was opened for a widget outside of any */
  ImVec2 column; /* where the next panel goes */
  float last_item[4];
  float after_button; /* where the line below the last button begins; NAN: there was none */
  std::vector<label_use> labels;
  std::vector<panel_place> panels;
  std::vector<ImDrawVert> vertices;
  std::vector<ImDrawIdx> indices;
  std::vector<sinew_overlay_command> commands;
  sinew_overlay overlay;
};

/* ---- theme ---- */

static ImVec4 rgb(unsigned hex, float alpha = 1) {
  return ImVec4(float(hex >> 16 & 255) / 255, float(hex >> 8 & 255) / 255, float(hex & 255) / 255, alpha);
}

static void set_colors(ImGuiStyle &style) {
  const struct {
    ImGuiCol where;
    ImVec4 color;
  } theme[] = {
      {ImGuiCol_Text, rgb(0xe6e8eb)},
      {ImGuiCol_TextDisabled, rgb(0x8b929c)},
      {ImGuiCol_WindowBg, rgb(0x16181c, 0.90f)},
      {ImGuiCol_ChildBg, rgb(0x000000, 0)},
      {ImGuiCol_PopupBg, rgb(0x1b1e23, 0.96f)},
      {ImGuiCol_Border, rgb(0xffffff, 0.07f)},
      {ImGuiCol_FrameBg, rgb(0xffffff, 0.07f)},
      {ImGuiCol_FrameBgHovered, rgb(0xffffff, 0.11f)},
      {ImGuiCol_FrameBgActive, rgb(0xffffff, 0.15f)},
      {ImGuiCol_TitleBg, rgb(0x1d2026, 0.95f)},
      {ImGuiCol_TitleBgActive, rgb(0x23272e, 0.98f)},
      {ImGuiCol_TitleBgCollapsed, rgb(0x1d2026, 0.80f)},
      {ImGuiCol_ScrollbarBg, rgb(0x000000, 0)},
      {ImGuiCol_ScrollbarGrab, rgb(0xffffff, 0.16f)},
      {ImGuiCol_ScrollbarGrabHovered, rgb(0xffffff, 0.24f)},
      {ImGuiCol_ScrollbarGrabActive, rgb(0xffffff, 0.32f)},
      {ImGuiCol_CheckMark, rgb(0xf2a65a)},
      {ImGuiCol_SliderGrab, rgb(0xf2a65a, 0.90f)},
      {ImGuiCol_SliderGrabActive, rgb(0xffc286)},
      {ImGuiCol_Button, rgb(0xffffff, 0.09f)},
      {ImGuiCol_ButtonHovered, rgb(0xf2a65a, 0.35f)},
      {ImGuiCol_ButtonActive, rgb(0xf2a65a, 0.60f)},
      {ImGuiCol_Header, rgb(0xf2a65a, 0.30f)},
      {ImGuiCol_HeaderHovered, rgb(0xf2a65a, 0.20f)},
      {ImGuiCol_HeaderActive, rgb(0xf2a65a, 0.45f)},
      {ImGuiCol_Separator, rgb(0xffffff, 0.09f)},
      {ImGuiCol_NavHighlight, rgb(0xf2a65a)},
  };
  for (const auto &entry : theme) style.Colors[entry.where] = entry.color;
}

static void set_style(float scale) {
  ImGuiStyle &style = ImGui::GetStyle();
  ImGui::StyleColorsDark(&style);
  set_colors(style);
  style.WindowRounding = 8;
  style.FrameRounding = style.GrabRounding = style.PopupRounding = style.ScrollbarRounding = 4;
  style.WindowPadding = ImVec2(12, 10);
  style.FramePadding = ImVec2(8, 4);
  style.ItemSpacing = ImVec2(8, 6);
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.WindowBorderSize = 1;
  style.WindowTitleAlign = ImVec2(0, 0.5f);
  style.WindowMenuButtonPosition = ImGuiDir_Right;
  style.ScaleAllSizes(scale);
}

/* ---- fonts ---- */

static const char *find_font(ui_font_kind kind) {
  static const char *const text[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                                     "/usr/share/fonts/TTF/DejaVuSans.ttf",
                                     "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
                                     "/usr/share/fonts/dejavu/DejaVuSans.ttf",
                                     "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                                     "/usr/share/fonts/noto/NotoSans-Regular.ttf",
                                     "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
                                     "/System/Library/Fonts/Supplemental/Arial Unicode.ttf",
                                     nullptr};
  static const char *const code[] = {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
                                     "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
                                     "/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf",
                                     "/usr/share/fonts/dejavu/DejaVuSansMono.ttf",
                                     "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
                                     "/usr/share/fonts/noto/NotoSansMono-Regular.ttf",
                                     "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
                                     "/System/Library/Fonts/Monaco.ttf",
                                     nullptr};
  for (const char *const *path = kind == UI_CODE ? code : text; *path; path++)
    if (file_exists(*path)) return *path;
  return nullptr;
}

/* Latin with its extensions, Greek, punctuation, arrows, a few mathematical signs, lines and geometric shapes. */
static const ImWchar glyphs[] = {0x20,   0x17f,  0x391,  0x3c9,  0x2010, 0x2027, 0x2030, 0x203a, 0x2190, 0x2195,
                                 0x21b5, 0x21b5, 0x2211, 0x2212, 0x221a, 0x221e, 0x2248, 0x2265, 0x2500, 0x2503,
                                 0x250c, 0x251c, 0x2524, 0x2534, 0x25a0, 0x25ff, 0x2713, 0x2717, 0};

static ImFont *add_font(ui_font_kind kind, float scale) {
  ImFontAtlas *atlas = ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  const char *path = find_font(kind);
  float size = std::round((kind == UI_CODE ? 14.0f : 15.0f) * scale);
  ImFont *font = path ? atlas->AddFontFromFileTTF(path, size, &config, glyphs) : nullptr;
  if (font) return font;
  ImFontConfig plain;
  plain.SizePixels = 13 * std::fmax(1.0f, std::round(scale));
  return atlas->AddFontDefault(&plain);
}

void ui_font(ui *u, int *width, int *height, const uint8_t **coverage) {
  ImGui::SetCurrentContext(u->context);
  unsigned char *pixels;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, width, height);
  *coverage = pixels;
}

void ui_drop_font(ui *u) {
  ImGui::SetCurrentContext(u->context);
  ImGui::GetIO().Fonts->ClearTexData();
}

/* ---- create ---- */

#if IMGUI_VERSION_NUM < 18700
static const ImGuiKey keypad_enter = ImGuiKey_KeyPadEnter;
#else
static const ImGuiKey keypad_enter = ImGuiKey_KeypadEnter;
#endif

/* What text fields need. */
static const struct {
  ImGuiKey to;
  const char *from;
} editing_keys[] = {
    {ImGuiKey_Tab, "tab"},
    {ImGuiKey_LeftArrow, "left"},
    {ImGuiKey_RightArrow, "right"},
    {ImGuiKey_UpArrow, "up"},
    {ImGuiKey_DownArrow, "down"},
    {ImGuiKey_PageUp, "page_up"},
    {ImGuiKey_PageDown, "page_down"},
    {ImGuiKey_Home, "home"},
    {ImGuiKey_End, "end"},
    {ImGuiKey_Insert, "insert"},
    {ImGuiKey_Delete, "delete"},
    {ImGuiKey_Backspace, "backspace"},
    {ImGuiKey_Space, "space"},
    {ImGuiKey_Enter, "enter"},
    {ImGuiKey_Escape, "escape"},
    {keypad_enter, "kp_enter"},
    {ImGuiKey_A, "a"},
    {ImGuiKey_C, "c"},
    {ImGuiKey_V, "v"},
    {ImGuiKey_X, "x"},
    {ImGuiKey_Y, "y"},
    {ImGuiKey_Z, "z"},
};

ui *ui_create(float scale, sinew_error *error) {
  ui *u = new (std::nothrow) ui{};
  if (!u) {
    error_memory(error, "panels", sizeof *u);
    return nullptr;
  }
  u->scale = scale > 0 ? scale : 1;
  u->context = ImGui::CreateContext();
  ImGui::SetCurrentContext(u->context);
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendPlatformName = "sinew";
  io.BackendRendererName = "sinew";
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
#if IMGUI_VERSION_NUM < 18700
  for (const auto &key : editing_keys) io.KeyMap[key.to] = input_find_key(key.from);
#endif
  set_style(u->scale);
  u->fonts[UI_TEXT] = add_font(UI_TEXT, u->scale);
  u->fonts[UI_CODE] = add_font(UI_CODE, u->scale);
  io.Fonts->Build();
  return u;
}

void ui_destroy(ui *u) {
  if (!u) return;
  ImGui::SetCurrentContext(u->context);
  if (u->in_frame) ImGui::EndFrame();
  ImGui::DestroyContext(u->context);
  delete u;
}

/* ---- input: one adapter for the state API (to 1.86) and the event API (since 1.87) ---- */

static bool is_held(const input *in, const char *left, const char *right) {
  return in->keys[input_find_key(left)] || in->keys[input_find_key(right)];
}

static void feed_characters(ImGuiIO &io, const input *in) {
  for (int i = 0; i < in->taken; i++)
    if (in->events[i].kind == EVENT_CHARACTER) io.AddInputCharacter(unsigned(in->events[i].code));
}

#if IMGUI_VERSION_NUM < 18700
static void feed(ImGuiIO &io, const input *in) {
  io.MousePos = ImVec2(in->mouse_x, in->mouse_y);
  for (int i = 0; i < BUTTON_COUNT; i++) io.MouseDown[i] = in->buttons[i];
  io.MouseWheel = in->wheel;
  for (int i = 0; i < KEY_LIMIT; i++) io.KeysDown[i] = in->keys[i];
  io.KeyCtrl = is_held(in, "left_ctrl", "right_ctrl");
  io.KeyShift = is_held(in, "left_shift", "right_shift");
  io.KeyAlt = is_held(in, "left_alt", "right_alt");
  io.KeySuper = is_held(in, "left_super", "right_super");
  feed_characters(io, in);
}
#else
static void feed(ImGuiIO &io, const input *in) {
  io.AddMousePosEvent(in->mouse_x, in->mouse_y);
  for (int i = 0; i < BUTTON_COUNT; i++) io.AddMouseButtonEvent(i, in->buttons[i]);
  if (in->wheel != 0) io.AddMouseWheelEvent(0, in->wheel);
#if IMGUI_VERSION_NUM >= 18823
  const ImGuiKey mods[] = {ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt, ImGuiMod_Super};
#else
  const ImGuiKey mods[] = {ImGuiKey_ModCtrl, ImGuiKey_ModShift, ImGuiKey_ModAlt, ImGuiKey_ModSuper};
#endif
  io.AddKeyEvent(mods[0], is_held(in, "left_ctrl", "right_ctrl"));
  io.AddKeyEvent(mods[1], is_held(in, "left_shift", "right_shift"));
  io.AddKeyEvent(mods[2], is_held(in, "left_alt", "right_alt"));
  io.AddKeyEvent(mods[3], is_held(in, "left_super", "right_super"));
  for (const auto &key : editing_keys) io.AddKeyEvent(key.to, in->keys[input_find_key(key.from)]);
  feed_characters(io, in);
}
#endif

/* ---- frame ---- */

void ui_begin_frame(ui *u, const input *in, int width, int height, double dt) {
  ImGui::SetCurrentContext(u->context);
  ImGuiIO &io = ImGui::GetIO();
  io.DisplaySize = ImVec2(float(width), float(height));
  io.DeltaTime = dt > 1e-4 && dt < 10 ? float(dt) : 1e-4f;
  feed(io, in);
  ImGui::NewFrame();
  u->in_frame = true;
  u->depth = 0;
  u->is_scene = false;
  u->column = ImVec2(std::round(16 * u->scale), std::round(16 * u->scale));
  u->labels.clear();
  u->after_button = NAN;
  for (float &edge : u->last_item) edge = 0;
}

static void copy_list(ui *u, const ImDrawList *list) {
  int first_vertex = int(u->vertices.size()), first_index = int(u->indices.size());
  u->vertices.insert(u->vertices.end(), list->VtxBuffer.begin(), list->VtxBuffer.end());
  u->indices.insert(u->indices.end(), list->IdxBuffer.begin(), list->IdxBuffer.end());
  for (const ImDrawCmd &from : list->CmdBuffer) {
    if (from.UserCallback || from.ElemCount == 0) continue;
    sinew_overlay_command to = {};
    to.clip[0] = from.ClipRect.x;
    to.clip[1] = from.ClipRect.y;
    to.clip[2] = from.ClipRect.z;
    to.clip[3] = from.ClipRect.w;
    to.first_index = first_index + int(from.IdxOffset);
    to.index_count = int(from.ElemCount);
    to.first_vertex = first_vertex + int(from.VtxOffset);
    u->commands.push_back(to);
  }
}

static void copy_lists(ui *u, const ImDrawData *data) {
  u->vertices.clear();
  u->indices.clear();
  u->commands.clear();
  for (int i = 0; data && i < data->CmdListsCount; i++) copy_list(u, data->CmdLists[i]);
  u->overlay.vertices = reinterpret_cast<const sinew_overlay_vertex *>(u->vertices.data());
  u->overlay.vertex_count = int(u->vertices.size());
  u->overlay.indices = u->indices.data();
  u->overlay.index_count = int(u->indices.size());
  u->overlay.commands = u->commands.data();
  u->overlay.command_count = int(u->commands.size());
}

static void close_panel(ui *u);

void ui_end_frame(ui *u) {
  if (!u->in_frame) return;
  ImGui::SetCurrentContext(u->context);
  while (u->depth > 0 || u->is_scene) close_panel(u);
  ImGui::Render();
  u->in_frame = false;
  copy_lists(u, ImGui::GetDrawData());
}

bool ui_is_in_frame(const ui *u) { return u->in_frame; }
const sinew_overlay *ui_overlay(const ui *u) { return &u->overlay; }

bool ui_has_mouse(const ui *u) {
  ImGui::SetCurrentContext(u->context);
  return ImGui::GetIO().WantCaptureMouse;
}

bool ui_has_keyboard(const ui *u) {
  ImGui::SetCurrentContext(u->context);
  return ImGui::GetIO().WantTextInput;
}

/* ---- panels ---- */

static panel_place &place_of(ui *u, ImGuiID title) {
  for (panel_place &place : u->panels)
    if (place.title == title) return place;
  u->panels.push_back({title, ImVec2(0, 0), false, -1});
  return u->panels.back();
}

/* The next free place in the column; a panel that would not fit begins a column of its own. */
static ImVec2 take_place(ui *u) {
  float height = ImGui::GetWindowHeight(), margin = std::round(16 * u->scale);
  if (u->column.y > margin && u->column.y + height > ImGui::GetIO().DisplaySize.y)
    u->column = ImVec2(u->column.x + ImGui::GetWindowWidth() + margin / 2, margin);
  ImVec2 place = u->column;
  u->column.y += height + margin / 2;
  return place;
}

/* Called inside the panel: notices that it was moved, else puts it below the one before. */
static void arrange(ui *u) {
  panel_place &place = place_of(u, ImGui::GetID("place"));
  if (place.drawn_in == ImGui::GetFrameCount()) return;
  ImVec2 found = ImGui::GetWindowPos();
  if (place.drawn_in >= 0 && (found.x != place.position.x || found.y != place.position.y)) place.moved = true;
  if (!place.moved) {
    found = take_place(u);
    ImGui::SetWindowPos(found);
  }
  place.position = found;
  place.drawn_in = ImGui::GetFrameCount();
}

static void open_panel(ui *u, const char *title) {
  float width = std::round(300 * u->scale), height = ImGui::GetIO().DisplaySize.y - 32 * u->scale;
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, height > 80 ? height : 80));
  ImGui::SetNextWindowPos(u->column, ImGuiCond_FirstUseEver);
  ImGui::Begin(title && title[0] ? title : "Scene", nullptr,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  arrange(u);
  ImGui::PushItemWidth(std::round(width * 0.54f));
}

static void close_panel(ui *u) {
  ImGui::PopItemWidth();
  ImGui::End();
  if (u->is_scene) u->is_scene = false;
  else u->depth--;
}

/* A widget that belongs to no panel opens "Scene"; false where no frame is being made. */
static bool ready(ui *u) {
  if (!u->in_frame) return false;
  ImGui::SetCurrentContext(u->context);
  if (u->depth > 0 || u->is_scene) return true;
  open_panel(u, "Scene");
  u->is_scene = true;
  return true;
}

void ui_begin(ui *u, const char *title) {
  enum { DEEPEST = 16 };
  if (!u->in_frame || u->depth >= DEEPEST) return;
  ImGui::SetCurrentContext(u->context);
  if (u->is_scene) close_panel(u);
  open_panel(u, title);
  u->depth++;
}

void ui_end(ui *u) {
  if (!u->in_frame || u->depth == 0) return;
  ImGui::SetCurrentContext(u->context);
  close_panel(u);
}

/* Ids are the label and how often it came before in this panel. */
static void push_label(ui *u, const char *label) {
  ImGuiID id = ImGui::GetID(label);
  int count = 0;
  for (label_use &use : u->labels)
    if (use.panel_and_label == id) count = ++use.count;
  if (count == 0) u->labels.push_back({id, 0});
  ImGui::PushID(label);
  ImGui::PushID(count);
}

static void pop_label(ui *u) {
  ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  u->last_item[0] = low.x;
  u->last_item[1] = low.y;
  u->last_item[2] = high.x;
  u->last_item[3] = high.y;
  ImGui::PopID();
  ImGui::PopID();
}

void ui_last_item(const ui *u, float box[4]) { std::memcpy(box, u->last_item, sizeof u->last_item); }

/* ---- widgets ---- */

void ui_label(ui *u, const char *text) {
  if (!text || !ready(u)) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
}

void ui_separator(ui *u) {
  if (!ready(u)) return;
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

/* A button stands beside the one before where there is room. */
static void flow(ui *u, const char *label) {
  const ImGuiStyle &style = ImGui::GetStyle();
  float width = ImGui::CalcTextSize(label, nullptr, true).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
  float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (u->after_button == ImGui::GetCursorScreenPos().y && u->last_item[2] + width <= right) ImGui::SameLine();
}

bool ui_button(ui *u, const char *label) {
  if (!label || !ready(u)) return false;
  flow(u, label);
  push_label(u, label);
  bool pressed = ImGui::Button(label);
  pop_label(u);
  u->after_button = ImGui::GetCursorScreenPos().y;
  return pressed;
}

bool ui_checkbox(ui *u, const char *label, bool *value) {
  if (!label || !ready(u)) return false;
  push_label(u, label);
  bool changed = ImGui::Checkbox(label, value);
  pop_label(u);
  return changed;
}

/* A thousandth of the range shows: dragging rounds to what is shown. */
static const char *format_for(float range) {
  return range >= 500 ? "%.0f" : range >= 50 ? "%.1f" : range >= 2 ? "%.2f" : "%.3f";
}

static float bound(float value, float otherwise) {
  if (!std::isfinite(value)) return otherwise;
  return value > 1e30f ? 1e30f : value < -1e30f ? -1e30f : value;
}

bool ui_slider(ui *u, const char *label, float *value, float minimum, float maximum) {
  if (!label || !ready(u)) return false;
  float low = bound(minimum, 0), high = bound(maximum, 1), chosen = bound(*value, low);
  push_label(u, label);
  bool changed =
      ImGui::SliderFloat(label, &chosen, low, high, format_for(std::fabs(high - low)), ImGuiSliderFlags_AlwaysClamp);
  pop_label(u);
  if (changed) *value = chosen;
  return changed;
}

static bool list_rows(const char *const *items, int count, int *chosen) {
  bool changed = false;
  ImGuiListClipper clipper;
  clipper.Begin(count);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
      ImGui::PushID(i);
      if (ImGui::Selectable(items[i] ? items[i] : "", i == *chosen)) {
        *chosen = i;
        changed = true;
      }
      ImGui::PopID();
    }
  }
  return changed;
}

bool ui_list(ui *u, const char *label, const char *const *items, int count, int *chosen) {
  enum { ROWS_SHOWN = 8 };
  if (!label || count < 0 || !ready(u)) return false;
  push_label(u, label);
  if (label[0]) ImGui::TextDisabled("%s", label);
  int rows = count < 1 ? 1 : count < ROWS_SHOWN ? count : ROWS_SHOWN;
  float height = float(rows) * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetStyle().FramePadding.y * 2;
  bool changed = false;
  if (ImGui::BeginListBox("##list", ImVec2(-1, height))) {
    changed = list_rows(items, count, chosen);
    ImGui::EndListBox();
  }
  pop_label(u);
  return changed;
}

/* ---- drawing ---- */

uint32_t ui_color(int red, int green, int blue, float alpha) {
  float a = alpha < 0 ? 0 : alpha > 1 ? 1 : alpha;
  return IM_COL32(red & 255, green & 255, blue & 255, int(a * 255 + 0.5f));
}

float ui_scale(const ui *u) { return u->scale; }

float ui_line_height(const ui *u, ui_font_kind font) { return std::round(u->fonts[font]->FontSize * 1.25f); }

/* One line after the other, so that the distance between lines is ours. */
template <typename line_function> static void each_line(const char *text, line_function line) {
  for (const char *begin = text;; begin++) {
    const char *end = begin + std::strcspn(begin, "\n");
    line(begin, end);
    begin = end;
    if (*end == '\0') return;
  }
}

void ui_text_size(const ui *u, ui_font_kind font, const char *text, float *width, float *height) {
  ImFont *f = u->fonts[font];
  *width = *height = 0;
  each_line(text, [&](const char *begin, const char *end) {
    float line = f->CalcTextSizeA(f->FontSize, 1e9f, 0, begin, end).x;
    if (line > *width) *width = line;
    *height += ui_line_height(u, font);
  });
}

static ImDrawList *list_at(ui_depth depth) {
  return depth == UI_IN_FRONT ? ImGui::GetForegroundDrawList() : ImGui::GetBackgroundDrawList();
}

void ui_draw_text(ui *u, const ui_style *style, float x, float y, const char *text) {
  if (!u->in_frame || !std::isfinite(x) || !std::isfinite(y)) return;
  ImGui::SetCurrentContext(u->context);
  ImDrawList *list = list_at(style->depth);
  ImFont *f = u->fonts[style->font];
  float top = y + std::floor((ui_line_height(u, style->font) - f->FontSize) / 2);
  each_line(text, [&](const char *begin, const char *end) {
    if (end > begin) list->AddText(f, f->FontSize, ImVec2(std::round(x), std::round(top)), style->color, begin, end);
    top += ui_line_height(u, style->font);
  });
}

void ui_draw_box(ui *u, const ui_style *style, const float box[4], float rounding) {
  if (!u->in_frame) return;
  ImGui::SetCurrentContext(u->context);
  list_at(style->depth)->AddRectFilled(ImVec2(box[0], box[1]), ImVec2(box[2], box[3]), style->color, rounding);
}
