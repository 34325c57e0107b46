package fetch_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// ytdlp returns a resolver whose yt-dlp is this test.
func ytdlp(t *testing.T, cfg fetch.YTDLPConfig) *fetch.YTDLP {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cfg.Path = self
	y, err := fetch.NewYTDLP(cfg)
	require.NoError(t, err)
	return y
}

// video is a page of a video-sharing site, on which the test's yt-dlp does what pairs of names and values say.
func video(do ...string) string { return page("https://www.youtube.com/watch?v=1", do...) }

func page(at string, do ...string) string {
	for i := 0; i < len(do); i += 2 {
		at += "&" + do[i] + "=" + url.QueryEscape(do[i+1])
	}
	return at
}

// The best file is chosen: with a picture of at most 1080 lines from a video site, with sound alone from an audio site; in the
// page's own language; never a manifest, a storyboard, a silent or a protected track.
func TestChosenFormat(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it computes")
	const (
		silent     = `{"url":"https://c.test/silent.mp4","protocol":"https","vcodec":"avc1","acodec":"none","height":1080,"tbr":9000}`
		small      = `{"url":"https://c.test/small.mp4","protocol":"https","vcodec":"avc1","acodec":"mp4a","height":360,"tbr":500,"abr":null}`
		large      = `{"url":"https://c.test/large.mp4","protocol":"https","vcodec":"avc1","acodec":"mp4a","height":1080,"tbr":4000}`
		huge       = `{"url":"https://c.test/huge.mp4","protocol":"https","vcodec":"av01","acodec":"mp4a","height":2160,"tbr":9000}`
		low        = `{"url":"https://c.test/low.m4a","protocol":"https","vcodec":"none","acodec":"mp4a","abr":48,"tbr":48}`
		high       = `{"url":"https://c.test/high.webm","protocol":"https","vcodec":"none","acodec":"opus","abr":160}`
		dubbed     = `{"url":"https://c.test/dubbed.mp4","protocol":"https","vcodec":"avc1","acodec":"mp4a","height":1080,"language_preference":-10}`
		stream     = `{"url":"https://c.test/a.m3u8","protocol":"m3u8_native","vcodec":"avc1","acodec":"mp4a","height":1080}`
		manifest   = `{"url":"https://c.test/a.mpd","protocol":"https","vcodec":"avc1","acodec":"mp4a"}`
		storyboard = `{"url":"https://c.test/s.jpg","protocol":"mhtml","ext":"mhtml","vcodec":"none","acodec":"none"}`
		protected  = `{"url":"https://c.test/drm.mp4","protocol":"https","has_drm":true,"height":1080}`
		maybe      = `{"url":"https://c.test/maybe.mp4","protocol":"https","has_drm":"maybe","height":240,"acodec":null,"vcodec":null}`
		file       = `{"url":"file:///etc/passwd","protocol":"https","height":1080}`
		ftp        = `{"url":"ftp://c.test/a.mp4","protocol":"ftp","height":1080}`
	)
	const music = "https://soundcloud.com/a/b?v=1"
	for _, c := range []struct {
		at      string
		formats []string
		want    string // the file, or the sentence after "!"
	}{
		{"", []string{silent, small, large, huge, low, high, stream, storyboard}, "https://c.test/large.mp4"},
		{"", []string{huge, low, small}, "https://c.test/small.mp4"},
		{"", []string{huge, low}, "https://c.test/huge.mp4"},
		{"", []string{silent, low, high}, "https://c.test/high.webm"},
		{"", []string{dubbed, small}, "https://c.test/small.mp4"},
		{"", []string{protected, maybe, file, ftp}, "https://c.test/maybe.mp4"},
		{music, []string{small, large, low, high}, "https://c.test/high.webm"},
		{music, []string{stream, small}, "https://c.test/small.mp4"},
		{"", []string{stream, manifest, storyboard, silent}, "!YouTube only streams this media in pieces, which can't be downloaded as a file."},
		{"", []string{protected, stream}, "!YouTube protects its media, so that it can't be downloaded."},
		{"", []string{file}, "!YouTube only streams this media in pieces, which can't be downloaded as a file."},
		{"", nil, "!The page on YouTube has no media."},
	} {
		if c.at == "" {
			c.at = video()
		}
		answer := `{"_type":"video","title":" A\n title ","formats":[` + strings.Join(c.formats, ",") + `]}`
		got, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), page(c.at, "answer", answer))
		if sentence, bad := strings.CutPrefix(c.want, "!"); bad {
			requireError(t, err, engine.CodeDownload, false, sentence)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, engine.Resolved{URL: c.want, Title: "A title"}, got)
	}
}

