/* sinew/model.h – a character as it was imported: skeleton, clips, meshes, materials.
 *
 * A model is immutable and reference counted: sinew_model_load gives the first reference, retain adds one, release
 * drops one. All pointers and views that it hands out live as long as the model. Any thread may read it. */
#ifndef SINEW_MODEL_H
#define SINEW_MODEL_H

#include <sinew/math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinew_model sinew_model;
typedef struct sinew_clip sinew_clip;

/* ---- loading ---------------------------------------------------------------------------------------------- */

/* One joint of a clip file and the joint of the model that follows it. Names as the files have them; a namespace may be
 * left out ("Hips" names "mixamorig:Hips"). `ours` NULL or "": their joint moves nothing. */
typedef struct sinew_joint_pair {
  const char *theirs, *ours;
} sinew_joint_pair;

/* An edit of one clip, made before the model is built. The first edit of a clip changes the clip; each further edit of
 * the same clip adds another one, so that a long take can be cut into several clips. */
typedef struct sinew_clip_edit {
  const char *clip; /* its name in its file, or "#2": the third of all before any edit, the model's own first */
  const char *name; /* a new name; NULL keeps the old one */
  /* Seconds from the clip's beginning: what lies outside is cut off, and the rest begins at 0. 0 <= from < to; `to` may
   * be INFINITY: the clip's end. Exact: the curves are split, not sampled. */
  double from, to;
  bool reverse; /* runs backwards */
  /* Makes the clip loop: the difference between its last moment and its first is spread over its length. The travel of
   * the topmost moving joint is kept. */
  bool loop;
  /* Left and right exchanged, by the joints' names and those of morph targets: as sinew_mirror does with its poses. A
   * model without such names is refused. */
  bool mirror;
} sinew_clip_edit;

/* The whole clip under its own name; `clip` is NULL and must be set. */
SINEW_API sinew_clip_edit sinew_clip_edit_default(void);

typedef struct sinew_file_bytes {
  const void *data;
  size_t size;
  void *owner; /* for `release`; NULL unless `read` sets it */
} sinew_file_bytes;

/* Files that a program reads itself: out of an archive, a network, its own memory. */
typedef struct sinew_file_reader {
  /* The bytes of the file at `path`, which stay until `release`; false if there is none. `path` is that of the model
   * or of a clip file as given, or begins with the folder of one of these: a model names files in its own folder
   * and below only, with '/' between folders and neither "." nor "..". NULL reads from the disk.
   * Called by another thread than the one that loads, one call at a time for each load. */
  bool (*read)(void *user, const char *path, sinew_file_bytes *bytes);
  void (*release)(void *user, const sinew_file_bytes *bytes); /* NULL: there is nothing to release */
  void *user;                                                 /* must live until the load has ended */
} sinew_file_reader;

/* The ways to fit clips of another file to the model (docs/retargeting.md). */
typedef enum sinew_retarget_mode {
  SINEW_RETARGET_AUTO, /* copied if the rig is the same, otherwise fitted */
  SINEW_RETARGET_COPY, /* curves as they are, joint by joint, whatever the rigs: lengths times one factor */
  SINEW_RETARGET_FIT,  /* every pose computed again for the model's rest pose and proportions */
  SINEW_RETARGET_RAW   /* as AUTO, but legs of other proportions turn as theirs do, wherever that puts their feet */
} sinew_retarget_mode;

/* A role by its name ("left_foot": sinew_role_name) and the joint that has it. */
typedef struct sinew_joint_role {
  const char *role, *joint;
} sinew_joint_role;

