#include "level/bvh.h"

#include "base/memory/memory.h"

#include <string.h>

enum { bins = 12, deepest = 48, deepest_by_area = 24, stack_size = (BVH_WIDE - 1) * deepest + BVH_WIDE };

typedef struct box {
  float low[3], high[3];
} box;

/* What the builder knows of a triangle. */
typedef struct item {
  box bounds;
  float centre[3];
  int triangle;
} item;

typedef struct range {
  int first, count;
  box bounds;
} range;

static const box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void box_take(box *b, const box *other) {
  for (int k = 0; k < 3; k++) {
    if (other->low[k] < b->low[k]) b->low[k] = other->low[k];
    if (other->high[k] > b->high[k]) b->high[k] = other->high[k];
  }
}

static float box_area(const box *b) {
  float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
  return x >= 0 ? x * y + y * z + z * x : 0;
}

static item item_of(const triangle *t, int index) {
  const float corner[3][3] = {{t->a.x, t->a.y, t->a.z}, {t->b.x, t->b.y, t->b.z}, {t->c.x, t->c.y, t->c.z}};
  item it = {nothing, {0}, index};
  for (int i = 0; i < 3; i++) {
    box point;
    memcpy(point.low, corner[i], sizeof point.low), memcpy(point.high, corner[i], sizeof point.high);
    box_take(&it.bounds, &point);
  }
  for (int k = 0; k < 3; k++) it.centre[k] = 0.5f * (it.bounds.low[k] + it.bounds.high[k]);
  return it;
}

static range range_of(const item *items, int first, int count) {
  range r = {first, count, nothing};
  for (int i = first; i < first + count; i++) box_take(&r.bounds, &items[i].bounds);
  return r;
}

/* ---- splitting: by the surface area heuristic with bins (Wald 2007) ------------------------------------------ */

typedef struct plane {
  int axis;
  float low, scale; /* the bin of a centre is (centre − low) · scale */
  int bin;          /* the first on the far side */
} plane;

static int bin_of(const plane *p, const item *it) {
  int bin = (int)((it->centre[p->axis] - p->low) * p->scale);
  return bin < 0 ? 0 : bin >= bins ? bins - 1 : bin;
}

/* The cheapest plane of one axis: lowers *least. */
static void try_axis(const item *items, const range *r, const box *centres, int axis, float *least, plane *best) {
  float length = centres->high[axis] - centres->low[axis];
  if (!(length > 0)) return;
  plane p = {axis, centres->low[axis], bins / length * 0.9999f, 0};
  box boxes[bins], far = nothing;
  int counts[bins] = {0}, near_count = 0;
  float far_cost[bins];
  for (int b = 0; b < bins; b++) boxes[b] = nothing;
  for (int i = r->first; i < r->first + r->count; i++) {
    int b = bin_of(&p, &items[i]);
    counts[b]++, box_take(&boxes[b], &items[i].bounds);
  }
  for (int b = bins - 1, count = 0; b > 0; b--) {
    count += counts[b], box_take(&far, &boxes[b]);
    far_cost[b] = box_area(&far) * (float)count;
  }
  box close = nothing;
  for (p.bin = 1; p.bin < bins; p.bin++) {
    near_count += counts[p.bin - 1], box_take(&close, &boxes[p.bin - 1]);
    float cost = box_area(&close) * (float)near_count + far_cost[p.bin];
    if (near_count > 0 && near_count < r->count && cost < *least) *least = cost, *best = p;
  }
}

static int partition(item *items, const range *r, const plane *p) {
  int first = r->first, last = r->first + r->count - 1;
  while (first <= last) {
    if (bin_of(p, &items[first]) < p->bin) first++;
    else {
      item other = items[first];
      items[first] = items[last], items[last--] = other;
    }
  }
  return first - r->first;
}

/* Into two parts, neither of them empty; by halves of the list where no plane divides it or the tree gets too deep. */
static void split(item *items, const range *r, int depth, range *left, range *right) {
  int count = r->count / 2;
  if (depth < deepest_by_area) {
    box centres = nothing;
    for (int i = r->first; i < r->first + r->count; i++) {
      box point;
      memcpy(point.low, items[i].centre, sizeof point.low), memcpy(point.high, items[i].centre, sizeof point.high);
      box_take(&centres, &point);
    }
    float least = INFINITY;
    plane best = {0};
    for (int axis = 0; axis < 3; axis++) try_axis(items, r, &centres, axis, &least, &best);
    if (best.bin) count = partition(items, r, &best);
  }
  *left = range_of(items, r->first, count), *right = range_of(items, r->first + count, r->count - count);
}

/* ---- building ------------------------------------------------------------------------------------------------ */

static void set_box(bvh_boxes *boxes, int lane, const box *b) {
  for (int k = 0; k < 3; k++) boxes->low[k][lane] = b->low[k], boxes->high[k][lane] = b->high[k];
}

