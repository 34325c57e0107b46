package site_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine/site"
)

// Of recognises pages in every URL form of a site, and not files, other sites, or invalid URLs.
func TestSiteOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url  string
		kind site.Kind // "" for no page of a site
		name string
	}{
		{"https://www.youtube.com/watch?v=dQw4w9WgXcQ", site.Video, "YouTube"},
		{"http://youtube.com/live/x?feature=share", site.Video, "YouTube"},
		{"https://m.youtube.com/watch?v=x", site.Video, "YouTube"},
		{"https://music.youtube.com/watch?v=x", site.Video, "YouTube"},
		{"HTTPS://YouTu.be/x?t=10", site.Video, "YouTube"},
		{"https://youtu.be.:443/x", site.Video, "YouTube"},
		{"https://www.youtube-nocookie.com/embed/x", site.Video, "YouTube"},
		{"https://www.youtube.com/shorts/x", site.ShortVideo, "YouTube"},
		{"https://vimeo.com/76979871", site.Video, "Vimeo"},
		{"https://player.vimeo.com/video/76979871", site.Video, "Vimeo"},
		{"https://www.dailymotion.com/video/x", site.Video, "Dailymotion"},
		{"https://dai.ly/x", site.Video, "Dailymotion"},
		{"https://www.twitch.tv/videos/1", site.Video, "Twitch"},
		{"https://clips.twitch.tv/Funny", site.Video, "Twitch"},
		{"https://rumble.com/v1-x.html", site.Video, "Rumble"},
		{"https://streamable.com/x", site.Video, "Streamable"},
		{"https://www.loom.com/share/x", site.Video, "Loom"},
		{"https://www.ted.com/talks/x", site.Video, "TED"},
		{"https://www.tiktok.com/@user/video/1", site.ShortVideo, "TikTok"},
		{"https://vm.tiktok.com/x/", site.ShortVideo, "TikTok"},
		{"https://www.instagram.com/reel/x/", site.ShortVideo, "Instagram"},
		{"https://www.facebook.com/reel/1", site.ShortVideo, "Facebook"},
		{"https://www.facebook.com/watch/?v=1", site.Video, "Facebook"},
		{"https://fb.watch/x/", site.Video, "Facebook"},
		{"https://soundcloud.com/user/track", site.Audio, "SoundCloud"},
		{"https://on.soundcloud.com/x", site.Audio, "SoundCloud"},
		{"https://www.mixcloud.com/user/show/", site.Audio, "Mixcloud"},
		{"https://artist.bandcamp.com/track/x", site.Audio, "Bandcamp"},
		{"https://audiomack.com/a/song/x", site.Audio, "Audiomack"},
		{"https://podcasts.apple.com/us/podcast/x/id1?i=2", site.Audio, "Apple Podcasts"},
		{"https://open.spotify.com/episode/x", site.Audio, "Spotify"},
		{"https://www.deezer.com/track/1", site.Audio, "Deezer"},
		{"https://listen.tidal.com/track/1", site.Audio, "TIDAL"},
		{"https://music.apple.com/us/album/x", site.Audio, "Apple Music"},

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
		site, ok := site.Of(c.url)
		require.Equal(t, c.kind != "", ok, c.url)
		require.Equal(t, c.kind, site.Kind, c.url)
		require.Equal(t, c.name, site.Name, c.url)
	}
}

// Sites with encrypted media are Protected; others aren't.
func TestProtectedSites(t *testing.T) {
	t.Parallel()
	for url, protected := range map[string]bool{
		"https://open.spotify.com/show/x": true, "https://music.apple.com/x": true, "https://tidal.com/x": true, "https://www.deezer.com/x": true,
		"https://music.amazon.com/x": true, "https://www.audible.com/pd/x": true, "https://soundcloud.com/a/b": false, "https://youtu.be/x": false,
		"https://podcasts.apple.com/x": false,
	} {
		site, ok := site.Of(url)
		require.True(t, ok, url)
		require.Equal(t, protected, site.Protected, url)
	}
}

// A media file is recognised by its extension, in any case.
func TestIsMediaFile(t *testing.T) {
	t.Parallel()
	for name, media := range map[string]bool{
		"/a/b.mp3": true, "B.M4A": true, "talk.final.WebM": true, "/mp3": false, "/a.mp3/": false, "/a.mp3.html": false, "cover.jpg": false, "": false,
	} {
		require.Equal(t, media, site.IsMediaFile(name), name)
	}
}
