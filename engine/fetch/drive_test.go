package fetch_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

const googleFile = "https://drive.usercontent.google.com/download?export=download&id=1A_b-C"

// Each kind of share link converts to the file's URL, and keeps the parameters that grant access.
func TestDirectLink(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ link, direct, provider string }{
		{"https://drive.google.com/file/d/1A_b-C/view?usp=sharing", googleFile, "Google Drive"},
		{"https://drive.google.com/file/d/1A_b-C", googleFile, "Google Drive"},
		{"http://drive.google.com/file/d/1A_b-C/edit#gid=0", googleFile, "Google Drive"},
		{"https://drive.google.com/file/u/1/d/1A_b-C/view", googleFile, "Google Drive"},
		{"https://drive.google.com/a/example.com/file/d/1A_b-C/view", googleFile, "Google Drive"},
		{"https://drive.google.com/open?id=1A_b-C&usp=drive_fs", googleFile, "Google Drive"},
		{"https://drive.google.com/uc?id=1A_b-C", googleFile, "Google Drive"},
		{"https://drive.google.com/uc?export=download&confirm=1&id=1A_b-C", googleFile, "Google Drive"},
		{"https://docs.google.com/uc?id=1A_b-C", googleFile, "Google Drive"},
		{"https://drive.usercontent.google.com/download?id=1A_b-C&authuser=0", googleFile, "Google Drive"},
		{"https://drive.usercontent.google.com/uc?id=1A_b-C", googleFile, "Google Drive"},
		{"https://drive.google.com/file/d/1A_b-C/view?resourcekey=0-x_y", googleFile + "&resourcekey=0-x_y", "Google Drive"},
		{"https://drive.google.com/file/d/1A_b-C/view?resourcekey=a%26b", googleFile + "&resourcekey=a%26b", "Google Drive"},
		{"https://drive.google.com/drive/folders/1A_b-C?id=2", "", "Google Drive"},
		{"https://drive.google.com/file/d/", "", "Google Drive"},
		{"https://drive.google.com/open?id=../secret", "", "Google Drive"},
		{"https://docs.google.com/document/d/1A_b-C/edit", "", "Google Drive"},

		{"https://www.dropbox.com/s/abc/show.mp3?dl=0", "https://www.dropbox.com/s/abc/show.mp3?dl=1", "Dropbox"},
		{"https://www.dropbox.com/s/abc/show.mp3", "https://www.dropbox.com/s/abc/show.mp3?dl=1", "Dropbox"},
		{"https://dropbox.com/s/abc/show.mp3?raw=1", "https://dropbox.com/s/abc/show.mp3?dl=1", "Dropbox"},
		{"https://www.dropbox.com/scl/fi/abc/my%20show.mp3?rlkey=k%2Fy&e=1&st=s&dl=0", "https://www.dropbox.com/scl/fi/abc/my%20show.mp3?rlkey=k%2Fy&e=1&st=s&dl=1", "Dropbox"},
		{"http://www.dropbox.com/sh/abc/def/show.mp3?dl=0", "https://www.dropbox.com/sh/abc/def/show.mp3?dl=1", "Dropbox"},
		{"https://www.dropbox.com/home/show.mp3", "", "Dropbox"},
		{"https://dl.dropboxusercontent.com/s/abc/show.mp3", "", "Dropbox"},

		{"https://1drv.ms/u/s!Abc", "https://api.onedrive.com/v1.0/shares/u!aHR0cHM6Ly8xZHJ2Lm1zL3UvcyFBYmM/root/content", "OneDrive"},
		{"https://onedrive.live.com/?id=1&cid=2", "https://api.onedrive.com/v1.0/shares/u!aHR0cHM6Ly9vbmVkcml2ZS5saXZlLmNvbS8_aWQ9MSZjaWQ9Mg/root/content", "OneDrive"},
		{"https://onedrive.live.com/download?resid=1&authkey=2", "", "OneDrive"},

		{"https://acme.sharepoint.com/:v:/s/team/Eabc?e=xyz", "https://acme.sharepoint.com/:v:/s/team/Eabc?e=xyz&download=1", "SharePoint"},
		{"https://acme-my.sharepoint.com/:u:/g/personal/me/Eabc", "https://acme-my.sharepoint.com/:u:/g/personal/me/Eabc?download=1", "SharePoint"},
		{"https://acme.sharepoint.com/:v:/s/team/Eabc?web=1&download=0", "https://acme.sharepoint.com/:v:/s/team/Eabc?download=1", "SharePoint"},
		{"https://acme.sharepoint.com/sites/x/_layouts/15/download.aspx?share=E", "", "SharePoint"},

		{"https://app.box.com/s/abc123", "https://app.box.com/shared/static/abc123", "Box"},
		{"https://acme.app.box.com/s/abc123?page=1", "https://acme.app.box.com/shared/static/abc123", "Box"},
		{"https://app.box.com/s/abc123/folder/1", "", "Box"},
		{"https://app.box.com/shared/static/abc123.mp3", "", "Box"},

		{"https://example.com/file/d/1A_b-C/view", "", ""},
		{"https://drive.google.com.evil.test/file/d/1A_b-C/view", "", ""},
		{"https://notdropbox.com/s/abc/show.mp3?dl=0", "", ""},
		{"https://sharepoint.com/:v:/s/team/Eabc", "", ""},
		{"file:///etc/passwd", "", ""},
		{"", "", ""},
	} {
		direct, provider := fetch.DirectLink(c.link)
		if c.direct == "" {
			c.direct = c.link
		}
		require.Equal(t, c.direct, direct, c.link)
		require.Equal(t, c.provider, provider, c.link)
		again, _ := fetch.DirectLink(direct)
		require.Equal(t, direct, again, "a direct link converts to itself")
	}
}

