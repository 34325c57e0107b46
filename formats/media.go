package formats

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// pageMedia is the media of a page.
type pageMedia struct {
	address string // "" for none
	video   bool
	local   bool // a file
}

var (
	audioExtensions = []string{".aac", ".flac", ".m4a", ".mp3", ".oga", ".ogg", ".opus", ".wav", ".weba"}
	videoExtensions = []string{".m4v", ".mkv", ".mov", ".mp4", ".ogv", ".webm"}
)

// otherScheme matches addresses that a page must not play, because they may be programs, or can't play.
var otherScheme = lazyregexp.New(`(?i)^([a-z][a-z0-9+.-]*://|(javascript|data|blob|file|vbscript|about):)`)

// media returns the media for a page: Media, or else Source if that is the address of a media file. Media is the address of an http(s)
// server, or else the name of a file, relative to the page. It returns CodeInvalid for other addresses.
func (o Options) media(op string) (pageMedia, error) {
	name := captions.CleanText(o.Media)
	if name == "" {
		source := captions.CleanText(o.Source)
		if linkOf(source) == "" || kindOfMedia(source) == "" {
			return pageMedia{}, nil
		}
		name = source
	}
	if linkOf(name) != "" {
		u, err := url.Parse(name)
		if err != nil || u.Host == "" {
			return pageMedia{}, fault.Errorf(fault.CodeInvalid, op, "The media's address %q is invalid.", name)
		}
		u.Fragment, u.RawFragment = "", ""
		return pageMedia{address: u.String(), video: kindOfMedia(name) != "audio"}, nil
	}
	if otherScheme.MatchString(name) || strings.HasPrefix(name, "//") {
		return pageMedia{}, fault.Errorf(fault.CodeInvalid, op, "The media's address can't be %q.", name).
			WithHint("Use the name of a file, relative to the page, or an http or https address.")
	}
	file := url.URL{Path: o.Media} // with the spaces and line breaks of its name
	return pageMedia{address: file.String(), video: kindOfMedia(name) != "audio", local: true}, nil
}

// kindOfMedia returns "audio" or "video" by the extension of a file or of an address, or "" for others.
func kindOfMedia(name string) string {
	if u, err := url.Parse(name); err == nil && u.Host != "" {
		name = u.Path
	}
	switch ext := strings.ToLower(path.Ext(name)); {
	case slices.Contains(audioExtensions, ext):
		return "audio"
	case slices.Contains(videoExtensions, ext):
		return "video"
	}
	return ""
}