// A page of one file without a list of formats is that file.
func TestSingleFile(t *testing.T) {
	t.Parallel()
	got, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), video("answer", `{"title":"T","url":"https://c.test/a.mp4","protocol":"https","vcodec":null}`))
	require.NoError(t, err)
	require.Equal(t, engine.Resolved{URL: "https://c.test/a.mp4", Title: "T"}, got)
}

// The headers that the media's server wants come along as far as they may be sent, with the cookies that are for its host.
func TestResolvedHeaders(t *testing.T) {
	t.Parallel()
	answer, err := json.Marshal(map[string]any{"title": "T", "formats": []any{map[string]any{
		"url": "https://v16.tiktok.com/a.mp4", "protocol": "https",
		"http_headers": map[string]string{"User-Agent": "Browser/1", "Referer": "https://www.tiktok.com/", "Authorization": "x", "Sec-Fetch-Mode": "navigate", "Accept": "a\r\nb: c"},
		"cookies":      `tt="a=1"; Domain=.tiktok.com; Path=/; Secure; Expires=1700000000; other=2; Domain=evil.test; Path=/; sid=3; Domain=".tiktok.com"; lost=4`,
	}}})
	require.NoError(t, err)
	got, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), page("https://www.tiktok.com/@a/video/1?v=1", "answer", string(answer)))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"User-Agent": "Browser/1", "Referer": "https://www.tiktok.com/", "Cookie": `tt="a=1"; sid=3`}, got.Header)
}

// yt-dlp is told to say and not to download, with no general extractor, and gets nothing of our environment.
func TestArguments(t *testing.T) {
	t.Setenv("SOUNDSTAGE_SECRET", "hunter2")
	t.Setenv("HTTPS_PROXY", "http://other.test")
	got, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), video("echo", "1"))
	require.NoError(t, err)
	require.Contains(t, got.Title, "--ignore-config --dump-single-json --no-playlist")
	require.Contains(t, got.Title, "--no-cookies --no-cookies-from-browser --ies default,-generic")
	require.Regexp(t, `--proxy http://soundstage:[A-Z0-9]{26}@127\.0\.0\.1:\d+ -- https://www\.youtube\.com/watch\?v=1&echo=1 ::`, got.Title)
	require.NotContains(t, got.Title, "hunter2")
	require.NotContains(t, got.Title, "other.test")
	home := regexp.MustCompile(` HOME=(\S+)`).FindStringSubmatch(got.Title)
	require.Len(t, home, 2)
	require.NoDirExists(t, home[1], "its folder is removed")
}

// What yt-dlp asks for goes through our proxy: what is permitted comes, in the clear and through a tunnel.
func TestProxyLetsThrough(t *testing.T) {
	t.Parallel()
	hello := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "hello "+r.Host+r.Header.Get("Proxy-Authorization"))
	}
	plain := serve(t, hello)
	secure, _ := serveTLS(t, hello)
	y := ytdlp(t, fetch.YTDLPConfig{Config: fetch.Config{AllowPrivate: true}})
	got, err := y.Resolve(context.Background(), video("get", plain.URL, "get", secure.URL))
	require.NoError(t, err)
	require.Contains(t, got.Title, "200 hello "+plain.Listener.Addr().String()+" | ")
	require.Contains(t, got.Title, "certificate", "the tunnel leads to the server's own handshake")
}

// No private address is reached through the proxy, by itself or by a name, in the clear or through a tunnel; and when yt-dlp
// fails over it, the page is told to be not public.
func TestProxyIsGuarded(t *testing.T) {
	t.Parallel()
	trap := newCanary(t, "127.0.0.1:0")
	dns := newNameServer()
	dns.add("private.test", []netip.Addr{netip.MustParseAddr("127.0.0.1")})
	y := ytdlp(t, fetch.YTDLPConfig{Config: fetch.Config{AllowPorts: []uint16{443, trap.port()}, Resolver: dns.resolver()}})
	_, port, err := net.SplitHostPort(trap.Addr().String())
	require.NoError(t, err)
	for _, host := range []string{"127.0.0.1", "private.test", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1", "0x7f.1"} {
		for _, scheme := range []string{"http://", "https://"} {
			got, err := y.Resolve(context.Background(), video("get", scheme+host+":"+port+"/"))
			require.NoError(t, err)
			require.Regexp(t, `403|Forbidden|502|Bad Gateway`, got.Title)
		}
	}
	_, err = y.Resolve(context.Background(), video("get", "http://private.test:"+port+"/", "exit", "1"))
	requireError(t, err, engine.CodeNotPublic, false, notPublic)
	trap.requireSilent(t)
}

