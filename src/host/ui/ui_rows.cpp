/* Rows to choose from, indented like a tree. */
#include "host/ui/ui_state.hpp"

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
