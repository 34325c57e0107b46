package engine

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// SiteKind says what the pages of a site show (service.md, Imports).
type SiteKind string

const (
	SiteVideo      SiteKind = "video-sharing"
	SiteShortVideo SiteKind = "short-video"
	SiteAudio      SiteKind = "audio-streaming"
)

// Site is a site whose pages show media. What is behind a page is for a Resolver to find.
type Site struct {
	Kind      SiteKind
	Name      string // as users know it
	Protected bool   // by digital rights management: its media can't be had
}

// sites is every site that is known by its hosts. A host stands for those below it too. Of a site with paths only pages
// below one of them are meant, the more particular first.
var sites = []struct {
	Site
	hosts []string
	paths []string
}{
	{Site{Kind: SiteShortVideo, Name: "YouTube"}, []string{"youtube.com"}, []string{"/shorts/"}},
	{Site{Kind: SiteVideo, Name: "YouTube"}, []string{"youtube.com", "youtu.be", "youtube-nocookie.com"}, nil},
	{Site{Kind: SiteVideo, Name: "Vimeo"}, []string{"vimeo.com"}, nil},
	{Site{Kind: SiteVideo, Name: "Dailymotion"}, []string{"dailymotion.com", "dai.ly"}, nil},
	{Site{Kind: SiteVideo, Name: "Twitch"}, []string{"twitch.tv"}, nil},
	{Site{Kind: SiteVideo, Name: "Rumble"}, []string{"rumble.com"}, nil},
	{Site{Kind: SiteVideo, Name: "Streamable"}, []string{"streamable.com"}, nil},
	{Site{Kind: SiteVideo, Name: "Loom"}, []string{"loom.com"}, []string{"/share/", "/embed/"}},
	{Site{Kind: SiteVideo, Name: "TED"}, []string{"ted.com"}, []string{"/talks/"}},
	{Site{Kind: SiteShortVideo, Name: "TikTok"}, []string{"tiktok.com"}, nil},
	{Site{Kind: SiteShortVideo, Name: "Instagram"}, []string{"instagram.com"}, nil},
	{Site{Kind: SiteShortVideo, Name: "Facebook"}, []string{"facebook.com"}, []string{"/reel/", "/share/r/"}},
	{Site{Kind: SiteVideo, Name: "Facebook"}, []string{"facebook.com", "fb.watch"}, nil},
	{Site{Kind: SiteAudio, Name: "SoundCloud"}, []string{"soundcloud.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Mixcloud"}, []string{"mixcloud.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Bandcamp"}, []string{"bandcamp.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Audiomack"}, []string{"audiomack.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Apple Podcasts"}, []string{"podcasts.apple.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Apple Music", Protected: true}, []string{"music.apple.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Spotify", Protected: true}, []string{"open.spotify.com", "spotify.link"}, nil},
	{Site{Kind: SiteAudio, Name: "Deezer", Protected: true}, []string{"deezer.com", "deezer.page.link"}, nil},
	{Site{Kind: SiteAudio, Name: "TIDAL", Protected: true}, []string{"tidal.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Audible", Protected: true}, []string{"audible.com"}, nil},
	{Site{Kind: SiteAudio, Name: "Amazon Music", Protected: true}, []string{"music.amazon.com"}, nil},
}

// mediaExtensions are those of files, which sites hand out beside their pages.
var mediaExtensions = []string{
	".aac", ".aif", ".aiff", ".flac", ".m4a", ".m4b", ".m4v", ".mkv", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".oga", ".ogg",
	".ogv", ".opus", ".wav", ".webm", ".wma",
}

// SiteOf returns the site of which rawURL is a page; false for a direct link to media, for the rest of the web and for what
// is no http(s) URL. It is pure: it goes by the address alone.
func SiteOf(rawURL string) (Site, bool) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return Site{}, false
	}
	if IsMediaFile(u.Path) {
		return Site{}, false
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	for _, s := range sites {
		if slices.ContainsFunc(s.hosts, func(h string) bool { return host == h || strings.HasSuffix(host, "."+h) }) &&
			(s.paths == nil || slices.ContainsFunc(s.paths, func(p string) bool { return strings.HasPrefix(u.Path, p) })) {
			return s.Site, true
		}
	}
	return Site{}, false
}

// IsMediaFile reports whether a path ends like the name of an audio or video file.
func IsMediaFile(name string) bool {
	return slices.Contains(mediaExtensions, strings.ToLower(path.Ext(name)))
}
