/* The widgets; each has its own id, and notes its position. */
#include "host/ui/ui_state.hpp"

#include "base/text.h"

#include <cfloat>
#include <cmath>
#include <cstdio>

/* Wrapped text is drawn as one piece, and each character takes four of the 65,536 vertices that a piece may have. */
static const char *end_of_shown(const char *text) {
  enum { SHOWN = 16000 };
  size_t size = 0;
  while (size < SHOWN && text[size]) size++;
  while (size > 0 && text[size] && (text[size] & 0xC0) == 0x80) size--; /* not inside of a character */
  return text + size;
}

void ui_label(ui *u, const char *text) {
  if (!text || !ui_ready(u)) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text, end_of_shown(text));
  ui_note_item(u, text);
  ImGui::PopTextWrapPos();
}

void ui_begin_off(ui *u) {
  if (ui_ready(u)) ImGui::BeginDisabled();
}

void ui_end_off(ui *u) {
  if (ui_ready(u)) ImGui::EndDisabled();
}

void ui_separator(ui *u) {
  if (!ui_ready(u)) return;
  ImGui::Spacing();
  ImGui::Separator();
  ImGui::Spacing();
}

/* A button goes beside the previous one if there is room. */
static void flow(ui *u, const char *label) {
  const ImGuiStyle &style = ImGui::GetStyle();
  float width = ImGui::CalcTextSize(label, nullptr, true).x + 2 * style.FramePadding.x + style.ItemSpacing.x;
  float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  if (u->after_button == ImGui::GetCursorScreenPos().y && u->last_item[2] + width <= right) ImGui::SameLine();
}

bool ui_button(ui *u, const char *label) {
  if (!label || !ui_ready(u)) return false;
  flow(u, label);
  ui_push_label(u, label);
  bool pressed = ImGui::Button(label);
  ui_note_item(u, label);
  ui_pop_label(u);
  u->after_button = ImGui::GetCursorScreenPos().y;
  return pressed;
}

bool ui_checkbox(ui *u, const char *label, bool *value) {
  if (!label || !ui_ready(u)) return false;
  ui_push_label(u, label);
  bool changed = ImGui::Checkbox(label, value);
  ui_note_item(u, label);
  ui_pop_label(u);
  return changed;
}

/* Shows a thousandth of the range, because dragging rounds to the digits shown. */
static const char *format_for(float range) {
  return range >= 500 ? "%.0f" : range >= 50 ? "%.1f" : range >= 2 ? "%.2f" : "%.3f";
}

static float bound(float value, float otherwise) {
  if (!std::isfinite(value)) return otherwise;
  return value > 1e30f ? 1e30f : value < -1e30f ? -1e30f : value;
}

bool ui_slider(ui *u, const char *label, float *value, float minimum, float maximum) {
  if (!label || !ui_ready(u)) return false;
  float low = bound(minimum, 0), high = bound(maximum, 1), chosen = bound(*value, low);
  ui_push_label(u, label);
  bool changed =
      ImGui::SliderFloat(label, &chosen, low, high, format_for(std::fabs(high - low)), ImGuiSliderFlags_AlwaysClamp);
  ui_note_item(u, label);
  ui_pop_label(u);
  if (changed) *value = chosen;
  return changed;
}

static bool list_rows(ui *u, const char *const *items, int count, int *chosen) {
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
      ui_note_item(u, items[i] ? items[i] : "");
      ImGui::PopID();
    }
  }
  return changed;
}

bool ui_list(ui *u, const char *label, const char *const *items, int count, int *chosen) {
  enum { ROWS_SHOWN = 8 };
  if (!label || count < 0 || !ui_ready(u)) return false;
  ui_push_label(u, label);
  if (label[0]) ImGui::TextDisabled("%s", label);
  int rows = count < 1 ? 1 : count < ROWS_SHOWN ? count : ROWS_SHOWN;
  float height = float(rows) * ImGui::GetTextLineHeightWithSpacing() + ImGui::GetStyle().FramePadding.y * 2;
  bool changed = false;
  if (ImGui::BeginListBox("##list", ImVec2(-1, height))) {
    changed = list_rows(u, items, count, chosen);
    ImGui::EndListBox();
  }
  ui_note_item(u, label);
  ui_pop_label(u);
  return changed;
}

/* ---- tables ---- */

