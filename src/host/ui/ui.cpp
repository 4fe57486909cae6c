#include "host/ui/ui_state.hpp"

extern "C" {
#include "base/error.h"
#include "base/file.h"
}

#include <cmath>
#include <cstring>
#include <new>

static_assert(sizeof(ImDrawVert) == sizeof(sinew_overlay_vertex), "vertices are copied as they are");
static_assert(sizeof(ImDrawIdx) == 2, "overlay indices are 16-bit");

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
      {ImGuiCol_Tab, rgb(0xffffff, 0.06f)},
      {ImGuiCol_TabHovered, rgb(0xf2a65a, 0.45f)},
      {ImGuiCol_TabActive, rgb(0xf2a65a, 0.35f)},
      {ImGuiCol_TabUnfocused, rgb(0xffffff, 0.06f)},
      {ImGuiCol_TabUnfocusedActive, rgb(0xf2a65a, 0.35f)},
      {ImGuiCol_PlotLines, rgb(0xf2a65a)},
      {ImGuiCol_PlotLinesHovered, rgb(0xffc286)},
      {ImGuiCol_PlotHistogram, rgb(0xf2a65a, 0.45f)},
      {ImGuiCol_TextSelectedBg, rgb(0xf2a65a, 0.35f)},
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

/* The keys that text fields use. */
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

void ui_set_scale(ui *u, float scale) {
  ImGui::SetCurrentContext(u->context);
  ImGui::GetStyle() = ImGuiStyle();
  u->scale = scale > 0 ? scale : 1;
  set_style(u->scale);
  ImFontAtlas *atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
  u->fonts[UI_TEXT] = add_font(UI_TEXT, u->scale);
  u->fonts[UI_CODE] = add_font(UI_CODE, u->scale);
  atlas->Build();
}

ui *ui_create(float scale, sinew_error *error) {
  ui *u = new (std::nothrow) ui{};
  if (!u) {
    error_memory(error, "panels", sizeof *u);
    return nullptr;
  }
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
  ui_init_regions(u);
  ui_set_scale(u, scale);
  return u;
}

void ui_destroy(ui *u) {
  if (!u) return;
  ImGui::SetCurrentContext(u->context);
  if (u->in_frame) ImGui::EndFrame();
  ImGui::DestroyContext(u->context);
  delete u;
}

/* ---- input: one adapter for the state API (up to 1.86) and the event API (since 1.87) of Dear ImGui ---- */

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

static ImVec2 first_position(const ui *u) {
  float area[4], margin = std::round(16 * u->scale);
  ui_free_area(u, area);
  return ImVec2(area[0] + margin, area[1] + margin);
}

void ui_begin_frame(ui *u, const input *in, int width, int height, double dt) {
  ImGui::SetCurrentContext(u->context);
  ImGuiIO &io = ImGui::GetIO();
  io.DisplaySize = ImVec2(float(width), float(height));
  io.DeltaTime = dt > 1e-4 && dt < 10 ? float(dt) : 1e-4f;
  feed(io, in);
  ImGui::NewFrame();
  u->in_frame = true;
  u->depth = 0;
  u->panels_right = u->panels_bottom = u->column_right = u->table_top = 0;
  u->column = first_position(u);
  u->labels.clear();
  u->items.clear();
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
    to.texture = uint32_t(reinterpret_cast<uintptr_t>(from.GetTexID())); /* 0: the font */
    to.first_index = first_index + int(from.IdxOffset);
    to.index_count = int(from.ElemCount);
    to.first_vertex = first_vertex + int(from.VtxOffset);
    u->commands.push_back(to);
  }
}

static void close_innermost(ui *u);

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

