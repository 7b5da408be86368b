#!/usr/bin/env bash
# Installs the TypeScript bot's packages; node_modules/.bin/node is the node to run it with:
# the system's where it is new enough, else the one in .venv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[[ -f package.json ]] || exit 0

oldest=20
root=$(cd ../.. && pwd)
stamp=node_modules/.stamp
if [[ -f $stamp && -x node_modules/.bin/node && ! package.json -nt $stamp && ! package-lock.json -nt $stamp ]]; then
  exit 0
fi

tools=
while read -r node; do
  folder=$(dirname "$node")
  [[ $folder != "$root/.venv/bin" && -x $folder/npm ]] || continue
  major=$("$node" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
  if ((major >= oldest)); then tools=$folder && break; fi
done < <(type -ap node)
tools=${tools:-$root/.venv/bin}
if [[ ! -x $tools/npm ]]; then
  echo "the TypeScript bot needs node $oldest or newer with npm: install it, or run make setup" >&2
  exit 1
fi

export PATH="$tools:$PATH"
if [[ -f package-lock.json ]]; then
  npm ci --no-audit --no-fund --loglevel=error
else
  npm install --no-audit --no-fund --loglevel=error
fi
mkdir -p node_modules/.bin
ln -sf "$tools/node" node_modules/.bin/node
npm run build --if-present
touch "$stamp"
