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

// ytdlp returns a resolver whose yt-dlp is the test binary.
func ytdlp(t *testing.T, cfg fetch.YTDLPConfig) *fetch.YTDLP {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cfg.Path = self
	y, err := fetch.NewYTDLP(cfg)
	require.NoError(t, err)
	return y
}

// video returns a page of a video site. The fake yt-dlp obeys the pairs of names and values in its query.
func video(do ...string) string { return page("https://www.youtube.com/watch?v=1", do...) }

func page(at string, do ...string) string {
	for i := 0; i < len(do); i += 2 {
		at += "&" + do[i] + "=" + url.QueryEscape(do[i+1])
	}
	return at
}

// Resolve chooses the best file: from a video site with a picture of at most 1080 lines, from an audio site with sound
// only, and in the page's own language. It never chooses a manifest, a storyboard, or a silent or protected track.
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
		want    string // the file, or "!" and the message
	}{
		{"", []string{silent, small, large, huge, low, high, stream, storyboard}, "https://c.test/large.mp4"},
		{"", []string{huge, low, small}, "https://c.test/small.mp4"},
		{"", []string{huge, low}, "https://c.test/huge.mp4"},
		{"", []string{silent, low, high}, "https://c.test/high.webm"},
		{"", []string{dubbed, small}, "https://c.test/small.mp4"},
		{"", []string{protected, maybe, file, ftp}, "https://c.test/maybe.mp4"},
		{music, []string{small, large, low, high}, "https://c.test/high.webm"},
		{music, []string{stream, small}, "https://c.test/small.mp4"},
		{"", []string{stream, manifest, storyboard, silent}, "!YouTube streams this media in segments, so it can't be downloaded as a file."},
		{"", []string{protected, stream}, "!YouTube protects its media, so it can't be downloaded."},
		{"", []string{file}, "!YouTube streams this media in segments, so it can't be downloaded as a file."},
		{"", nil, "!The YouTube page has no media."},
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

// A page without a list of formats resolves to its single file.
func TestSingleFile(t *testing.T) {
	t.Parallel()
	got, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), video("answer", `{"title":"T","url":"https://c.test/a.mp4","protocol":"https","vcodec":null}`))
	require.NoError(t, err)
	require.Equal(t, engine.Resolved{URL: "https://c.test/a.mp4", Title: "T"}, got)
}

// Resolve returns the headers that may be sent, with the cookies for the media's host.
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

// yt-dlp runs without downloads and the generic extractor, and gets no environment variables.
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
	require.NoDirExists(t, home[1], "the temporary home is removed")
}

// yt-dlp's allowed requests go through the proxy, in plain text and through a tunnel.
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
	require.Contains(t, got.Title, "certificate", "the tunnel reaches the server's TLS handshake")
}

// The proxy connects to no private address, as a literal or a name, in plain text or through a tunnel. If yt-dlp fails
// because of this, the error is CodeNotPublic.
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

// The proxy refuses requests without its token.
func TestProxyWantsItsToken(t *testing.T) {
	t.Parallel()
	proxy, closeProxy := fetch.NewProxy(t, fetch.Config{AllowPrivate: true})
	server := serve(t, func(http.ResponseWriter, *http.Request) {})
	require.Contains(t, viaProxy(proxy.String(), server.URL), "200")
	stranger := *proxy
	for _, user := range []*url.Userinfo{nil, url.UserPassword("soundstage", "guess"), url.User("soundstage")} {
		stranger.User = user
		require.Contains(t, viaProxy(stranger.String(), server.URL), "407")
		require.Contains(t, viaProxy(stranger.String(), "https"+server.URL[len("http"):]), "Proxy Authentication Required")
	}
	require.Contains(t, viaProxy(proxy.String(), "http://"+proxy.Host+"/"), "407", "the proxy serves no content itself")
	closeProxy()
	require.Regexp(t, `refused|reset`, viaProxy(proxy.String(), server.URL))
}

// Closing the proxy closes every tunnel through it.
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