// driveClient returns a client whose every connection to a cloud drive reaches h.
func driveClient(t *testing.T, h http.HandlerFunc) *fetch.Client {
	t.Helper()
	cert, roots := certificate(t, "*.google.com", "*.usercontent.google.com", "www.dropbox.com", "api.onedrive.com", "*.sharepoint.com", "app.box.com")
	server := httptest.NewUnstartedServer(h)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
	server.StartTLS()
	t.Cleanup(server.Close)
	client := fetch.New(fetch.Config{AllowPrefixes: []netip.Prefix{loopback4()}, AllowPorts: []uint16{443, portOf(t, server.URL)}, RootCAs: roots})
	client.Redial(server.Listener.Addr().String())
	return client
}

// certificate returns a certificate for names, and the pool that trusts it.
func certificate(t *testing.T, names ...string) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: names, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	parsed, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, roots
}

// Fetch downloads the shared file of a share link.
func TestSharedFile(t *testing.T) {
	t.Parallel()
	client := driveClient(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.Host + r.URL.RequestURI() {
		case "drive.usercontent.google.com/download?export=download&id=1A_b-C", "www.dropbox.com/scl/fi/a/b.mp3?rlkey=k&dl=1",
			"api.onedrive.com/v1.0/shares/u!aHR0cHM6Ly8xZHJ2Lm1zL3UvcyFBYmM/root/content", "acme.sharepoint.com/:v:/s/team/Eabc?download=1",
			"app.box.com/shared/static/abc123":
			w.Header().Set("Content-Disposition", `attachment; filename="show.mp3"`)
			_, _ = w.Write(media())
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	})
	for _, link := range []string{
		"https://drive.google.com/file/d/1A_b-C/view", "https://www.dropbox.com/scl/fi/a/b.mp3?rlkey=k&dl=0", "https://1drv.ms/u/s!Abc",
		"https://acme.sharepoint.com/:v:/s/team/Eabc", "https://app.box.com/s/abc123",
	} {
		got, info, err := get(client, link)
		require.NoError(t, err, link)
		require.Equal(t, media(), got)
		require.Equal(t, "show.mp3", info.Filename)
	}
}

// When a drive shows a page or refuses access, the error names the drive and says what to do.
func TestNotShared(t *testing.T) {
	t.Parallel()
	client := driveClient(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("status") != "" || strings.Contains(r.URL.Path, "/static/") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = w.Write([]byte("<!DOCTYPE html><title>Sign in</title>"))
	})
	for link, sentence := range map[string]string{
		"https://drive.google.com/file/d/1A_b-C/view":      "Google Drive showed a web page instead of the file. Share the file with anyone who has the link.",
		"https://drive.google.com/drive/folders/1A_b-C":    "Google Drive showed a web page instead of the file. Share the file with anyone who has the link.",
		"https://www.dropbox.com/s/abc/show.mp3":           "Dropbox showed a web page instead of the file. Share the file with anyone who has the link.",
		"https://www.dropbox.com/s/abc/show.mp3?status=no": "Dropbox refused the file. Share the file with anyone who has the link.",
		"https://app.box.com/s/abc123":                     "Box refused the file. Share the file with anyone who has the link.",
	} {
		got, _, err := get(client, link)
		requireError(t, err, engine.CodeDownload, false, sentence)
		require.Empty(t, got)
	}
}

