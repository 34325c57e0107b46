package site

import (
	"net/url"
	"path"
	"slices"
	"strings"
)

// Kind is what the pages of a site show (specification, "Imports").
type Kind string

// The kinds of sites.
const (
	Video      Kind = "video-sharing"
	ShortVideo Kind = "short-video"
	Audio      Kind = "audio-streaming"
)

// Site is a site whose pages show media. A Resolver finds the media.
type Site struct {
	Kind      Kind
	Name      string // for users
	Protected bool   // by digital rights management: its media can't be downloaded
}

// sites lists the known sites by host. A host includes its subdomains. If a site has paths, only pages below one of them count;
// more specific paths come first.
var sites = []struct {
	Site
	hosts []string
	paths []string
}{
	{Site{Kind: ShortVideo, Name: "YouTube"}, []string{"youtube.com"}, []string{"/shorts/"}},
	{Site{Kind: Video, Name: "YouTube"}, []string{"youtube.com", "youtu.be", "youtube-nocookie.com"}, nil},
	{Site{Kind: Video, Name: "Vimeo"}, []string{"vimeo.com"}, nil},
	{Site{Kind: Video, Name: "Dailymotion"}, []string{"dailymotion.com", "dai.ly"}, nil},
	{Site{Kind: Video, Name: "Twitch"}, []string{"twitch.tv"}, nil},
	{Site{Kind: Video, Name: "Rumble"}, []string{"rumble.com"}, nil},
	{Site{Kind: Video, Name: "Streamable"}, []string{"streamable.com"}, nil},
	{Site{Kind: Video, Name: "Loom"}, []string{"loom.com"}, []string{"/share/", "/embed/"}},
	{Site{Kind: Video, Name: "TED"}, []string{"ted.com"}, []string{"/talks/"}},
	{Site{Kind: ShortVideo, Name: "TikTok"}, []string{"tiktok.com"}, nil},
	{Site{Kind: ShortVideo, Name: "Instagram"}, []string{"instagram.com"}, nil},
	{Site{Kind: ShortVideo, Name: "Facebook"}, []string{"facebook.com"}, []string{"/reel/", "/share/r/"}},
	{Site{Kind: Video, Name: "Facebook"}, []string{"facebook.com", "fb.watch"}, nil},
	{Site{Kind: Audio, Name: "SoundCloud"}, []string{"soundcloud.com"}, nil},
	{Site{Kind: Audio, Name: "Mixcloud"}, []string{"mixcloud.com"}, nil},
	{Site{Kind: Audio, Name: "Bandcamp"}, []string{"bandcamp.com"}, nil},
	{Site{Kind: Audio, Name: "Audiomack"}, []string{"audiomack.com"}, nil},
	{Site{Kind: Audio, Name: "Apple Podcasts"}, []string{"podcasts.apple.com"}, nil},
	{Site{Kind: Audio, Name: "Apple Music", Protected: true}, []string{"music.apple.com"}, nil},
	{Site{Kind: Audio, Name: "Spotify", Protected: true}, []string{"open.spotify.com", "spotify.link"}, nil},
	{Site{Kind: Audio, Name: "Deezer", Protected: true}, []string{"deezer.com", "deezer.page.link"}, nil},
	{Site{Kind: Audio, Name: "TIDAL", Protected: true}, []string{"tidal.com"}, nil},
	{Site{Kind: Audio, Name: "Audible", Protected: true}, []string{"audible.com"}, nil},
	{Site{Kind: Audio, Name: "Amazon Music", Protected: true}, []string{"music.amazon.com"}, nil},
}

// mediaExtensions are extensions of media files, which sites serve beside their pages.
var mediaExtensions = []string{
	".aac", ".aif", ".aiff", ".flac", ".m4a", ".m4b", ".m4v", ".mkv", ".mov", ".mp3", ".mp4", ".mpeg", ".mpg", ".oga", ".ogg",
	".ogv", ".opus", ".wav", ".webm", ".wma",
}

// Of returns the site of the page at rawURL. ok is false for a direct link to media, for any other page, and for anything that is
// not an http(s) URL.
func Of(rawURL string) (Site, bool) {
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

// IsMediaFile reports whether a path has the extension of an audio or video file.
func IsMediaFile(name string) bool {
	return slices.Contains(mediaExtensions, strings.ToLower(path.Ext(name)))
}
