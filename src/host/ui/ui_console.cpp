/* A log that scrolls, and an input line. */
#include "host/ui/ui_state.hpp"

#include <cstring>

void ui_same_line(ui *u) {
  if (ui_ready(u)) ImGui::SameLine();
}

bool ui_text_field(ui *u, const char *label, char *text, size_t size) {
  if (!label || !ui_ready(u)) return false;
  ui_push_label(u, label);
  ImGui::SetNextItemWidth(-ImGui::CalcTextSize(label).x - 2 * ImGui::GetStyle().ItemSpacing.x);
  bool changed = ImGui::InputText(label, text, size);
  ui_note_item(u, label);
  ui_pop_label(u);
  return changed;
}

/* ---- the log ---- */

static ImU32 level_color(int level) {
  static const ImU32 colors[] = {IM_COL32(226, 230, 235, 255), IM_COL32(250, 204, 112, 255),
                                 IM_COL32(255, 125, 112, 255), IM_COL32(150, 214, 255, 255)};
  return colors[level < 0 || level > 3 ? 0 : level];
}

/* A line that opens something is highlighted under the mouse. */
static bool draw_line(ui *u, const ui_log_job *log, int index) {
  int level = 0;
  bool links = false;
  const char *text = log->line(log->user, index, &level, &links);
  if (!text) return false;
  ImGui::PushStyleColor(ImGuiCol_Text, level_color(level));
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
  ui_note_item(u, text);
  if (!links || !ImGui::IsItemHovered()) return false;
  ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddLine(ImVec2(low.x, high.y), high, level_color(level));
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return ImGui::IsItemClicked(0);
}

static int count_lines(const ui_log_job *log) {
  int count = 0, level;
  bool links;
  while (log->line(log->user, count, &level, &links)) count++;
  return count;
}

/* Follows the newest line, unless the user has scrolled up. */
int ui_log(ui *u, const ui_log_job *log) {
  if (!ui_ready(u)) return -1;
  int clicked = -1, count = count_lines(log);
  float below = log->prompts ? ImGui::GetFrameHeightWithSpacing() : 0;
  ImGui::BeginChild("log", ImVec2(0, -below), false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNav);
  ImGui::PushFont(u->fonts[UI_CODE]);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(8 * u->scale, u->scale));
  bool follows = ImGui::GetScrollY() >= ImGui::GetScrollMaxY();
  ImGuiListClipper clipper;
  clipper.Begin(count);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++)
      if (draw_line(u, log, i)) clicked = i;
  if (follows) ImGui::SetScrollHereY(1);
  ImGui::PopStyleVar();
  ImGui::PopFont();
  ImGui::EndChild();
  return clicked;
}

/* ---- the prompt ---- */

static void replace(ImGuiInputTextCallbackData *data, int from, const char *text, size_t length) {
  data->DeleteChars(from, data->CursorPos - from);
  data->InsertChars(data->CursorPos, text, text + length);
}

/* The length of the prefix that all names share. */
static size_t common_length(const char *names) {
  size_t length = std::strcspn(names, "\n");
  for (const char *next = names; *next; next += std::strcspn(next, "\n") + 1) {
    size_t same = 0;
    while (same < length && next[same] == names[same]) same++;
    length = same;
  }
  while (length > 0 && (static_cast<unsigned char>(names[length]) & 0xC0) == 0x80) length--;
  return length;
}

static void complete(const ui_prompt *p, ImGuiInputTextCallbackData *data) {
  char names[8192], text[sizeof p->text];
  int from = data->CursorPos;
  if (data->CursorPos >= int(sizeof text)) return;
  std::memcpy(text, data->Buf, size_t(data->CursorPos));
  text[data->CursorPos] = '\0';
  int count = p->complete(p->user, text, &from, names, sizeof names);
  if (count < 1 || from < 0 || from > data->CursorPos) return;
  replace(data, from, names, common_length(names));
  if (count > 1) p->list(p->user, names);
}

static int edit(ImGuiInputTextCallbackData *data) {
  const ui_prompt *p = static_cast<const ui_prompt *>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    complete(p, data);
    return 0;
  }
  const char *text = p->recall(p->user, data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
  if (!text) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, text);
  return 0;
}

bool ui_prompt_line(ui *u, const char *label, ui_prompt *p) {
  if (!ui_ready(u)) return false;
  ui_push_label(u, label);
  if (p->takes_focus) ImGui::SetKeyboardFocusHere();
  p->takes_focus = false;
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(u->fonts[UI_CODE]);
  bool entered =
      ImGui::InputTextWithHint("##prompt", p->hint ? p->hint : "", p->text, sizeof p->text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                                   ImGuiInputTextFlags_CallbackHistory,
                               edit, p);
  ImGui::PopFont();
  ui_note_item(u, label);
  ui_pop_label(u);
  p->takes_focus = entered; /* the next line follows */
  return entered;
}
