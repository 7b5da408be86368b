#!/usr/bin/env bash
# Installs the TypeScript bot's packages and builds it; node_modules/.bin/node is the node to run it with:
# the system's where it is new enough, else the one in .venv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

oldest=20
root=$(cd ../.. && pwd)
stamp=node_modules/.stamp
if [[ ! -x node_modules/.bin/node || ! -f $stamp || package-lock.json -nt $stamp || package.json -nt $stamp ]]; then
  tools=
  while read -r node; do
    folder=$(dirname "$node")
    [[ $folder != "$root/.venv/bin" && -x $folder/npm ]] || continue
    major=$("$node" -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
    if ((major >= oldest)); then tools=$folder && break; fi
  done < <(type -ap node)
  tools=${tools:-$root/.venv/bin}
  if [[ ! -x $tools/npm || ! -x $tools/node ]]; then
    echo "the TypeScript bot needs node $oldest or newer with npm: install it, or run make setup" >&2
    exit 1
  fi
  PATH="$tools:$PATH" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  # The one in .venv is a wrapper that keeps signals to itself: link what it runs.
  ln -sf "$("$tools/node" -p process.execPath)" node_modules/.bin/node
  rm -rf dist
  touch "$stamp"
fi

if [[ ! -d dist || -n $(find src tsconfig.json "$stamp" -newer dist) ]]; then
  rm -rf dist
  node_modules/.bin/node node_modules/typescript/bin/tsc || { rm -rf dist; exit 1; }
fi