// Who doesn't know the proxy's token gets nothing through it.
func TestProxyWantsItsToken(t *testing.T) {
	t.Parallel()
	proxy, closeProxy := fetch.NewProxy(t, fetch.Config{AllowPrivate: true})
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	require.Contains(t, through(proxy.String(), server.URL), "200")
	stranger := *proxy
	for _, user := range []*url.Userinfo{nil, url.UserPassword("soundstage", "guess"), url.User("soundstage")} {
		stranger.User = user
		require.Contains(t, through(stranger.String(), server.URL), "407")
		require.Contains(t, through(stranger.String(), "https"+server.URL[len("http"):]), "Proxy Authentication Required")
	}
	require.Contains(t, through(proxy.String(), "http://"+proxy.Host+"/"), "407", "the proxy is no server of its own")
	closeProxy()
	require.Regexp(t, `refused|reset`, through(proxy.String(), server.URL))
}

// The end of the proxy is the end of every tunnel through it.
func TestProxyEndsItsTunnels(t *testing.T) {
	t.Parallel()
	server := newCanary(t, "127.0.0.1:0")
	proxy, closeProxy := fetch.NewProxy(t, fetch.Config{AllowPrivate: true})
	c, err := net.Dial("tcp", proxy.Host)
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	req, err := http.NewRequest(http.MethodConnect, "http://"+server.Addr().String(), nil)
	require.NoError(t, err)
	password, _ := proxy.User.Password()
	req.SetBasicAuth("soundstage", password)
	req.Header["Proxy-Authorization"] = req.Header["Authorization"]
	require.NoError(t, req.Write(c))
	far, err := server.Accept()
	require.NoError(t, err)
	defer func() { _ = far.Close() }()
	_, err = io.WriteString(far, "hello")
	require.NoError(t, err)
	got := make([]byte, len("HTTP/1.1 200 Connection established\r\n\r\nhello"))
	_, err = io.ReadFull(c, got)
	require.NoError(t, err)
	require.Equal(t, "HTTP/1.1 200 Connection established\r\n\r\nhello", string(got))
	closeProxy()
	for _, end := range []net.Conn{c, far} {
		_, err = end.Read(got)
		require.Error(t, err)
	}
}

// Each way in which yt-dlp fails has its sentence; its own words are for the log only.
func TestYTDLPFailures(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts hundreds of programs")
	y := ytdlp(t, fetch.YTDLPConfig{})
	for _, c := range []struct {
		do        []string
		retryable bool
		sentence  string
	}{
		{[]string{"answer", ""}, true, "yt-dlp gave no answer that can be read for the page on YouTube."},
		{[]string{"answer", "garbage"}, true, "yt-dlp gave no answer that can be read for the page on YouTube."},
		{[]string{"answer", `{"title":"a`}, true, "yt-dlp gave no answer that can be read for the page on YouTube."},
		{[]string{"answer", `[1]`}, true, "yt-dlp gave no answer that can be read for the page on YouTube."},
		{[]string{"answer", `null`}, false, "The page on YouTube has no media."},
		{[]string{"answer", `{"_type":"playlist","entries":[{}]}`}, false, "The page on YouTube has several files: use the page of one of them."},
		{[]string{"answer", `{"live_status":"is_live","url":"https://c.test/a"}`}, true, "The broadcast on YouTube is not over yet."},
		{[]string{"flood", "1"}, false, "The page of YouTube is too large to be read."},
		{[]string{"exit", "1"}, true, "The media of the page on YouTube could not be found."},
		{[]string{"exit", "1", "stderr", "ERROR: [youtube] drmPrivate: Something else"}, true, "The media of the page on YouTube could not be found."},
		{[]string{"exit", "1", "stderr", "WARNING: drm\nERROR: [youtube] x: Video unavailable"}, false, "YouTube has no such page, or no longer."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: This video is DRM protected"}, false, "YouTube protects this media, so that it can't be downloaded."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: Private video. Sign in if you've been granted access"}, false, "YouTube shows this page only to people who have signed in."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: The uploader has not made this video available in your country"}, false, "YouTube does not show this page in the country of this server."},
		{[]string{"exit", "1", "stderr", "ERROR: Unsupported URL: https://www.youtube.com/"}, false, "This page of YouTube has no media that is known how to get."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: No video formats found!"}, false, "This page of YouTube has no media that can be downloaded."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: Unable to download webpage: HTTP Error 429: Too Many Requests"}, true, "YouTube asks to come again later."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: Premieres in 3 hours"}, true, "The broadcast on YouTube has not begun yet."},
	} {
		got, err := y.Resolve(context.Background(), video(c.do...))
		requireError(t, err, engine.CodeDownload, c.retryable, c.sentence)
		require.Equal(t, c.sentence, engine.Message(err))
		require.Zero(t, got)
	}
}