typedef struct sinew_load_options {
  /* Further files whose clips join the model's. UTF-8 paths, or patterns as sinew_find_files takes them. Their joints
   * are matched with the model's by `map`, by name, and by what a person's joints are called elsewhere, and other rest
   * poses and proportions are corrected (docs/retargeting.md); sinew_model_clip_file gives the result, and
   * sinew_clip_fit how well each clip fits. The only clip of a file is called after the file, and so is one whose name
   * says nothing or is taken (docs/formats.md). */
  const char *const *clip_files;
  int clip_file_count;
  /* Skip, with a note, a clip file without clips or without a joint of the model's. By default that is an error, except
   * for files found by a pattern. */
  bool skip_unfit_clip_files;
  sinew_retarget_mode retarget; /* of all clip files */
  /* Pairs joints of the clip files with joints of the model, before any other rule. A name that occurs in no clip file,
   * or not in the model, is an error. */
  const sinew_joint_pair *map;
  int map_count;
  const sinew_clip_edit *edits; /* in this order */
  int edit_count;
  /* For a model file whose own settings are wrong or missing: metres in one of its units (0: as the file says), and
   * which of its axes points up, "+y", "-z", … (NULL: as the file says). "+z" turns about x, so that -y becomes the
   * front. */
  double unit;
  const char *up;
  /* For a character that does not face +z, as Sinew expects (sinew_model_front): the axis that it faces once y is up,
   * "-z", "+x" or "-x". The model is rotated about y. NULL: as the file says. */
  const char *front;
  /* The roles of joints, where names, tree, mesh and clips do not tell them. An unknown role is an error. A joint that
   * does not exist or has two roles, a side without the other, and sides that are exchanged are left out with a note. */
  const sinew_joint_role *roles;
  int role_count;
  /* Keep the file's own units, axes and tree: no conversion to metres and y up. */
  bool raw;
  /* Influences kept per vertex: 4 or 8. The strongest are kept and renormalised. A mesh that never uses more than
   * four is stored with four either way. */
  int max_influences;
  /* Keep clips in floats. By default they are stored in integers of 8 and 16 bits that keep every point close to its
   * position (sinew_clip_error gives the largest error). */
  bool exact;
  /* The largest error, in metres, of any point of the model in a clip, skin included. 0: 5e-5 of the model's size,
   * about 0.1 mm for a person. Between 1e-9 and 1. */
  double tolerance;
  /* Import in this process. By default a program of its own, `sinew-import` beside the running executable, reads the
   * file under limits of memory and time, so that a hostile or broken file ends that program and not this one. If that
   * program is missing, the import happens in process either way. $SINEW_IMPORT overrides this: "in-process", or the
   * path of a program like it. */
  bool in_process;
  /* Bypass the user's cache: neither read the model from it nor store it there. */
  bool no_cache;
  /* Reads all files of this load instead of the disk. There is no cache then, and sinew_model_source has no paths. */
  sinew_file_reader reader;
} sinew_load_options;

/* Writes the single-valued options that the model depends on as text, "unit=… up=… ": equal values give equal text.
 * Returns the whole text's length; at most `size` bytes are written, the terminating zero included. */
SINEW_API int sinew_load_options_text(const sinew_load_options *options, char *out, int size);

SINEW_API sinew_load_options sinew_load_options_default(void);

/* Calls `each` for every model file that a pattern names, in the order of their paths, and returns how many there are:
 * '*' stands for any letters of a name, '?' for one, and "**" for any folders; upper and lower case are alike, hidden
 * files and links to folders are passed over. The path of a folder means all files in it, and any other path without
 * these letters itself, whether there is a file or not. -1 when memory runs out or more than SINEW_FIND_MOST match. */
enum { SINEW_FIND_MOST = 1024 };
SINEW_API int sinew_find_files(const char *pattern, void (*each)(void *user, const char *path), void *user);

/* Loads any file that Assimp reads (in process: glTF and FBX only), and cooked files (.sinew; of the options only `raw`
 * and `clip_files` matter there, and are refused). NULL options mean the defaults. NULL and an error message on
 * failure: a missing, empty, truncated or foreign file, or one that breaks a rule of the format. A file that was
 * imported before comes from the user's cache (see below). */
SINEW_API sinew_model *sinew_model_load(const char *path, const sinew_load_options *options, sinew_error *error);

/* The same from memory. `path` is the model's name: its extension determines the format (".glb", ".sinew", …), error
 * messages begin with it, and options->reader reads files that the model names, at paths beside it; without a reader
 * there are none. The bytes are copied. */
SINEW_API sinew_model *sinew_model_load_memory(const char *path, const void *data, size_t size,
                                               const sinew_load_options *options, sinew_error *error);

/* Loading without waiting: begin, poll once in each frame, end. The work is done by `sinew-import` (see in_process);
 * if that program is missing, or for a cooked file, begin does all of it before it returns. */
