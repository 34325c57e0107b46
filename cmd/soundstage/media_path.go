package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/soundstage-dev/soundstage/formats"
)

// withMedia returns options for a file that is written to a folder. An HTML page needs the path of its media from there; media that isn't a
// file of this machine stays as it is.
func withMedia(f formats.Format, o formats.Options, dir, media string) formats.Options {
	if o.Media = media; f.Name != "html" || strings.Contains(media, "://") {
		return o
	}
	info, err := os.Stat(media)
	from, errFrom := filepath.Abs(dir)
	to, errTo := filepath.Abs(media)
	if err != nil || errFrom != nil || errTo != nil || info.IsDir() {
		return o
	}
	if path, err := filepath.Rel(from, to); err == nil {
		o.Media = filepath.ToSlash(path)
	}
	return o
}
