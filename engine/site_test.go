package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// A page is told by its site, in each way in which sites write their addresses; a file, another site and no URL are not.
func TestSiteOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url  string
		kind engine.SiteKind // "" for no page of a site
		name string
	}{
		{"https://www.youtube.com/watch?v=dQw4w9WgXcQ", engine.SiteVideo, "YouTube"},
		{"http://youtube.com/live/x?feature=share", engine.SiteVideo, "YouTube"},
		{"https://m.youtube.com/watch?v=x", engine.SiteVideo, "YouTube"},
		{"https://music.youtube.com/watch?v=x", engine.SiteVideo, "YouTube"},
		{"HTTPS://YouTu.be/x?t=10", engine.SiteVideo, "YouTube"},
		{"https://youtu.be.:443/x", engine.SiteVideo, "YouTube"},
		{"https://www.youtube-nocookie.com/embed/x", engine.SiteVideo, "YouTube"},
		{"https://www.youtube.com/shorts/x", engine.SiteShortVideo, "YouTube"},
		{"https://vimeo.com/76979871", engine.SiteVideo, "Vimeo"},
		{"https://player.vimeo.com/video/76979871", engine.SiteVideo, "Vimeo"},
		{"https://www.dailymotion.com/video/x", engine.SiteVideo, "Dailymotion"},
		{"https://dai.ly/x", engine.SiteVideo, "Dailymotion"},
		{"https://www.twitch.tv/videos/1", engine.SiteVideo, "Twitch"},
		{"https://clips.twitch.tv/Funny", engine.SiteVideo, "Twitch"},
		{"https://rumble.com/v1-x.html", engine.SiteVideo, "Rumble"},
		{"https://streamable.com/x", engine.SiteVideo, "Streamable"},
		{"https://www.loom.com/share/x", engine.SiteVideo, "Loom"},
		{"https://www.ted.com/talks/x", engine.SiteVideo, "TED"},
		{"https://www.tiktok.com/@user/video/1", engine.SiteShortVideo, "TikTok"},
		{"https://vm.tiktok.com/x/", engine.SiteShortVideo, "TikTok"},
		{"https://www.instagram.com/reel/x/", engine.SiteShortVideo, "Instagram"},
		{"https://www.facebook.com/reel/1", engine.SiteShortVideo, "Facebook"},
		{"https://www.facebook.com/watch/?v=1", engine.SiteVideo, "Facebook"},
		{"https://fb.watch/x/", engine.SiteVideo, "Facebook"},
		{"https://soundcloud.com/user/track", engine.SiteAudio, "SoundCloud"},
		{"https://on.soundcloud.com/x", engine.SiteAudio, "SoundCloud"},
		{"https://www.mixcloud.com/user/show/", engine.SiteAudio, "Mixcloud"},
		{"https://artist.bandcamp.com/track/x", engine.SiteAudio, "Bandcamp"},
		{"https://audiomack.com/a/song/x", engine.SiteAudio, "Audiomack"},
		{"https://podcasts.apple.com/us/podcast/x/id1?i=2", engine.SiteAudio, "Apple Podcasts"},
		{"https://open.spotify.com/episode/x", engine.SiteAudio, "Spotify"},
		{"https://www.deezer.com/track/1", engine.SiteAudio, "Deezer"},
		{"https://listen.tidal.com/track/1", engine.SiteAudio, "TIDAL"},
		{"https://music.apple.com/us/album/x", engine.SiteAudio, "Apple Music"},

		{"https://player.vimeo.com/external/1.hd.mp4?s=x", "", ""},
		{"https://cdn.soundcloud.com/x.MP3", "", ""},
		{"https://example.com/show.mp3", "", ""},
		{"https://example.com/youtube.com/watch?v=x", "", ""},
		{"https://youtube.com.evil.test/watch?v=x", "", ""},
		{"https://notyoutube.com/watch?v=x", "", ""},
		{"https://youtube.com@evil.test/watch?v=x", "", ""},
		{"https://www.loom.com/pricing", "", ""},
		{"ftp://youtube.com/watch?v=x", "", ""},
		{"youtube.com/watch?v=x", "", ""},
		{"https://youtube.com:x/", "", ""},
		{"", "", ""},
	} {
		site, ok := engine.SiteOf(c.url)
		require.Equal(t, c.kind != "", ok, c.url)
		require.Equal(t, c.kind, site.Kind, c.url)
		require.Equal(t, c.name, site.Name, c.url)
	}
}

// Sites whose media is encrypted say so; others don't.
func TestProtectedSites(t *testing.T) {
	t.Parallel()
	for url, protected := range map[string]bool{
		"https://open.spotify.com/show/x": true, "https://music.apple.com/x": true, "https://tidal.com/x": true, "https://www.deezer.com/x": true,
		"https://music.amazon.com/x": true, "https://www.audible.com/pd/x": true, "https://soundcloud.com/a/b": false, "https://youtu.be/x": false,
		"https://podcasts.apple.com/x": false,
	} {
		site, ok := engine.SiteOf(url)
		require.True(t, ok, url)
		require.Equal(t, protected, site.Protected, url)
	}
}

// A file is media by its extension, in any case.
func TestIsMediaFile(t *testing.T) {
	t.Parallel()
	for name, media := range map[string]bool{
		"/a/b.mp3": true, "B.M4A": true, "talk.final.WebM": true, "/mp3": false, "/a.mp3/": false, "/a.mp3.html": false, "cover.jpg": false, "": false,
	} {
		require.Equal(t, media, engine.IsMediaFile(name), name)
	}
}