static int add_group(bvh *tree, const item *items, const range *r, const triangle *triangles) {
  bvh_group *group = &tree->groups[tree->group_count];
  for (int lane = 0; lane < BVH_WIDE; lane++) {
    bool used = lane < r->count;
    int index = used ? items[r->first + lane].triangle : -1;
    triangle t = used ? triangles[index] : (triangle){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    sinew_vec3 ab = vec3_sub(t.b, t.a), ac = vec3_sub(t.c, t.a);
    group->a[0][lane] = t.a.x, group->a[1][lane] = t.a.y, group->a[2][lane] = t.a.z;
    group->ab[0][lane] = ab.x, group->ab[1][lane] = ab.y, group->ab[2][lane] = ab.z;
    group->ac[0][lane] = ac.x, group->ac[1][lane] = ac.y, group->ac[2][lane] = ac.z;
    group->triangle[lane] = index;
    set_box(&group->boxes, lane, used ? &items[r->first + lane].bounds : &nothing);
  }
  return ~tree->group_count++;
}

static int add_node(bvh *tree, item *items, range r, const triangle *triangles, int depth);

static int add_child(bvh *tree, item *items, const range *r, const triangle *triangles, int depth) {
  return r->count <= BVH_WIDE ? add_group(tree, items, r, triangles) : add_node(tree, items, *r, triangles, depth + 1);
}

/* The range with the largest box that is more than a group is split, until there are eight. */
static int divide(item *items, range r, int depth, range ranges[BVH_WIDE]) {
  int count = 1;
  ranges[0] = r;
  while (count < BVH_WIDE) {
    int widest = -1;
    for (int i = 0; i < count; i++)
      if (ranges[i].count > BVH_WIDE && (widest < 0 || box_area(&ranges[i].bounds) > box_area(&ranges[widest].bounds)))
        widest = i;
    if (widest < 0) break;
    range whole = ranges[widest];
    split(items, &whole, depth, &ranges[widest], &ranges[count++]);
  }
  return count;
}

static int add_node(bvh *tree, item *items, range r, const triangle *triangles, int depth) {
  int index = tree->node_count++;
  range ranges[BVH_WIDE];
  int count = divide(items, r, depth, ranges);
  for (int lane = 0; lane < BVH_WIDE; lane++) {
    const box *b = lane < count ? &ranges[lane].bounds : &nothing;
    int child = lane < count ? add_child(tree, items, &ranges[lane], triangles, depth) : 0;
    set_box(&tree->nodes[index].boxes, lane, b);
    tree->nodes[index].child[lane] = child;
  }
  return index;
}

bool bvh_build(bvh *tree, const triangle *triangles, int count) {
  item *items = mem_alloc_array((size_t)count, sizeof *items);
  *tree = (bvh){mem_alloc_array((size_t)count, sizeof *tree->nodes),
                mem_alloc_array((size_t)count, sizeof *tree->groups), 0, 0};
  if (!items || !tree->nodes || !tree->groups) {
    mem_free(items), bvh_free(tree);
    return false;
  }
  for (int i = 0; i < count; i++) items[i] = item_of(&triangles[i], i);
  add_node(tree, items, range_of(items, 0, count), triangles, 0);
  mem_free(items);
  bvh_node *nodes = mem_resize(tree->nodes, (size_t)tree->node_count * sizeof *nodes);
  bvh_group *groups = mem_resize(tree->groups, (size_t)tree->group_count * sizeof *groups);
  if (nodes) tree->nodes = nodes;
  if (groups) tree->groups = groups;
  return true;
}

void bvh_free(bvh *tree) {
  mem_free(tree->nodes), mem_free(tree->groups);
  *tree = (bvh){0};
}

/* ---- visiting ------------------------------------------------------------------------------------------------ */

/* A direction of 0 would give 0 · INFINITY at a box's side. */
static float inverse_of(float x) { return 1 / (fabsf(x) > 1e-20f ? x : x < 0 ? -1e-20f : 1e-20f); }

static bvh_course course_of(sinew_vec3 from, sinew_vec3 way, sinew_vec3 extent) {
  const float at[3] = {from.x, from.y, from.z}, to[3] = {way.x, way.y, way.z},
              around[3] = {extent.x, extent.y, extent.z};
  bvh_course c;
  for (int k = 0; k < 3; k++) {
    c.inverse[k] = inverse_of(to[k]), c.from_above[k] = c.inverse[k] < 0;
    float ahead = c.from_above[k] ? -around[k] : around[k];
    c.enters[k] = at[k] + ahead, c.leaves[k] = at[k] - ahead;
  }
  return c;
}

typedef struct waiting {
  int child;
  float time;
} waiting;

/* Pushes those that are met, the nearest last. */
static int push(waiting *stack, int count, const bvh_node *node, const float times[BVH_WIDE]) {
  int first = count;
  for (int lane = 0; lane < BVH_WIDE; lane++) {
    if (times[lane] == INFINITY) continue;
    int at = count++;
    for (; at > first && stack[at - 1].time < times[lane]; at--) stack[at] = stack[at - 1];
    stack[at] = (waiting){node->child[lane], times[lane]};
  }
  return count;
}

void bvh_visit(const bvh *tree, sinew_vec3 from, sinew_vec3 way, sinew_vec3 extent, float *most, bvh_visitor *visit,
               void *user) {
  bvh_course c = course_of(from, way, extent);
  const level_kernels *kernels = level_kernels_current();
  waiting stack[stack_size];
  int count = 1;
  stack[0] = (waiting){0, 0};
  while (count > 0) {
    waiting next = stack[--count];
    if (next.time > *most) continue;
    if (next.child < 0) visit(user, &tree->groups[~next.child], &c, most);
    else {
      float times[BVH_WIDE];
      kernels->enter(&tree->nodes[next.child].boxes, &c, *most, times);
      count = push(stack, count, &tree->nodes[next.child], times);
    }
  }
}
