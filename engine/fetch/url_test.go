package fetch_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// usableURLs maps URLs as users write them to their canonical form.
func usableURLs() map[string]string {
	return map[string]string{
		"https://example.com/a.mp3":                  "https://example.com/a.mp3",
		"HTTPS://Example.COM/A.mp3":                  "https://example.com/A.mp3",
		"https://example.com":                        "https://example.com/",
		"https://example.com?x=1":                    "https://example.com/?x=1",
		"https://example.com./a":                     "https://example.com/a",
		"http://example.com:80/a":                    "http://example.com/a",
		"http://example.com:443/a":                   "http://example.com:443/a",
		"https://example.com:443/a":                  "https://example.com/a",
		"https://example.com:/a":                     "https://example.com/a",
		"https://example.com:08443/a":                "https://example.com:8443/a",
		"https://example.com/a#t=10":                 "https://example.com/a",
		"https://example.com/my file.mp3":            "https://example.com/my%20file.mp3",
		"https://example.com/a%2Fb%20c.mp3?d=%2F":    "https://example.com/a%2Fb%20c.mp3?d=%2F",
		"https://example.com/a?q=b c\"ä":             "https://example.com/a?q=b%20c%22%C3%A4",
		"https://my_bucket.s3.example.com/a":         "https://my_bucket.s3.example.com/a",
		"https://münchen.example/ä.mp3":              "https://m%C3%BCnchen.example/%C3%A4.mp3",
		"https://xn--mnchen-3ya.example/":            "https://xn--mnchen-3ya.example/",
		"https://4chan.example/":                     "https://4chan.example/",
		"https://1.2.3.4.example/":                   "https://1.2.3.4.example/",
		"https://0xa.example/":                       "https://0xa.example/",
		"http://8.8.8.8/a":                           "http://8.8.8.8/a",
		"http://8.8.8.8./a":                          "http://8.8.8.8/a",
		"http://127.0.0.1/a":                         "http://127.0.0.1/a", // private, which CheckURL doesn't check
		"http://localhost/a":                         "http://localhost/a",
		"http://[2606:4700::1]/a":                    "http://[2606:4700::1]/a",
		"http://[2606:4700:0:0::1]:8080/a":           "http://[2606:4700::1]:8080/a",
		"http://[::FFFF:8.8.8.8]/a":                  "http://[::ffff:8.8.8.8]/a",
		"http://example.com/../../etc/passwd":        "http://example.com/../../etc/passwd",
		"http://example.com/http://169.254.169.254/": "http://example.com/http://169.254.169.254/",
	}
}

// unusableURLs are refused before anything is resolved.
func unusableURLs() []string {
	return []string{
		// no absolute URL
		"", " ", "a.mp3", "/a.mp3", "./a.mp3", "//example.com/a.mp3", "example.com/a.mp3", "example.com:443/a.mp3",
		"http://", "http:///a", "http:/a", "http:a", "http:", "://example.com", " https://example.com/", "http//example.com",
		"https://example.com/\n", "https://exa mple.com/", "https://example.com/%zz", "http://\x00example.com/", "http://?a",
		// other schemes
		"file:///etc/passwd", "file:/etc/passwd", "file:a", "ftp://example.com/a", "gopher://127.0.0.1:70/_x", "data:audio/mpeg;base64,",
		"javascript:alert(1)", "blob:https://example.com/1", "concat:a|b", "rtmp://example.com/a", "unix:///var/run/docker.sock",
		"ws://example.com/", "httpx://example.com/", "jar:http://example.com/a!/b", "dict://127.0.0.1:11211/stat", "ldap://127.0.0.1",
		// user names, which also hide the host from a reader
		"http://user@example.com/", "http://user:pass@example.com/", "http://@example.com/", "http://:@example.com/",
		"http://example.com@127.0.0.1/", "http://example.com%40@127.0.0.1/",
		// hosts that resolvers read differently
		"http://0x7f.1/", "http://0x7f000001/", "http://0X7F.0.0.1/", "http://2130706433/", "http://017700000001/",
		"http://0177.0.0.1/", "http://127.1/", "http://127.0.1/", "http://127.0.0.01/", "http://1/", "http://0/", "http://0x/",
		"http://4294967297/", "http://256.256.256.256/", "http://1.2.3.4.5/", "http://127.0.0.0x1/", "http://127.0.0.1../",
		"http://example.1/", "http://localhost.0x7f/", "http://example.com../", "http://.example.com/", "http://a..b/", "http://./", "http://../",
		"http://127。0。0。1/", "http://\uff11\uff12\uff17.0.0.1/", "http://①②⑦.⓪.⓪.①/", "http://ex\u200bample.com/", "http://ex\u00adample.com/",
		"http://%31%32%37.0.0.1/", "http://127.0.0.1%00.example.com/", "http://127.0.0.1%2f.example.com/", "http://a\\@b/", "http://a\\b/",
		"http://exam!ple.com/", "http://a,b/", "http://a;b/", "http://a&b/", "http://*.example.com/", "http://$(id).example.com/",
		"http://[::1/", "http://::1/", "http://[127.0.0.1]/", "http://[example.com]/", "http://[]/", "http://[fe80::1%25eth0]/",
		"http://[fe80::1%eth0]/", "http://[::1%25]/", "http://[2606:4700::1%251]/", "http://[::1].example.com/", "http://[::ffff:0x7f.1]/",
		// ports
		"http://example.com:0/", "http://example.com:65536/", "http://example.com:99999999999999999999/", "http://example.com:-1/",
		"http://example.com:http/", "http://example.com:80:80/", "http://example.com: 80/",
		// too long
		"https://example.com/" + strings.Repeat("a", 8<<10), "https://" + strings.Repeat("a", 64) + ".example/",
		"https://" + strings.Repeat("a.", 130) + "example/",
	}
}

