#!/bin/sh
# Wine for test/e2e/win32-x64.test.ts, in ${XDG_CACHE_HOME:-~/.cache}/payctl-tests/wine.
#
#   wine.sh get                    unpacks it there, from Debian's packages, unless it is there; needs root
#   wine.sh run FOLDER PROGRAM...  runs a Windows program; FOLDER is its Z:\w, and nothing that it starts outlives it
#
# Wine 8, of Debian 12, has no placeholders in its address space, which V8 needs. This one is that of Debian 13, on any Debian, in a
# root of its own with no more than it needs. Where it cannot be had, its tests are skipped.
set -eu
cache=${XDG_CACHE_HOME:-$HOME/.cache}/payctl-tests
suite=trixie

enter() {
  exec unshare --mount --pid --fork --kill-child "$0" inside "$@"
}

inside() {
  root=$1 folder=$2
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mount --bind "$folder" "$root/w"
  if [ "$3" != wineboot ]; then
    # What a run leaves in the folders of its user is not there for the next one.
    cp -a "$root/prefix/drive_c/users" "$root/tmp/users"
    mount --bind "$root/tmp/users" "$root/prefix/drive_c/users"
  fi
  export HOME=/w WINEPREFIX=/prefix WINEDEBUG=-all WINESERVER=/usr/lib/wine/wineserver64 LC_ALL=C.UTF-8
  shift 2
  cd "$root"
  code=0
  chroot "$root" /usr/lib/wine/wine64 "$@" || code=$?
  # Wine writes its registry when its last program has ended.
  [ "$1" != wineboot ] || chroot "$root" /usr/lib/wine/wineserver64 -w
  exit "$code"
}

# Packages and all that they depend on, from a list of packages and with a state of apt of its own.
download() {
  timeout 90 apt-get -qq -y --no-install-recommends -o APT::Sandbox::User=root -o APT::Architecture=amd64 -o APT::Architectures=amd64 \
    -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work" "$@"
}

get() {
  mark=$(cksum <"$0")
  [ "$(cat "$cache/wine/ready" 2>/dev/null)" != "$mark" ] || return 0
  # The mirror and the keys are those of the machine.
  mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' | sed -n 's/^Debian Debian //p' | head -n 1)
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -n "$mirror" ] && [ -e "$keys" ] || return 0
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/wine.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  root=$work/root
  mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/debs" "$work/folder"
  for name in proc sys dev tmp w prefix; do mkdir -p "$root/$name"; done
  : >"$work/status"
  echo "deb [signed-by=$keys] $mirror $suite main" >"$work/sources.list"
  download update
  # Of what libwine depends on, this is what programs without windows and sound use.
  download --download-only install libc-bin libc6 libgcc-s1 libgnutls30t64 libunwind8
  (cd "$work/debs" && download download libwine wine64 libz-mingw-w64)
  for file in "$work"/archives/*.deb "$work"/debs/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -x -C "$root" --exclude=./usr/share/doc
  done
  ln -s usr/lib "$root/lib"
  ln -s usr/lib64 "$root/lib64"
  # As the package does when it is installed.
  zlib=$root/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/zlib1.dll
  cp "$root/usr/x86_64-w64-mingw32/lib/zlib1.dll" "$zlib"
  printf 'Wine builtin DLL\0' | dd of="$zlib" bs=1 seek=64 conv=notrunc status=none
  # A program that fails in Wine would be followed by these, and they by more of them.
  rm "$root"/usr/lib/x86_64-linux-gnu/wine/x86_64-windows/winedbg.exe
  timeout -k 5 60 unshare --mount --pid --fork --kill-child "$0" inside "$root" "$work/folder" wineboot -i >/dev/null 2>&1
  [ -s "$root/prefix/system.reg" ]
  rm -rf "$work/lists" "$work/archives" "$work/debs" "$work"/*.bin
  echo "$mark" >"$work/ready"
  # An old one may be in use.
  mkdir "$cache/old.$$"
  [ ! -e "$cache/wine" ] || mv "$cache/wine" "$cache/old.$$"
  mv "$work" "$cache/wine"
  rm -rf "$cache/old.$$" 2>/dev/null || true
}

case $1 in
  get) [ "$(uname -sm)-$(id -u)" != 'Linux x86_64-0' ] || ! command -v apt-get >/dev/null || get ;;
  run) shift && enter "$cache/wine/root" "$@" ;;
  inside) shift && inside "$@" ;;
esac
