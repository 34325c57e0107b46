#!/usr/bin/env bash
# Installs the judges of formats: Debian packages (bookworm's versions) and npm packages (package-lock.json's).
# Node itself must be there. Run as root. "setup.sh peers" also installs what speed is compared with.
set -euo pipefail
cd "$(dirname "$0")"

packages=(
  fonts-noto-core fonts-noto-cjk         # what pdf draws Hindi, Chinese, Japanese and Korean with
  qpdf poppler-utils mupdf-tools         # pdf
  python3 python3-docx                   # docx, csv
  ffmpeg python3-srt python3-pysrt       # srt, vtt
)
if [[ "${1:-}" == peers ]]; then
  packages+=(pandoc python3-reportlab)   # what go test ./formats -run TestPeers -tags peers compares with
fi
missing=()
for p in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if ((${#missing[@]})); then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi
# Not npm ci: the validator lists platforms that the registry may lack, which npm ci takes for a broken lock.
npm install --no-save --no-audit --no-fund --ignore-scripts
