#!/bin/sh
# Builds the page into dist/: called by `./dev web`, which installed the tools. Status 77: the sources cannot be had.
set -eu
cd "$(dirname "$0")/.."
out=build/web
sources=$out/sources
libraries="lua5.4 cjson zlib meshoptimizer imgui draco libwebp"

# The distribution's source packages, through lists of their own, so that the machine's stay as they are.
unpack_sources() {
  apt=$PWD/$out/apt
  mkdir -p "$apt/lists/partial" "$apt/parts" "$apt/packages" "$sources"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    if [ -f "$list" ]; then sed -n 's/^deb /deb-src /p' "$list" >"$apt/parts/$(basename "$list" .list).list"; fi
  done
  for list in /etc/apt/sources.list.d/*.sources; do
    if [ -f "$list" ]; then sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")"; fi
  done
  set -- -q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists"
  apt-get "$@" update || echo "web: some lists of source packages could not be fetched"
  for library in $libraries; do
    if [ -d "$sources/$library" ]; then continue; fi
    rm -rf "$apt/unpacked"
    (cd "$apt/packages" && apt-get "$@" source --download-only "$library" && dpkg-source -x "${library}"_*.dsc "$apt/unpacked") || {
      echo "web: the source package of $library could not be fetched: the page needs the network, or deb-src lists" >&2
      exit 77
    }
    mv "$apt/unpacked" "$sources/$library"
  done
}

missing=
for library in $libraries; do [ -d "$sources/$library" ] || missing=1; done
if [ -n "$missing" ]; then unpack_sources; fi

# Debian's emscripten finds its own JavaScript there, whatever Node runs it.
export NODE_PATH=/usr/share/nodejs
# Its cache holds the system's libraries, and it writes there; who may not write uses a copy.
if [ ! -w /usr/share/emscripten/cache ]; then
  [ -d $out/cache ] || cp -r /usr/share/emscripten/cache $out/cache
  export EM_CACHE="$PWD/$out/cache"
fi
[ -f $out/build.ninja ] || cmake -G Ninja -S . -B $out -DCMAKE_BUILD_TYPE=Release -DSINEW_TESTS=OFF \
  -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake
cmake --build $out

# The page: bundled with CodeMirror, or, where npm reaches no registry, as it is, with a plain text area.
rm -rf dist
mkdir -p dist/assets dist/examples
cp web/index.html web/style.css $out/page/sinew.js $out/page/sinew.wasm $out/page/sinew.data dist/
if (cd web && { [ -d node_modules/esbuild ] || npm ci --no-audit --no-fund --fetch-retries=1 --fetch-timeout=60000; }); then
  (cd web && npx esbuild src/playground.js --bundle --minify --format=esm --outfile=../dist/playground.js)
  (cd web && npx esbuild ../dist/sinew.js --minify --allow-overwrite --outfile=../dist/sinew.js)
else
  echo "web: npm could not fetch the editor; the page has a plain text area"
  cp web/src/*.js dist/
  mv dist/plain_editor.js dist/editor.js
fi

names() { # PATTERN: the files' names as JSON
  printf '['
  separator=
  for file in "$@"; do
    printf '%s"%s"' "$separator" "$(basename "$file")"
    separator=,
  done
  printf ']\n'
}
cp assets/*.glb dist/assets/
names assets/*.glb >dist/assets/index.json
node web/pages.mjs dist
echo "The page is in dist/. To look at it: python3 -m http.server -d dist"