// Each failure of yt-dlp has its own message. yt-dlp's own words go only to the log.
func TestYTDLPFailures(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it starts hundreds of processes")
	y := ytdlp(t, fetch.YTDLPConfig{})
	for _, c := range []struct {
		do        []string
		retryable bool
		sentence  string
	}{
		{[]string{"answer", ""}, true, "yt-dlp returned invalid output for the YouTube page."},
		{[]string{"answer", "garbage"}, true, "yt-dlp returned invalid output for the YouTube page."},
		{[]string{"answer", `{"title":"a`}, true, "yt-dlp returned invalid output for the YouTube page."},
		{[]string{"answer", `[1]`}, true, "yt-dlp returned invalid output for the YouTube page."},
		{[]string{"answer", `null`}, false, "The YouTube page has no media."},
		{[]string{"answer", `{"_type":"playlist","entries":[{}]}`}, false, "The YouTube page has several files. Use the page of one of them."},
		{[]string{"answer", `{"live_status":"is_live","url":"https://c.test/a"}`}, true, "The broadcast on YouTube has not ended yet."},
		{[]string{"flood", "1"}, false, "The metadata of the YouTube page is larger than 16 MiB."},
		{[]string{"exit", "1"}, true, "No media was found on the YouTube page."},
		{[]string{"exit", "1", "stderr", "ERROR: [youtube] drmPrivate: Something else"}, true, "No media was found on the YouTube page."},
		{[]string{"exit", "1", "stderr", "WARNING: drm\nERROR: [youtube] x: Video unavailable"}, false, "YouTube has no such page, or has removed it."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: This video is DRM protected"}, false, "YouTube protects this media with DRM, so it can't be downloaded."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: Private video. Sign in if you've been granted access"}, false, "YouTube shows this page only to signed-in users."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: The uploader has not made this video available in your country"}, false, "YouTube does not show this page in this server's country."},
		{[]string{"exit", "1", "stderr", "ERROR: Unsupported URL: https://www.youtube.com/"}, false, "yt-dlp does not support this YouTube page."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: No video formats found!"}, false, "This YouTube page has no media that can be downloaded."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: Unable to download webpage: HTTP Error 429: Too Many Requests"}, true, "YouTube limits the rate of requests. Try again later."},
		{[]string{"exit", "1", "stderr", "ERROR: [x] y: Premieres in 3 hours"}, true, "The broadcast on YouTube has not started yet."},
	} {
		got, err := y.Resolve(context.Background(), video(c.do...))
		requireError(t, err, engine.CodeDownload, c.retryable, c.sentence)
		require.Equal(t, c.sentence, engine.Message(err))
		require.Zero(t, got)
	}
}

// The logged error contains the last 4 KiB of yt-dlp's stderr; the message contains none of it.
func TestComplaintsAreForTheLog(t *testing.T) {
	t.Parallel()
	_, err := ytdlp(t, fetch.YTDLPConfig{}).Resolve(context.Background(), video("exit", "1", "stderr", "first "+strings.Repeat("a", 5000)+" last"))
	require.ErrorContains(t, err, " last")
	require.NotContains(t, err.Error(), "first")
	require.Less(t, len(err.Error()), 5000)
	require.NotContains(t, engine.Message(err), "last")
}

// A hanging yt-dlp is killed with its children, at the timeout and when the caller cancels.
func TestHangingYTDLPIsEnded(t *testing.T) {
	t.Parallel()
	slow.Short(t, "it waits for timeouts")
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

// Resolve refuses pages of unknown sites, protected sites, and invalid URLs.
func TestPagesThatAreNotResolved(t *testing.T) {
	t.Parallel()
	y := ytdlp(t, fetch.YTDLPConfig{})
	for _, at := range []string{"https://example.com/watch?v=1", "https://example.com/a.mp3", "http://127.0.0.1/", "https://youtube.com.evil.test/"} {
		_, err := y.Resolve(context.Background(), at)
		requireError(t, err, engine.CodeUnsupported, false, "not a page of a supported site")
	}
	_, err := y.Resolve(context.Background(), "https://open.spotify.com/episode/1")
	requireError(t, err, engine.CodeDownload, false, "Spotify protects its media, so it can't be downloaded.")
	for _, at := range []string{"", "ytsearch:cats", "-U", "file:///etc/passwd", "https://user@www.youtube.com/watch?v=1", "https://www.youtube.com:22/"} {
		_, err := y.Resolve(context.Background(), at)
		requireError(t, err, engine.CodeInvalid, false, "url ")
	}
}

// A missing program is CodeUnavailable, in NewYTDLP and when it disappears later.
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