typedef struct sinew_load sinew_load;
typedef enum sinew_load_state { SINEW_LOAD_RUNNING, SINEW_LOAD_DONE, SINEW_LOAD_FAILED } sinew_load_state;

/* Copies what it needs of `options`. NULL and an error message when memory runs out or an option is wrong; poll reports
 * what is wrong with the file. */
SINEW_API sinew_load *sinew_load_begin(const char *path, const sinew_load_options *options, sinew_error *error);
SINEW_API sinew_load *sinew_load_begin_memory(const char *path, const void *data, size_t size,
                                              const sinew_load_options *options, sinew_error *error);
/* Returns at once. DONE: the first such call gives the caller a reference in *model, later ones give NULL. FAILED:
 * `error` has the message. */
SINEW_API sinew_load_state sinew_load_poll(sinew_load *load, sinew_model **model, sinew_error *error);
/* Frees the load; one that is still running is cancelled. NULL is allowed. */
SINEW_API void sinew_load_end(sinew_load *load);

/* A stand-in for a model that is still loading: it has the virtual root and nothing else. NULL and an error message
 * when memory runs out. */
SINEW_API sinew_model *sinew_model_placeholder(const char *path, sinew_error *error);

SINEW_API sinew_model *sinew_model_retain(sinew_model *model);
SINEW_API void sinew_model_release(sinew_model *model); /* NULL is allowed */

/* The path it was loaded from, as given. */
SINEW_API const char *sinew_model_path(const sinew_model *model);

/* Absolute paths of the files that the import opened, and of those that it looked for and did not find: when one of
 * them changes, loading again may give another model. There are none for a cooked file, or if memory ran out. */
SINEW_API int sinew_model_source_count(const sinew_model *model);
SINEW_API const char *sinew_model_source(const sinew_model *model, int index);

/* Notes: one sentence for each thing that the import repaired, dropped or guessed. */
SINEW_API int sinew_model_note_count(const sinew_model *model);
SINEW_API const char *sinew_model_note(const sinew_model *model, int index);

/* ---- clips from other files: which joint follows which -------------------------------------------------------- */

typedef enum sinew_match_kind {
  SINEW_MATCH_NONE, /* no joint was found */
  SINEW_MATCH_MAP,  /* the options' map says so */
  SINEW_MATCH_NAME, /* the same name, namespaces aside */
  SINEW_MATCH_GUESS /* the same part of a body, or the same name in another spelling */
} sinew_match_kind;

/* A joint of the clip file, and the one of the model that follows it. */
typedef struct sinew_joint_match {
  const char *theirs;
  int32_t joint; /* -1: none */
  int32_t kind;  /* sinew_match_kind */
} sinew_joint_match;

/* The result for one clip file. Joints that its clips do not move are not listed. */
typedef struct sinew_clip_file_view {
  const char *path;                 /* a file's; of a pattern each has its own */
  const sinew_joint_match *matches; /* match_count, in the file's order */
  int match_count;
  /* `scale` multiplies the file's lengths. `corrected`: the skeletons differ, so its clips were recomputed. */
  float scale;
  bool corrected;
} sinew_clip_file_view;

SINEW_API int sinew_model_clip_file_count(const sinew_model *model);
SINEW_API sinew_clip_file_view sinew_model_clip_file(const sinew_model *model, int index);

/* ---- cooked files and the cache --------------------------------------------------------------------------- */

/* Writes the model as one cooked file, which loads without an importer: it is read, checked and used in place. `path`
 * has the extension .sinew. Reading one needs the same byte order, pointer size and cooked version (docs/formats.md).
 */
SINEW_API bool sinew_model_cook(const sinew_model *model, const char *path, sinew_error *error);

/* cook_memory makes the same bytes in memory: it calls `take` once, with all of them, and frees them when that returns.
 * False and an error message when memory runs out. load_cooked makes a model from such bytes, which are copied; `path`
 * becomes its path. */
SINEW_API bool sinew_model_cook_memory(const sinew_model *model,
                                       void (*take)(void *user, const void *bytes, size_t size), void *user,
                                       sinew_error *error);
SINEW_API sinew_model *sinew_model_load_cooked(const char *path, const void *bytes, size_t size, sinew_error *error);