static void table_titles(ui *u, const sinew_table *t, int *sort) {
  if (t->picture) ImGui::TableSetupColumn("", ImGuiTableColumnFlags_NoSort | ImGuiTableColumnFlags_WidthFixed);
  for (int i = 0; i < t->columns; i++) {
    ImGuiTableColumnFlags flags = ImGuiTableColumnFlags_WidthFixed;
    if (i + 1 == std::abs(*sort)) flags |= ImGuiTableColumnFlags_DefaultSort;
    if (i + 1 == -*sort) flags |= ImGuiTableColumnFlags_PreferSortDescending;
    ImGui::TableSetupColumn(t->titles[i], flags);
  }
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (int i = 0; i < t->columns + (t->picture ? 1 : 0); i++) {
    ImGui::TableSetColumnIndex(i);
    ImGui::TableHeader(ImGui::TableGetColumnName(i));
    ui_note_item(u, ImGui::TableGetColumnName(i));
  }
  ImGuiTableSortSpecs *specs = ImGui::TableGetSortSpecs();
  if (!specs || !specs->SpecsDirty || specs->SpecsCount < 1) return;
  int column = specs->Specs[0].ColumnIndex - (t->picture ? 1 : 0) + 1;
  *sort = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending ? -column : column;
  specs->SpecsDirty = false;
}

static void table_picture(const sinew_table *t, int row, float size) {
  sinew_picture_part part = t->picture(t->user, row);
  ImGui::TableNextColumn();
  if (part.picture == 0) ImGui::Dummy(ImVec2(size, size));
  else
    ImGui::Image(reinterpret_cast<ImTextureID>(static_cast<uintptr_t>(part.picture)), ImVec2(size, size),
                 ImVec2(part.low[0], part.low[1]), ImVec2(part.high[0], part.high[1]));
}

static bool table_row(ui *u, const sinew_table *t, int row, int *chosen) {
  float size = t->picture ? t->picture_size * u->scale : 0;
  bool clicked = false;
  ImGui::TableNextRow();
  ImGui::PushID(row);
  if (t->picture) table_picture(t, row, size);
  for (int i = 0; i < t->columns; i++) {
    const char *text = t->cell(t->user, row, i);
    ImGui::TableNextColumn();
    if (i == 0) {
      clicked = ImGui::Selectable(text, row == *chosen, ImGuiSelectableFlags_SpanAllColumns, ImVec2(0, size));
      ui_note_item(u, text);
    } else {
      ImGui::TextUnformatted(text);
    }
  }
  ImGui::PopID();
  if (clicked) *chosen = row;
  return clicked;
}

/* A panel along the lower edge, beside the others and above the line of help. */
static void begin_table_panel(ui *u, const char *title) {
  ImVec2 size = ImGui::GetIO().DisplaySize;
  float edge = std::round(8 * u->scale), left = ui_panel_width(u) + std::round(20 * u->scale),
        height = std::round(size.y * 0.34f);
  float width = std::fmin(std::round(880 * u->scale), std::fmax(size.x - left - edge, 80 * u->scale));
  ImGui::SetNextWindowPos(ImVec2(left, size.y - height - std::round(30 * u->scale)), ImGuiCond_Once);
  ImGui::SetNextWindowSize(ImVec2(width, height), ImGuiCond_Once);
  ImGui::Begin(title, nullptr, ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  if (ImGui::GetWindowPos().y > size.y / 2) u->table_top = ImGui::GetWindowPos().y;
}

/* Scrolls to a row that was chosen by a key. */
static void table_scroll(const ui *u, const sinew_table *t, int chosen) {
  int *shown = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("chosen"), -1);
  float size = t->picture ? t->picture_size * u->scale : ImGui::GetTextLineHeight();
  float height = size + 2 * ImGui::GetStyle().CellPadding.y, top = height * float(chosen);
  float seen = std::fmax(ImGui::GetWindowHeight() - 2 * height, 0.0f), scroll = ImGui::GetScrollY();
  if (chosen != *shown && chosen >= 0 && (top < scroll || top > scroll + seen)) ImGui::SetScrollY(top - seen / 2);
  *shown = chosen;
}

bool ui_table(ui *u, const char *title, const sinew_table *t, int *chosen, int *sort) {
  const ImGuiTableFlags flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate | ImGuiTableFlags_ScrollY |
                                ImGuiTableFlags_ScrollX | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                                ImGuiTableFlags_BordersInnerV;
  if (!title || !title[0] || t->columns < 1 || t->columns > 32 || t->rows < 0 || !ui_ready(u)) return false;
  bool changed = false;
  begin_table_panel(u, title);
  if (ImGui::BeginTable("##table", t->columns + (t->picture ? 1 : 0), flags)) {
    table_titles(u, t, sort);
    table_scroll(u, t, *chosen);
    ImGuiListClipper clipper;
    clipper.Begin(t->rows);
    while (clipper.Step())
      for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; row++)
        changed = table_row(u, t, row, chosen) || changed;
    ImGui::EndTable();
  }
  ImGui::End();
  return changed;
}

/* ---- values ---- */

