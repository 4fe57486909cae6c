#!/bin/sh
# libraries.sh PREFIX: copies into PREFIX/lib the libraries that its programs need and that a bare system lacks, with their licences.
# The programs find them through their RPATH.
set -eu
prefix=$1
programs="$prefix/bin/sinew $prefix/bin/sinew-import $prefix/bin/sinew-import-assimp $prefix/lib/libsinew.so $prefix/lib/lua/5.4/sinew.so"
everywhere='^(linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|librt|libgcc_s|libstdc\+\+)\.so'
# shellcheck disable=SC2086
ldd $programs | sed -n 's|^\t\(.*\) => \(/[^ ]*\) .*|\1 \2|p' | sort -u | while read -r name path; do
  if printf '%s\n' "$name" | grep -Eq "$everywhere"; then continue; fi
  case $path in "$prefix"/*) continue ;; esac
  cp -L "$path" "$prefix/lib/$name"
  package=$(dpkg-query -S "$(realpath "$path")" 2>/dev/null | sed 's/:.*//') || package=
  if [ -f "/usr/share/doc/$package/copyright" ]; then
    mkdir -p "$prefix/share/doc/sinew/libraries"
    cp -L "/usr/share/doc/$package/copyright" "$prefix/share/doc/sinew/libraries/$package"
  fi
done
