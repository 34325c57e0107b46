#!/bin/sh
# download.sh VERSION FOLDER: downloads the program of a release for this runner into a folder, and compares its checksum. SOUNDSTAGE_RELEASES is
# the address of the releases; tests set it. The runner sets RUNNER_OS and RUNNER_ARCH.
set -eu
version=$1 folder=$2
releases=${SOUNDSTAGE_RELEASES:-https://github.com/soundstage-dev/soundstage/releases}
fail() {
	echo "::error::$*" >&2
	exit 1
}
case ${RUNNER_OS:-} in
Linux) system=linux ;;
macOS) system=darwin ;;
Windows) system=windows ;;
*) fail "There is no release for the system ${RUNNER_OS:-(RUNNER_OS is not set)}. Set the input version to source." ;;
esac
case ${RUNNER_ARCH:-} in
X64) arch=amd64 ;;
ARM64) arch=arm64 ;;
*) fail "There is no release for the architecture ${RUNNER_ARCH:-(RUNNER_ARCH is not set)}. Set the input version to source." ;;
esac
case $version in
latest) from=$releases/latest/download ;;
v[0-9]*) from=$releases/download/$version ;;
*) fail "The input version is $version. Set it to a release such as v0.1.0, to latest, or to source." ;;
esac
archive=soundstage-$system-$arch.tar.gz
[ "$system" != windows ] || archive=soundstage-$system-$arch.zip

mkdir -p "$folder"
at=$(mktemp -d)
trap 'rm -rf "$at"' EXIT
for name in SHA256SUMS "$archive"; do
	curl --fail --silent --show-error --location --retry 3 --connect-timeout 20 --max-time 300 --output "$at/$name" "$from/$name" ||
		fail "$from/$name could not be downloaded. If there is no such release, set the input version to source."
done
sum() { # sum FILE: prints the SHA-256 of a file
	if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}
want=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$archive\$/\1/p" "$at/SHA256SUMS")
[ -n "$want" ] || fail "SHA256SUMS of $version doesn't name $archive."
[ "$(sum "$at/$archive")" = "$want" ] || fail "$archive of $version isn't what SHA256SUMS says. It was not run."
case $archive in
*.zip) unzip -q -o "$at/$archive" soundstage.exe -d "$folder" ;;
*) tar -xzf "$at/$archive" -C "$folder" soundstage ;;
esac