/* Imported models are kept, cooked, in $SINEW_CACHE, else $XDG_CACHE_HOME/sinew, else ~/.cache/sinew; SINEW_CACHE=off
 * switches that off. A model whose files have changed since is imported again. The folder is held to $SINEW_CACHE_LIMIT
 * megabytes (2^20 bytes; default 1,024) by deleting the least recently used entries. */
typedef struct sinew_cache_entry {
  const char *source; /* the model's absolute path */
  uint64_t bytes;
  int64_t used; /* seconds since 1970 */
} sinew_cache_entry;

/* False, and an empty text, if the cache is off. The folder need not be there. */
SINEW_API bool sinew_cache_folder(char *folder, size_t size);
SINEW_API uint64_t sinew_cache_limit(void); /* bytes */
/* Calls `each` (which may be NULL) for every entry, the least recently used first. Returns their number. */
SINEW_API int sinew_cache_list(void (*each)(void *user, const sinew_cache_entry *entry), void *user);
/* Removes every entry. Returns how many there were. */
SINEW_API int sinew_cache_clear(void);

/* ---- the importer and its confinement ---------------------------------------------------------- */

/* docs/safety.md explains the purpose of each of these. */
typedef struct sinew_importer {
  bool is_separate;  /* a separate process, sinew-import, imports files under limits */
  bool limits_calls; /* it may compute and ask for files, nothing else (seccomp) */
  bool limits_files; /* it could not open files even if calls were not limited (Landlock) */
} sinew_importer;

/* The protection that is in force on this machine. Starts sinew-import once, which takes a few milliseconds. */
SINEW_API sinew_importer sinew_importer_check(void);

/* ---- skeleton --------------------------------------------------------------------------------------------- */

/* Every node of the file is a joint, so that meshes, attachments and cameras can hang anywhere. Joints are stored
 * breadth first, siblings next to each other, a parent always before its children. Joint 0 is a virtual root that
 * no file holds: it carries the conversion to metres and y up, has an empty name and the parent -1; every other
 * joint has a parent >= 0, so several trees need no special case. */
SINEW_API int sinew_model_joint_count(const sinew_model *model);
SINEW_API const char *sinew_model_joint_name(const sinew_model *model, int joint);
SINEW_API int sinew_model_joint_parent(const sinew_model *model, int joint);
/* The joint's index in the file's own node order (as the file numbers them, else depth first); -1 for the virtual root
 * and for helpers: nameless joints that the import adds above a joint whose transform needs more than one T·R·S (shear,
 * FBX pivots). */
SINEW_API int sinew_model_joint_file_index(const sinew_model *model, int joint);
/* The rest (bind) transform, relative to the parent. */
SINEW_API sinew_transform sinew_model_joint_rest(const sinew_model *model, int joint);
/* The joint with that name, or -1. An exact name comes before one without its namespace ("mixamorig:Hips" is found as
 * "Hips" if no joint has that name). If several joints have the name, one that a skin uses is preferred, then one
 * that has no mesh, then the first. A path names the others: "Body/Head" is the Head below Body, directly if
 * possible, else with other joints between them, and "/Head" is the one without a parent. */
SINEW_API int sinew_model_find_joint(const sinew_model *model, const char *name);
/* The shortest text by which sinew_model_find_joint finds exactly this joint: its name if that is enough, else preceded
 * by as many ancestors as necessary, "Neck/Head". False if there is none (the joint has no name, or siblings share it)
 * or it does not fit; `path` then finds another joint, or is "". */
enum { SINEW_JOINT_PATH = 256 }; /* bytes that are enough for most */
SINEW_API bool sinew_model_joint_path(const sinew_model *model, int joint, char *path, size_t size);
/* The joint of another model that has the path of this one, or else its name; -1 if there is none. */
SINEW_API int sinew_model_counterpart(const sinew_model *from, int joint, const sinew_model *to);