// Of yt-dlp's complaints the last 4 KiB are in the error for the log, and nothing of them in its sentence.
func TestComplaintsAreForTheLog(t *testing.T) {
	t.Parallel()
	_, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), video("exit", "1", "stderr", "first "+strings.Repeat("a", 5000)+" last"))
	require.ErrorContains(t, err, " last")
	require.NotContains(t, err.Error(), "first")
	require.Less(t, len(err.Error()), 5000)
	require.NotContains(t, engine.Message(err), "last")
}

// A yt-dlp that doesn't end is ended, with its children: at its timeout, and when the caller gives up.
func TestHangingYTDLPIsEnded(t *testing.T) {
	t.Parallel()
	for _, patient := range []bool{false, true} {
		l := newCanary(t, "127.0.0.1:0")
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		timeout := time.Hour
		if !patient {
			timeout = 5 * time.Second
		}
		ended := make(chan error, 1)
		go func() {
			child, err := l.Accept()
			if err == nil && patient {
				cancel()
			}
			if err == nil {
				_, err = child.Read(make([]byte, 1)) // until it is killed
			}
			ended <- err
		}()
		_, err := ytdlp(t, fetch.YTDLPConfig{Timeout: timeout}).Resolve(ctx, video("hold", l.Addr().String()))
		if patient {
			requireError(t, err, engine.CodeCanceled, false, "canceled")
			require.ErrorIs(t, err, context.Canceled)
		} else {
			requireError(t, err, engine.CodeDownload, true, "YouTube did not answer in time.")
		}
		require.Error(t, <-ended, "the child was killed")
	}
}

// A page of no known site is not asked for, a protected site is refused with a sentence, and no URL is one.
func TestPagesThatAreNotResolved(t *testing.T) {
	t.Parallel()
	y := ytdlp(t, fetch.YTDLPConfig{})
	for _, at := range []string{"https://example.com/watch?v=1", "https://example.com/a.mp3", "http://127.0.0.1/", "https://youtube.com.evil.test/"} {
		_, err := y.Resolve(context.Background(), at)
		requireError(t, err, engine.CodeUnsupported, false, "no page of a site that is known")
	}
	_, err := y.Resolve(context.Background(), "https://open.spotify.com/episode/1")
	requireError(t, err, engine.CodeDownload, false, "Spotify protects its media, so that it can't be downloaded.")
	for _, at := range []string{"", "ytsearch:cats", "-U", "file:///etc/passwd", "https://user@www.youtube.com/watch?v=1", "https://www.youtube.com:22/"} {
		_, err := y.Resolve(context.Background(), at)
		requireError(t, err, engine.CodeInvalid, false, "url ")
	}
}

// Without the program there is no resolver, and when it goes away later that is told the same way.
func TestMissingProgram(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", "/does/not/exist/yt-dlp", t.TempDir(), "no-such-program-anywhere"} {
		_, err := fetch.NewYTDLP(fetch.YTDLPConfig{Path: path})
		requireError(t, err, engine.CodeUnavailable, false, "yt-dlp is not installed")
	}
	gone := t.TempDir() + "/yt-dlp"
	require.NoError(t, os.WriteFile(gone, []byte("#!/bin/sh\n"), 0o700))
	y, err := fetch.NewYTDLP(fetch.YTDLPConfig{Path: gone})
	require.NoError(t, err)
	require.NoError(t, os.Remove(gone))
	_, err = y.Resolve(context.Background(), video())
	requireError(t, err, engine.CodeUnavailable, false, "yt-dlp is not installed")
	require.True(t, errors.Is(err, os.ErrNotExist))
}