bool ui_drag(ui *u, const char *label, float *value, float step, float minimum, float maximum) {
  if (!label || !ui_ready(u)) return false;
  float low = bound(minimum, -1e30f), high = bound(maximum, 1e30f), chosen = bound(*value, 0);
  float by = std::isfinite(step) && step > 0 ? step : 0.01f;
  ui_push_label(u, label);
  bool changed = ImGui::DragFloat(label, &chosen, by, low, high, "%.3g", ImGuiSliderFlags_AlwaysClamp);
  ui_note_item(u, label);
  ui_pop_label(u);
  if (changed) *value = chosen;
  return changed;
}

bool ui_combo(ui *u, const char *label, const char *const *items, int count, int *chosen) {
  if (!label || count < 0 || !ui_ready(u)) return false;
  const char *shown = *chosen >= 0 && *chosen < count && items[*chosen] ? items[*chosen] : "";
  bool changed = false;
  ui_push_label(u, label);
  bool open = ImGui::BeginCombo(label, shown);
  ui_note_item(u, label);
  if (open) {
    changed = list_rows(u, items, count, chosen);
    ImGui::EndCombo();
  }
  ui_pop_label(u);
  return changed;
}

bool ui_pick_color(ui *u, const char *label, float rgb[3]) {
  if (!label || !ui_ready(u)) return false;
  float chosen[3] = {bound(rgb[0], 0), bound(rgb[1], 0), bound(rgb[2], 0)};
  ui_push_label(u, label);
  bool changed = ImGui::ColorEdit3(label, chosen, ImGuiColorEditFlags_Float);
  ui_note_item(u, label);
  ui_pop_label(u);
  for (int i = 0; changed && i < 3; i++) rgb[i] = chosen[i];
  return changed;
}

/* ---- pictures of values ---- */

void ui_plot(ui *u, const char *label, const float *values, int count, float minimum, float maximum) {
  if (!label || count < 0 || !ui_ready(u)) return;
  ui_push_label(u, label);
  float low = std::isfinite(minimum) ? minimum : FLT_MAX, high = std::isfinite(maximum) ? maximum : FLT_MAX;
  ImGui::PlotLines(label, values, count, 0, nullptr, low, high, ImVec2(0, std::round(48 * u->scale)));
  ui_note_item(u, label);
  ui_pop_label(u);
}

void ui_bar(ui *u, const char *label, float fraction) {
  char text[32];
  if (!label || !ui_ready(u)) return;
  float shown = fraction > 0 ? (fraction < 1 ? fraction : 1) : 0;
  text_format(text, sizeof text, "%.0f %%", 100 * double(std::isfinite(fraction) ? fraction : 0));
  ImGui::ProgressBar(shown, ImVec2(ImGui::CalcItemWidth(), ImGui::GetFrameHeight()), text);
  ui_note_item(u, text);
  ui_note_item(u, label);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
}

/* Lists the names of the marks under the mouse. */
static void name_marks(const sinew_timeline *line, float left, float width) {
  float mouse = ImGui::GetIO().MousePos.x;
  for (int i = 0; i < line->mark_count; i++) {
    float x = left + width * float(line->marks[i].time / line->duration);
    if (std::fabs(x - mouse) < 5 && line->marks[i].name)
      ImGui::SetTooltip("%s  %.3f s", line->marks[i].name, line->marks[i].time);
  }
}

static void draw_timeline(const ui *u, const sinew_timeline *line, float time, ImVec2 low, ImVec2 high) {
  ImDrawList *list = ImGui::GetWindowDrawList();
  float width = high.x - low.x, at = low.x + width * time / float(line->duration), thin = std::round(u->scale);
  bool is_held = ImGui::IsItemActive() || ImGui::IsItemHovered();
  list->AddRectFilled(low, high, ImGui::GetColorU32(is_held ? ImGuiCol_FrameBgHovered : ImGuiCol_FrameBg), 4 * thin);
  list->AddRectFilled(low, ImVec2(at, high.y), IM_COL32(242, 166, 90, 60), 4 * thin);
  for (int i = 0; i < line->mark_count; i++) {
    float x = std::round(low.x + width * float(line->marks[i].time / line->duration));
    list->AddRectFilled(ImVec2(x - thin, low.y), ImVec2(x + thin, high.y),
                        line->marks[i].sync ? IM_COL32(120, 220, 255, 220) : IM_COL32(250, 224, 120, 220));
  }
  list->AddRectFilled(ImVec2(at - thin, low.y - thin), ImVec2(at + thin, high.y + thin), IM_COL32(255, 255, 255, 235));
}