void ui_end_frame(ui *u) {
  if (!u->in_frame) return;
  ImGui::SetCurrentContext(u->context);
  while (u->depth > 0) close_innermost(u);
  ui_keep_seen(u);
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

static ImGuiID hash(const char *label) {
  ImGuiID id = 2166136261u; /* FNV-1a */
  for (; *label; label++) id = (id ^ ImGuiID(static_cast<unsigned char>(*label))) * 16777619u;
  return id;
}

static panel_place &place_of(ui *u, ImGuiID title) {
  for (panel_place &position : u->panels)
    if (position.title == title) return position;
  u->panels.push_back({title, ImVec2(0, 0), false, -1});
  return u->panels.back();
}

/* The next free place in the column; a panel that would not fit starts a new column, folded if it would cover most of
 * the window. */
static ImVec2 take_position(ui *u) {
  float height = ImGui::GetWindowHeight(), margin = std::round(16 * u->scale), area[4];
  ui_free_area(u, area);
  bool fits = u->column.y <= margin || u->column.y + height <= area[3];
  if (!fits && ui_is_narrow(u)) ImGui::SetWindowCollapsed(true, ImGuiCond_Once);
  if (!fits) u->column = ImVec2(u->column.x + ImGui::GetWindowWidth() + margin / 2, margin);
  ImVec2 position = u->column;
  u->column.y += height + margin / 2;
  return position;
}

/* Called inside the panel: notices if the user moved it, else puts it below the previous one. */
static void arrange(ui *u) {
  panel_place &position = place_of(u, ImGui::GetID("place"));
  if (position.drawn_in == ImGui::GetFrameCount()) return;
  ImVec2 found = ImGui::GetWindowPos();
  if (position.drawn_in >= 0 && (found.x != position.position.x || found.y != position.position.y))
    position.moved = true;
  if (!position.moved) {
    found = take_position(u);
    ImGui::SetWindowPos(found);
  }
  position.position = found;
  position.drawn_in = ImGui::GetFrameCount();
  u->panels_right = std::fmax(u->panels_right, found.x + ImGui::GetWindowWidth());
  if (u->column_right == 0 && !position.moved) u->column_right = u->panels_right;
  u->panels_bottom = std::fmax(u->panels_bottom, found.y + ImGui::GetWindowHeight());
}

/* Dear ImGui never frees a window, and numbers them in 16 bits: beyond this number of titles all panels share one. */
static const char *bounded(ui *u, const char *title) {
  enum { TITLES = 1000 };
  if (!title || !title[0]) return "Scene";
  ImGuiID id = hash(title);
  for (ImGuiID known : u->titles)
    if (known == id) return title;
  if (u->titles.size() == TITLES) return "More panels";
  u->titles.push_back(id);
  return title;
}

static void open_panel(ui *u, const char *title) {
  float area[4];
  ui_free_area(u, area);
  float width = ui_panel_width(u), height = area[3] - 32 * u->scale;
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, height > 80 ? height : 80));
  ImGui::SetNextWindowPos(u->column, ImGuiCond_FirstUseEver);
  ImGui::Begin(bounded(u, title), nullptr,
               ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  arrange(u);
  ImGui::PushItemWidth(std::round(width * 0.54f));
}

/* ---- open regions ---- */

bool ui_open_scope(ui *u, scope s) {
  if (u->depth == SCOPES) return false;
  u->scopes[u->depth++] = s;
  return true;
}

static void close_innermost(ui *u) {
  switch (u->scopes[--u->depth]) {
  case SCOPE_TABS: ImGui::EndTabBar(); break;
  case SCOPE_TAB: ImGui::EndTabItem(); break;
  case SCOPE_TREE: ImGui::TreePop(); break;
  case SCOPE_REGION: ui_close_region(u); return;
  default:
    ImGui::PopItemWidth();
    ImGui::End();
    return;
  }
  if (u->scopes[u->depth] != SCOPE_TAB) ui_pop_label(u);
}

void ui_close_scope(ui *u, scope s) {
  int found = u->depth - 1;
  while (found >= 0 && u->scopes[found] != s && u->scopes[found] > SCOPE_SCENE) found--;
  if (found < 0 || u->scopes[found] != s) return;
  ImGui::SetCurrentContext(u->context);
  while (u->depth > found) close_innermost(u);
}

bool ui_ready(ui *u) {
  if (!u->in_frame) return false;
  ImGui::SetCurrentContext(u->context);
  if (u->depth > 0) return true;
  open_panel(u, "Scene");
  return ui_open_scope(u, SCOPE_SCENE);
}