/* The role of a joint in a body. A ball is the joint of the toes, on which a foot rolls. */
typedef enum sinew_role {
  SINEW_ROLE_ROOT, /* the topmost joint that a clip animates of those above the pelvis; else the pelvis */
  SINEW_ROLE_PELVIS,
  SINEW_ROLE_HEAD,
  SINEW_ROLE_LEFT_HAND,
  SINEW_ROLE_RIGHT_HAND,
  SINEW_ROLE_LEFT_FOOT,
  SINEW_ROLE_RIGHT_FOOT,
  SINEW_ROLE_LEFT_BALL,
  SINEW_ROLE_RIGHT_BALL,
  SINEW_ROLE_LEFT_UPPER_LEG,
  SINEW_ROLE_RIGHT_UPPER_LEG,
  SINEW_ROLE_LEFT_LOWER_LEG,
  SINEW_ROLE_RIGHT_LOWER_LEG,
  SINEW_ROLE_LEFT_SHOULDER, /* the collar bone */
  SINEW_ROLE_RIGHT_SHOULDER,
  SINEW_ROLE_LEFT_UPPER_ARM,
  SINEW_ROLE_RIGHT_UPPER_ARM,
  SINEW_ROLE_LEFT_LOWER_ARM,
  SINEW_ROLE_RIGHT_LOWER_ARM,
  SINEW_ROLE_LEFT_FRONT_FOOT, /* of four feet; the hind ones are left_foot and right_foot */
  SINEW_ROLE_RIGHT_FRONT_FOOT,
  SINEW_ROLES
} sinew_role;

/* What a finding about a body rests on, the strongest last. Sides that toes, soles and clips contradict are not those
 * of names. */
typedef enum sinew_evidence {
  SINEW_BY_NOTHING,
  SINEW_BY_NAMES,
  SINEW_BY_MOTION, /* feet stand while the body passes over them */
  SINEW_BY_MESH,   /* soles, and their length ahead of the ankle */
  SINEW_BY_TREE,   /* chains of joints that end on the ground; toes */
  SINEW_BY_FILE,   /* a table of the file (VRM) */
  SINEW_BY_AUTHOR  /* sinew_load_options.roles */
} sinew_evidence;

typedef enum sinew_finding_kind {
  SINEW_FINDING_FEET,
  SINEW_FINDING_SIDES, /* which is left */
  SINEW_FINDING_FRONT,
  SINEW_FINDINGS
} sinew_finding_kind;

typedef struct sinew_finding {
  int32_t evidence; /* sinew_evidence */
  float confidence; /* 0 .. 1; knees are not bent where sides have less than 0.25 */
} sinew_finding;
SINEW_API sinew_finding sinew_model_finding(const sinew_model *model, sinew_finding_kind kind);

/* The joint of each role, or -1: what the author says (sinew_load_options.roles), the file (VRM), the tree, the mesh
 * and the clips show, and the words in names. Always true. */
SINEW_API bool sinew_model_roles(const sinew_model *model, int joints[SINEW_ROLES]);
SINEW_API const char *sinew_role_name(sinew_role role); /* "left_foot" */
/* The axis of model space that a body faces at rest, by its toes, its soles, the way its clips travel and the sides of
 * its joints: {0, 0, 1} as a rule, and where it is unknown. Knees bend towards it. Blend spaces of velocities and
 * motors expect +z: sinew_load_options.front. */
SINEW_API sinew_vec3 sinew_model_front(const sinew_model *model);

/* ---- clips ------------------------------------------------------------------------------------------------ */

SINEW_API int sinew_model_clip_count(const sinew_model *model);
SINEW_API const sinew_clip *sinew_model_clip(const sinew_model *model, int index);
/* The clip with that name; else, for "#2" (an index) and "3" (a number from 1, as Lua counts), the third; else the
 * first that its file calls so. -1 if there is none. */
SINEW_API int sinew_model_find_clip(const sinew_model *model, const char *name);

/* Unique in its model. */
SINEW_API const char *sinew_clip_name(const sinew_clip *clip);
/* Its name in its file; differs if the import renamed the clip. */
SINEW_API const char *sinew_clip_file_name(const sinew_clip *clip);
/* The quality with which a clip of another file fits: its poses at 32 moments, compared with those in its own file. */
typedef struct sinew_fit {
  int32_t clip_file; /* an index for sinew_model_clip_file; -1: it is the model's own, and everything else is 0 */
  float
      under_ground; /* metres that feet sink below where they stand at rest, unless they do so in the clip's own file */
  float hips;       /* how much too high the hips are on average, as a fraction of their height: 0.05 is 5 % */
  float limbs;      /* the largest error of a limb's direction, radians */
  bool is_compared; /* both bodies have hips, a thigh and a foot; else the three numbers are 0 */
  bool fits;        /* feet within 3 % of the leg, hips within 5 %, limbs within 5 degrees; or not compared */
} sinew_fit;
SINEW_API sinew_fit sinew_clip_fit(const sinew_clip *clip);
SINEW_API double sinew_clip_duration(const sinew_clip *clip); /* seconds, >= 0 */
/* The time of the first key in the file's own seconds; clip time 0 is the file's time `start`. Most clips start
 * at 0. */