/* A bar as wide as other widgets: a press sets the time, and a drag moves it. */
bool ui_timeline(ui *u, const char *label, const sinew_timeline *line, double *time) {
  char text[64];
  if (!label || !(line->duration > 0) || !std::isfinite(line->duration) || !ui_ready(u)) return false;
  ui_push_label(u, label);
  ImVec2 low = ImGui::GetCursorScreenPos(), size(ImGui::CalcItemWidth(), ImGui::GetFrameHeight());
  ImGui::InvisibleButton(label[0] ? label : "##timeline", size);
  ui_note_item(u, label);
  bool changed = ImGui::IsItemActive();
  double fraction = double((ImGui::GetIO().MousePos.x - low.x) / size.x);
  if (changed) *time = (fraction > 0 ? fraction < 1 ? fraction : 1 : 0) * line->duration;
  double shown = *time > 0 ? *time < line->duration ? *time : line->duration : 0;
  draw_timeline(u, line, float(shown), low, ImVec2(low.x + size.x, low.y + size.y));
  if (ImGui::IsItemHovered()) name_marks(line, low.x, size.x);
  ui_pop_label(u);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  text_format(text, sizeof text, "%.2f / %.2f s", shown, line->duration);
  ImVec2 room = ImGui::CalcTextSize(text);
  ImGui::GetWindowDrawList()->AddText(
      ImVec2(std::round(low.x + (size.x - room.x) / 2), std::round(low.y + (size.y - room.y) / 2)),
      ImGui::GetColorU32(ImGuiCol_Text), text);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  return changed;
}

/* ---- nested widgets ---- */

/* Six tabs fit side by side in a region of the initial size. */
static void push_narrow_tabs() {
  ImVec2 padding = ImGui::GetStyle().FramePadding, apart = ImGui::GetStyle().ItemInnerSpacing;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(std::round(padding.x / 2), padding.y));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing, ImVec2(std::round(apart.x / 2), apart.y));
}

bool ui_begin_tabs(ui *u, const char *label) {
  if (!label || !ui_ready(u)) return false;
  ui_push_label(u, label);
  push_narrow_tabs();
  bool shown = u->depth < SCOPES && ImGui::BeginTabBar("##tabs");
  ImGui::PopStyleVar(2);
  if (shown) return ui_open_scope(u, SCOPE_TABS);
  ui_pop_label(u);
  return false;
}

void ui_end_tabs(ui *u) {
  if (u->in_frame) ui_close_scope(u, SCOPE_TABS);
}

bool ui_begin_tab(ui *u, const char *label) {
  bool in_tabs = u->depth > 0 && u->depth < SCOPES && u->scopes[u->depth - 1] == SCOPE_TABS;
  if (!label || !in_tabs || !ui_ready(u)) return false;
  push_narrow_tabs();
  bool open = ImGui::BeginTabItem(label[0] ? label : "##tab");
  ImGui::PopStyleVar(2);
  ui_note_item(u, label);
  return open && ui_open_scope(u, SCOPE_TAB);
}

void ui_end_tab(ui *u) {
  if (u->in_frame) ui_close_scope(u, SCOPE_TAB);
}

bool ui_begin_tree(ui *u, const char *label, bool open) {
  if (!label || !ui_ready(u) || u->depth == SCOPES) return false;
  ui_push_label(u, label);
  bool shown = ImGui::TreeNodeEx(label[0] ? label : "##tree", open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  ui_note_item(u, label);
  if (shown) return ui_open_scope(u, SCOPE_TREE);
  ui_pop_label(u);
  return false;
}

void ui_end_tree(ui *u) {
  if (u->in_frame) ui_close_scope(u, SCOPE_TREE);
}

/* ---- rows to choose from, indented like a tree ---- */

int ui_rows(ui *u, const ui_rows_job *job) {
  if (!ui_ready(u)) return -1;
  std::vector<ui_row> rows;
  ui_row row;
  while (job->row(job->user, int(rows.size()), &row)) rows.push_back(row);
  int clicked = -1, position = -1;
  for (size_t i = 0; i < rows.size(); i++)
    if (rows[i].value == job->chosen) position = int(i);
  ImGui::BeginChild("rows", ImVec2(0, ImGui::GetContentRegionAvail().y * job->fraction), false, ImGuiWindowFlags_NoNav);
  int *shown = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("chosen"), -1);
  float height = ImGui::GetTextLineHeightWithSpacing();
  if (position >= 0 && *shown != job->chosen)
    ImGui::SetScrollY(height * float(position) - ImGui::GetWindowHeight() / 2);
  *shown = job->chosen;
  ImGuiListClipper clipper;
  clipper.Begin(int(rows.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
      const ui_row &r = rows[size_t(i)];
      float indent = 10 * u->scale * float(r.depth);
      if (indent > 0) ImGui::Indent(indent);
      ImGui::PushID(r.value);
      if (ImGui::Selectable(r.text, r.value == job->chosen)) clicked = r.value;
      ui_note_item(u, r.text);
      ImGui::PopID();
      if (indent > 0) ImGui::Unindent(indent);
    }
  ImGui::EndChild();
  return clicked;
}
