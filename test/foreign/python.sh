#!/bin/sh
# Gets the Python packages that test/output/parts/engines.process.test.ts and test/features/export/dlt-source.process.test.ts
# need, into ${XDG_CACHE_HOME:-~/.cache}/payctl-tests/python, for PYTHONPATH. Without them their tests are skipped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${XDG_CACHE_HOME:-$HOME/.cache}/payctl-tests/python
mark=$({ python3 --version; cat "$here/python.txt"; } | cksum)
if [ "$(cat "$folder/ready" 2>/dev/null || :)" = "$mark" ]; then exit 0; fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip install -q --no-compile --disable-pip-version-check --root-user-action ignore --only-binary=:all: \
  --requirement "$here/python.txt" --target "$work/python"
echo "$mark" >"$work/python/ready"
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
mv "$work/python" "$folder"