void ui_begin(ui *u, const char *title) {
  enum { DEEPEST = 16 };
  if (!u->in_frame || u->depth >= DEEPEST) return;
  ImGui::SetCurrentContext(u->context);
  ui_close_scope(u, SCOPE_SCENE);
  open_panel(u, title);
  ui_open_scope(u, SCOPE_PANEL);
}

void ui_end(ui *u) {
  if (u->in_frame) ui_close_scope(u, SCOPE_PANEL);
}

void ui_panels_end(const ui *u, float *right, float *bottom) {
  *right = u->panels_right;
  *bottom = u->panels_bottom;
}

/* ---- ids ---- */

void ui_push_label(ui *u, const char *label) {
  int used = u->labels[ImGui::GetID(label)]++;
  ImGui::PushID(label);
  ImGui::PushID(used);
}

void ui_pop_label(ui *) {
  ImGui::PopID();
  ImGui::PopID();
}

void ui_note_place(ui *u, const char *label, const float box[4]) {
  std::memcpy(u->last_item, box, sizeof u->last_item);
  u->items.push_back({hash(label), {box[0], box[1], box[2], box[3]}});
}

void ui_note_item(ui *u, const char *label) {
  ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float box[4] = {low.x, low.y, high.x, high.y};
  ui_note_place(u, label, box);
}

void ui_last_item(const ui *u, float box[4]) { std::memcpy(box, u->last_item, sizeof u->last_item); }

bool ui_find_item(const ui *u, const char *label, float box[4]) {
  for (const item_place &item : u->items) {
    if (item.label != hash(label)) continue;
    std::memcpy(box, item.box, sizeof item.box);
    return true;
  }
  return false;
}

/* ---- the system's ---- */

static void write_clipboard(void *user, const char *text) {
  ui *u = static_cast<ui *>(user);
  u->clipboard.set(u->clipboard.user, text);
}

static const char *read_clipboard(void *user) {
  ui *u = static_cast<ui *>(user);
  return u->clipboard.get(u->clipboard.user);
}

void ui_set_clipboard(ui *u, const ui_clipboard *clipboard) {
  ImGui::SetCurrentContext(u->context);
  ImGuiIO &io = ImGui::GetIO();
  u->clipboard = *clipboard;
  io.ClipboardUserData = u;
  io.SetClipboardTextFn = write_clipboard;
  io.GetClipboardTextFn = read_clipboard;
}

ui_cursor ui_cursor_shape(const ui *u) {
  ImGui::SetCurrentContext(u->context);
  switch (ImGui::GetMouseCursor()) {
  case ImGuiMouseCursor_TextInput: return UI_CURSOR_TEXT;
  case ImGuiMouseCursor_ResizeEW: return UI_CURSOR_SIDEWAYS;
  case ImGuiMouseCursor_ResizeNS: return UI_CURSOR_UPWARDS;
  case ImGuiMouseCursor_Hand: return UI_CURSOR_HAND;
  default: return UI_CURSOR_ARROW;
  }
}

/* ---- drawing ---- */

uint32_t ui_color(int red, int green, int blue, float alpha) {
  float a = alpha < 0 ? 0 : alpha > 1 ? 1 : alpha;
  return IM_COL32(red & 255, green & 255, blue & 255, int(a * 255 + 0.5f));
}

float ui_scale(const ui *u) { return u->scale; }

float ui_line_height(const ui *u, ui_font_kind font) { return std::round(u->fonts[font]->FontSize * 1.25f); }

/* Draws line by line, so that we set the distance between lines. */
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
  const ptrdiff_t longest = 4096; /* room is made for all of it before it is drawn */
  each_line(text, [&](const char *begin, const char *end) {
    if (end - begin > longest) end = begin + longest;
    if (end > begin) list->AddText(f, f->FontSize, ImVec2(std::round(x), std::round(top)), style->color, begin, end);
    top += ui_line_height(u, style->font);
  });
}

void ui_draw_box(ui *u, const ui_style *style, const float box[4], float rounding) {
  if (!u->in_frame) return;
  ImGui::SetCurrentContext(u->context);
  list_at(style->depth)->AddRectFilled(ImVec2(box[0], box[1]), ImVec2(box[2], box[3]), style->color, rounding);
}