// CheckURL returns the canonical form, which doesn't change again.
func TestCheckURLMakesCanonical(t *testing.T) {
	t.Parallel()
	for raw, want := range usableURLs() {
		u, err := fetch.CheckURL(raw)
		require.NoError(t, err, raw)
		require.Equal(t, want, u.String(), raw)
	}
}

// An invalid URL is CodeInvalid, not retryable, and its message begins with the parameter's name. An address in an unusual spelling
// has the code and the message of every address that is not public.
func TestCheckURLRefuses(t *testing.T) {
	t.Parallel()
	for _, raw := range unusableURLs() {
		_, err := fetch.CheckURL(raw)
		require.Error(t, err, raw)
		if engine.Message(err) == notPublic {
			requireError(t, err, engine.CodeNotPublic, false, notPublic)
			continue
		}
		requireError(t, err, engine.CodeInvalid, false, "url ")
		require.Regexp(t, `^url .*\.$`, engine.Message(err), raw)
	}
}

// The error doesn't contain the URL, which may be signed.
func TestCheckURLKeepsSecrets(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"https://exa mple.com/?sig=hunter2", "https://u:hunter2@example.com/", "https://example.com/%zz?hunter2"} {
		_, err := fetch.CheckURL(raw)
		require.Error(t, err)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// FuzzCheckURL checks that an accepted URL is http(s) and canonical, without a user or an ambiguous host, and that an
// error is CodeInvalid or CodeNotPublic.
func FuzzCheckURL(f *testing.F) {
	for raw := range usableURLs() {
		f.Add(raw)
	}
	for _, raw := range unusableURLs() {
		f.Add(raw)
	}
	for _, s := range specialAddresses() {
		f.Add(literalURL(s, 0))
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := fetch.CheckURL(raw)
		if err != nil {
			require.Contains(t, []engine.Code{engine.CodeInvalid, engine.CodeNotPublic}, engine.CodeOf(err))
			return
		}
		require.Contains(t, []string{"http", "https"}, u.Scheme)
		require.Nil(t, u.User)
		require.Empty(t, u.Fragment)
		require.NotContains(t, u.RequestURI(), " ")
		host := u.Hostname()
		require.NotEmpty(t, host)
		if last := host[strings.LastIndexByte(host, '.')+1:]; strings.Trim(last, "0123456789") == "" || strings.ContainsAny(host, ":%") {
			ip, err := netip.ParseAddr(host)
			require.NoError(t, err)
			require.Equal(t, host, ip.String())
			require.Empty(t, ip.Zone())
		}
		again, err := fetch.CheckURL(u.String())
		if len(u.String()) > 8<<10 {
			return // escaping made it longer than the limit
		}
		require.NoError(t, err)
		require.Equal(t, u.String(), again.String())
	})
}