const warning = `<!DOCTYPE html><html><head><title>Google Drive - Virus scan warning</title></head><body>
<form action="https://accounts.google.com/search"><input type="hidden" name="id" value="no"></form>
<form id="download-form" action="https://drive.usercontent.google.com/download" method="get">
<input type="submit" id="uc-download-link" class="button" value="Download anyway"/>
<input type="hidden" name="id" value="1A_b-C"><INPUT value='download' name=export type=hidden>
<input type="hidden" name="confirm" value="t"><input type="hidden" name="at" value="a&amp;b:1">
<input type="hidden" name="uuid" value="c0ffee"></form></body></html>`

// Fetch submits the form of the page before a large Google Drive file, and downloads the file.
func TestGoogleWarning(t *testing.T) {
	t.Parallel()
	client := driveClient(t, func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if query.Get("uuid") == "c0ffee" && query.Get("at") == "a&b:1" && query.Get("confirm") == "t" && query.Get("export") == "download" {
			_, _ = w.Write(media())
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(warning))
	})
	got, _, err := get(client, "https://drive.google.com/uc?id=1A_b-C")
	require.NoError(t, err)
	require.Equal(t, media(), got)
}

// A form that leads elsewhere is not submitted. A second warning and an endless page are errors.
func TestGoogleWarningLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"other host":   strings.ReplaceAll(warning, "drive.usercontent.google.com", "evil.test"),
		"other scheme": strings.ReplaceAll(warning, "https://drive", "http://drive"),
		"other port":   strings.ReplaceAll(warning, "google.com/download", "google.com:444/download"),
		"no file":      strings.ReplaceAll(warning, `name="id"`, `name="other"`),
		"no end":       strings.ReplaceAll(warning, "</form>", ""),
		"again":        warning,
		"huge":         strings.Repeat("<form>", 200_000),
	} {
		asked := 0
		client := driveClient(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			require.Equal(t, "drive.usercontent.google.com", r.Host)
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(page))
		})
		_, _, err := get(client, "https://drive.google.com/uc?id=1A_b-C")
		requireError(t, err, engine.CodeDownload, false, "Google Drive showed a web page")
		require.LessOrEqual(t, asked, 2, name)
	}
}

// The error for an exceeded Google Drive quota is retryable.
func TestGoogleQuota(t *testing.T) {
	t.Parallel()
	client := driveClient(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Google Drive - Quota exceeded</title>"))
	})
	_, _, err := get(client, "https://drive.google.com/uc?id=1A_b-C")
	requireError(t, err, engine.CodeDownload, true, "downloaded too often")
}

// The guard checks a drive's download URL like any other.
func TestDriveIsGuarded(t *testing.T) {
	t.Parallel()
	dns := newNameServer()
	dns.add("www.dropbox.com", []netip.Addr{netip.MustParseAddr("127.0.0.1")})
	client := fetch.New(fetch.Config{Resolver: dns.resolver()})
	_, err := client.Fetch(context.Background(), engine.FetchRequest{URL: "https://www.dropbox.com/s/abc/show.mp3"}, &bytes.Buffer{})
	requireError(t, err, engine.CodeNotPublic, false, notPublic)
}

// FuzzDirectLink looks for links that convert to an invalid URL, or change again on a second conversion.
func FuzzDirectLink(f *testing.F) {
	for _, link := range []string{
		"https://drive.google.com/file/d/1A_b-C/view?resourcekey=0-x", "https://drive.google.com/file/u/0/d/1/view", "https://www.dropbox.com/scl/fi/a/b?rlkey=k&dl=0&&=",
		"https://1drv.ms/u/s!Abc", "https://a.sharepoint.com/:v:/s/t/E?web=1", "https://app.box.com/s/a%2fb", "https://example.com/",
	} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		direct, provider := fetch.DirectLink(link)
		if provider == "" {
			require.Equal(t, link, direct)
			return
		}
		_, err := fetch.CheckURL(direct)
		require.NoError(t, err)
		again, same := fetch.DirectLink(direct)
		require.Equal(t, direct, again)
		if provider != "OneDrive" { // its API has another host
			require.Equal(t, provider, same)
		}
	})
}