SINEW_API double sinew_clip_start(const sinew_clip *clip);
/* Key frames of the clip's largest track group. */
SINEW_API int sinew_clip_frame_count(const sinew_clip *clip);
/* Bytes that the clip takes in memory. */
SINEW_API size_t sinew_clip_size(const sinew_clip *clip);
/* The mean size in bits of a number in a key frame: moving tracks have 3 numbers each, or 4 for a rotation in floats. 0
 * if nothing moves. */
SINEW_API double sinew_clip_bits(const sinew_clip *clip);
/* The largest error, in metres, of a joint, or of a point beside it (as far as the skin that it moves, but at least 0.1
 * m in a model of human size), against the source when the import measured it: at up to 240 moments a second, in baked
 * clips at four for each key, and at no more than 64 for each key or a million for all joints. Negative if it was not
 * measured. */
SINEW_API double sinew_clip_error(const sinew_clip *clip);
/* Joints that the clip animates, moving or not: a joint without a channel is not animated and keeps its rest transform.
 */
SINEW_API bool sinew_clip_has_joint(const sinew_clip *clip, int joint);

/* A named number over a clip's time (sinew/curve.h): linear between keys, constant before the first and after the last;
 * two keys at one time make a step. */
typedef struct sinew_curve_key {
  double time; /* seconds in the clip, 0 .. duration */
  double value;
} sinew_curve_key;

typedef struct sinew_curve_view {
  const char *name;
  const sinew_curve_key *keys; /* 1 or more, times never descend */
  int count;
} sinew_curve_view;

/* The curves that the clip has from its file: in glTF from the animation's extras. Names are unique in a clip. */
SINEW_API int sinew_clip_curve_count(const sinew_clip *clip);
SINEW_API sinew_curve_view sinew_clip_curve(const sinew_clip *clip, int index);

/* ---- poses of another model ------------------------------------------------------------------------------------- */

/* Maps poses of model `from` to model `to`: which joint follows which, and how rest poses and sizes differ.
 * Immutable; any thread may use it. It retains both models. sinew_retarget (pose.h) applies it. */
typedef struct sinew_retarget_map sinew_retarget_map;

/* `map` takes precedence over names, and names over guesses, as with clip files (docs/retargeting.md). NULL and an
 * error message if no joint has a partner, the map names a joint that does not exist, or memory runs out. */
SINEW_API sinew_retarget_map *sinew_retarget_map_create(sinew_model *from, sinew_model *to, const sinew_joint_pair *map,
                                                        int map_count, sinew_error *error);
SINEW_API void sinew_retarget_map_destroy(sinew_retarget_map *map); /* NULL is allowed */
SINEW_API const sinew_model *sinew_retarget_map_from(const sinew_retarget_map *map);
SINEW_API const sinew_model *sinew_retarget_map_to(const sinew_retarget_map *map);
/* The joint of `from` that a joint of `to` follows, or -1; `kind`, unless NULL, gets how it was found. */
SINEW_API int sinew_retarget_map_joint(const sinew_retarget_map *map, int joint, sinew_match_kind *kind);
/* Lengths of `to` over those of `from`. */
SINEW_API float sinew_retarget_map_scale(const sinew_retarget_map *map);

/* The joint on the other side of the body, by the sides in the names ("LeftHand", "hand.R", "ball_l"); the joint itself
 * if it has no side or no partner. `joints` gets sinew_model_joint_count indices; each is the partner of its partner.
 * False when memory runs out. */
SINEW_API bool sinew_model_mirror_joints(const sinew_model *model, int32_t *joints);

/* ---- meshes ----------------------------------------------------------------------------------------------- */

