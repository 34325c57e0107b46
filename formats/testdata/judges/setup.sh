#!/usr/bin/env bash
# Installs the validators for the tests of formats: Debian packages (versions of bookworm) and npm packages
# (package-lock.json). Requires Node and root. "setup.sh peers" also installs the tools for speed comparisons.
set -euo pipefail
cd "$(dirname "$0")"

packages=(
  fonts-noto-core fonts-noto-cjk         # fonts of PDFs in Hindi, Chinese, Japanese and Korean
  qpdf poppler-utils mupdf-tools         # pdf
  python3 python3-docx python3-openpyxl  # docx, csv, xlsx
  ffmpeg python3-srt python3-pysrt       # srt, vtt
)
if [[ "${1:-}" == peers ]]; then
  packages+=(pandoc python3-reportlab)   # compared by go test ./formats -run TestPeers -tags peers
fi
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if ((${#missing[@]})); then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi
# Not npm ci: the validator lists platforms that a registry may lack, which npm ci reports as an invalid lock file.
npm install --no-save --no-audit --no-fund --ignore-scripts
