package fetch

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/site"
)

// maxHeight limits the lines of a video: more cost storage, and no clip shows them.
const maxHeight = 1080

// pageInfo is the part of yt-dlp's output for a page that we read.
type pageInfo struct {
	format
	Type       string            `json:"_type"`
	Title      string            `json:"title"`
	LiveStatus string            `json:"live_status"`
	Formats    []format          `json:"formats"`
	Entries    []json.RawMessage `json:"entries"`
}

// format is one file or stream of a page's media. Numbers are floats, as in yt-dlp's output. A codec is "none" for a
// missing track, and null when unknown.
type format struct {
	URL      string            `json:"url"`
	Protocol string            `json:"protocol"`
	Ext      string            `json:"ext"`
	Audio    string            `json:"acodec"`
	Video    string            `json:"vcodec"`
	Rate     float64           `json:"tbr"`
	Sound    float64           `json:"abr"`
	Height   float64           `json:"height"`
	Language float64           `json:"language_preference"`
	DRM      any               `json:"has_drm"` // true, false, or "maybe"
	Header   map[string]string `json:"http_headers"`
	Cookies  string            `json:"cookies"`
}

// choose parses yt-dlp's output and picks one file.
func choose(answer []byte, from site.Site) (engine.Resolved, error) {
	var info pageInfo
	if err := json.Unmarshal(bytes.TrimSpace(answer), &info); err != nil {
		return engine.Resolved{}, downloadError("yt-dlp returned invalid output for the %s page.", from.Name).Because(err).Transient()
	}
	switch {
	case info.LiveStatus == "is_live", info.LiveStatus == "is_upcoming", info.LiveStatus == "post_live":
		return engine.Resolved{}, downloadError("The broadcast on %s has not ended yet.", from.Name).Transient()
	case info.Type != "" && info.Type != "video", len(info.Entries) > 0:
		return engine.Resolved{}, downloadError("The %s page has several files. Use the page of one of them.", from.Name)
	}
	all := info.Formats
	if len(all) == 0 && info.URL != "" {
		all = []format{info.format}
	}
	files := slices.DeleteFunc(slices.Clone(all), func(f format) bool { return !f.isFile() })
	if len(files) == 0 {
		return engine.Resolved{}, noFile(all, from)
	}
	best := slices.MaxFunc(files, func(a, b format) int { return better(a, b, from.Kind == site.Audio) })
	header := best.Header
	if header == nil {
		header = info.Header
	}
	return engine.Resolved{URL: best.URL, Title: strings.Join(strings.Fields(info.Title), " "), Header: best.header(header)}, nil
}

// noFile returns the error for a page without a usable format.
func noFile(all []format, from site.Site) error {
	for _, f := range all {
		if f.DRM == true {
			return isProtected(from.Name)
		}
	}
	if len(all) == 0 {
		return downloadError("The %s page has no media.", from.Name)
	}
	return downloadError("%s streams this media in segments, so it can't be downloaded as a file.", from.Name)
}

// isFile reports whether a format is one file with sound.
func (f format) isFile() bool {
	if f.Protocol != "" && f.Protocol != "https" && f.Protocol != "http" || f.Audio == "none" || f.DRM == true {
		return false
	}
	switch f.Ext {
	case "mhtml", "jpg", "png", "webp", "m3u8", "mpd":
		return false
	}
	u, err := CheckURL(f.URL)
	return err == nil && !strings.HasSuffix(u.Path, ".m3u8") && !strings.HasSuffix(u.Path, ".mpd")
}

// hasPicture reports whether a format has a picture. Unknown counts as yes.
func (f format) hasPicture() bool { return f.Video != "none" }

// better compares two files, by: the page's own language; with a picture or without, by the kind of site; most lines up
// to maxHeight; highest rate.
func better(a, b format, soundOnly bool) int {
	rank := func(f format) []float64 {
		kind, height := 0.0, f.Height
		if f.hasPicture() != soundOnly {
			kind = 1
		}
		if height > maxHeight {
			height = -height // the lowest of those that exceed it
		}
		if soundOnly {
			height = 0
		}
		return []float64{f.Language, kind, height, max(f.Rate, f.Sound)}
	}
	return slices.Compare(rank(a), rank(b))
}

// header returns the format's headers that may be sent, with the cookies for its host.
func (f format) header(all map[string]string) map[string]string {
	kept := map[string]string{}
	for name, value := range all {
		if h, err := allowedHeader(map[string]string{name: value}); err == nil && len(h) == 1 {
			kept[name] = value
		}
	}
	if cookies := cookiesFor(f.URL, f.Cookies); cookies != "" && len(cookies) <= maxHeaderValue && !strings.ContainsFunc(cookies, isControl) {
		kept["Cookie"] = cookies
	}
	if len(kept) == 0 {
		return nil
	}
	return kept
}

// cookiesFor returns a Cookie header with yt-dlp's cookies for a URL's host. They are listed with their attributes, as in
// Set-Cookie: "a=1; Domain=.site.com; Path=/; b=2; Domain=…".
func cookiesFor(rawURL, cookies string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	var sent []string
	pair := ""
	for part := range strings.SplitSeq(cookies, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch strings.ToLower(name) {
		case "", "path", "secure", "httponly", "expires", "max-age", "version", "samesite", "comment":
		case "domain":
			if domain := strings.TrimPrefix(strings.Trim(value, `"`), "."); pair != "" && isHost(u.Hostname(), domain) {
				sent = append(sent, pair)
			}
			pair = ""
		default:
			pair = name + "=" + value
		}
	}
	return strings.Join(sent, "; ")
}