typedef struct sinew_morph_view {
  const char *name;
  const float *positions; /* vertex_count × 3, differences in metres */
  const float *normals;   /* vertex_count × 3, differences, or NULL */
  float rest_weight;      /* the file's own weight, unless a clip sets another */
} sinew_morph_view;

/* One mesh with one material. Everything is skinned: a mesh without a skin has a skin of one joint (the mesh's
 * node), and vertices without weights follow such an entry too. Tangents are the file's, or computed where the
 * mesh's material has a normal map. */
typedef struct sinew_mesh_view {
  const char *name;
  int joint;    /* the joint of the mesh's node */
  int skin;     /* index into the model's skins */
  int material; /* index, or -1 */
  /* An earlier mesh, at another joint, that has the same arrays: a file may show one mesh many times, and its vertices
   * are stored once. -1: there is none. Each mesh has its own rest weights of morph targets. */
  int same_as;
  int vertex_count, index_count;
  int influences;                 /* per vertex: 4 or 8 */
  const float *positions;         /* vertex_count × 3, metres, in the mesh's own bind space */
  const float *normals;           /* vertex_count × 3, unit */
  const float *tangents;          /* vertex_count × 4 (w is the handedness of the bitangent, ±1), or NULL */
  const float *uvs;               /* vertex_count × 2, v down (0 is the top row of the image), or NULL */
  const float *uvs2;              /* a second set of them, or NULL */
  const uint8_t *colors;          /* vertex_count × 4, linear RGBA, or NULL */
  const uint16_t *joints;         /* vertex_count × influences, index into the skin */
  const float *weights;           /* vertex_count × influences, strongest first, sum 1 */
  const uint32_t *indices;        /* index_count, triangles, counter-clockwise is the front */
  const sinew_morph_view *morphs; /* morph_count */
  int morph_count;
} sinew_mesh_view;

/* The joints that a mesh is bound to. palette[i] = model_space(joints[i]) · inverse_binds[i]. Skins are numbered
 * one after the other: the palette of a model is the palettes of its skins in order, skin s starts at `first`. */
typedef struct sinew_skin_view {
  int first, count;
  const int32_t *joints;
  const sinew_mat3x4 *inverse_binds;
} sinew_skin_view;

SINEW_API int sinew_model_mesh_count(const sinew_model *model);
SINEW_API sinew_mesh_view sinew_model_mesh(const sinew_model *model, int index);
/* The names of all meshes' morph targets, each once, in the order in which they come first. An unknown index
 * gives NULL, an unknown name -1. */
SINEW_API int sinew_model_morph_count(const sinew_model *model);
SINEW_API const char *sinew_model_morph_name(const sinew_model *model, int index);
SINEW_API int sinew_model_find_morph(const sinew_model *model, const char *name);
SINEW_API int sinew_model_skin_count(const sinew_model *model);
SINEW_API sinew_skin_view sinew_model_skin(const sinew_model *model, int index);
/* Matrices in the palette of the whole model: the sum over its skins. */
SINEW_API int sinew_model_palette_count(const sinew_model *model);
/* The box around all vertices in the rest pose, in model space; both {0,0,0} if there is no vertex. */
SINEW_API void sinew_model_bounds(const sinew_model *model, sinew_vec3 *minimum, sinew_vec3 *maximum);

/* ---- materials and images --------------------------------------------------------------------------------- */

typedef enum sinew_alpha_mode { SINEW_ALPHA_OPAQUE, SINEW_ALPHA_MASK, SINEW_ALPHA_BLEND } sinew_alpha_mode;

/* The role of a picture; each is multiplied with the material's own number. */
typedef enum sinew_texture_role {
  SINEW_TEXTURE_BASE_COLOR,          /* sRGB; alpha: opacity */
  SINEW_TEXTURE_NORMAL,              /* tangent space, green up */
  SINEW_TEXTURE_METALLIC_ROUGHNESS,  /* blue: metallic; green: roughness */
  SINEW_TEXTURE_EMISSIVE,            /* sRGB */
  SINEW_TEXTURE_OCCLUSION,           /* red: how much of the light from all around arrives */
  SINEW_TEXTURE_CLEARCOAT,           /* red */
  SINEW_TEXTURE_CLEARCOAT_ROUGHNESS, /* green */
  SINEW_TEXTURE_SHEEN_COLOR,         /* sRGB */
  SINEW_TEXTURE_SHEEN_ROUGHNESS,     /* alpha */
  SINEW_TEXTURE_CLEARCOAT_NORMAL,    /* tangent space, green up: of the clear coat alone */
  SINEW_TEXTURE_ROLES
} sinew_texture_role;

