package engine

import (
	"net/url"
	"strings"
)

// Site is where a page is whose media only a Resolver finds.
type Site struct {
	Kind string // "video-sharing", "short-video" or "audio-streaming"
	Name string // as people call it
}

// sites is every host whose pages are known, without "www." and "m.".
var sites = map[string]Site{
	"youtube.com":      {"video-sharing", "YouTube"},
	"youtu.be":         {"video-sharing", "YouTube"},
	"vimeo.com":        {"video-sharing", "Vimeo"},
	"dailymotion.com":  {"video-sharing", "Dailymotion"},
	"tiktok.com":       {"short-video", "TikTok"},
	"soundcloud.com":   {"audio-streaming", "SoundCloud"},
	"open.spotify.com": {"audio-streaming", "Spotify"},
}

// SiteOf says which site a URL is a page of; ok is false for any other URL.
func SiteOf(raw string) (s Site, ok bool) {
	u, err := url.Parse(raw)
	if err != nil {
		return Site{}, false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	for _, prefix := range []string{"www.", "m."} {
		host = strings.TrimPrefix(host, prefix)
	}
	s, ok = sites[host]
	return s, ok
}