typedef struct sinew_texture {
  int image;  /* index, or -1 */
  int uv_set; /* which coordinates of the mesh: 0 `uvs`, 1 `uvs2` */
  /* u' = t[0]·u + t[1]·v + t[2], v' = t[3]·u + t[4]·v + t[5]; all 0: the coordinates as they are. */
  float transform[6];
} sinew_texture;

/* Formulas: glTF 2.0, appendix B; KHR_materials_clearcoat, _sheen and _unlit. */
typedef struct sinew_material {
  const char *name;
  float base_color[4]; /* linear RGBA */
  float metallic, roughness;
  float emissive[3]; /* linear RGB; above 1 it is brighter than white */
  float alpha_cutoff;
  float normal_scale;       /* of the normal map's slopes */
  float occlusion_strength; /* 0..1: of the occlusion picture */
  float clearcoat, clearcoat_roughness;
  float clearcoat_normal_scale;          /* of the slopes in the clear coat's normal map */
  float sheen_color[3], sheen_roughness; /* linear RGB; black: none */
  sinew_alpha_mode alpha_mode;
  bool double_sided;
  bool unlit; /* shows its base colour, whatever the light */
  sinew_texture textures[SINEW_TEXTURE_ROLES];
} sinew_material;

/* White, rough, opaque, no metal, no pictures. */
SINEW_API sinew_material sinew_material_default(void);

/* How a texture continues where its coordinates are below 0 or above 1. */
typedef enum sinew_wrap { SINEW_WRAP_REPEAT, SINEW_WRAP_CLAMP, SINEW_WRAP_MIRROR } sinew_wrap;

/* 8-bit RGBA, top row first; colours are sRGB encoded. A large picture stays packed, as the bytes of its PNG, JPEG or
 * WebP file: `rgba` is NULL then, and sinew_pictures unpacks it. */
typedef struct sinew_image_view {
  const char *name;
  int width, height;
  const uint8_t *rgba; /* or NULL */
  sinew_wrap wrap_u, wrap_v;
  const uint8_t *packed; /* packed_size bytes, or NULL: exactly one of the two is there */
  uint64_t packed_size;
} sinew_image_view;

SINEW_API int sinew_model_material_count(const sinew_model *model);
SINEW_API sinew_material sinew_model_material(const sinew_model *model, int index);
SINEW_API int sinew_model_image_count(const sinew_model *model);
SINEW_API sinew_image_view sinew_model_image(const sinew_model *model, int index);

/* Decodes the packed pictures of a model in the background: sinew-import does it on all threads, confined as imports
 * are (without sinew-import, this process does it on the calling thread). */
typedef struct sinew_pictures sinew_pictures;
typedef struct sinew_picture {
  int image;           /* index in the model */
  const uint8_t *rgba; /* as in sinew_image_view, until the next call; NULL: the file is broken */
  int width, height;   /* those of the image, or less */
} sinew_picture;

/* Keeps a reference to the model until it is ended. If its pictures have more texels than `most_texels` together (0: no
 * limit), the largest are halved until they fit; images with the same bytes count, and are decoded, once. NULL and an
 * error message when memory runs out. One thread at a time. */
SINEW_API sinew_pictures *sinew_pictures_begin(sinew_model *model, uint64_t most_texels, sinew_error *error);
SINEW_API uint64_t sinew_pictures_texels(const sinew_pictures *pictures); /* of all, as they are returned */
/* How many images are halved; *image: the largest of them. */
SINEW_API int sinew_pictures_halved(const sinew_pictures *pictures, int *image);
/* The next decoded picture, in any order, after waiting at most `seconds` (0: not at all). False when none is ready
 * yet, or none is left. A broken picture comes with an error message. */
SINEW_API bool sinew_pictures_next(sinew_pictures *pictures, double seconds, sinew_picture *out, sinew_error *error);
SINEW_API int sinew_pictures_left(const sinew_pictures *pictures); /* not returned yet */
SINEW_API void sinew_pictures_end(sinew_pictures *pictures);       /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
