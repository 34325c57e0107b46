package fetch_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

// echo starts a server that returns the body and Content-Type in the query, and returns a function that builds its URLs.
func echo(t *testing.T) func(contentType, body string) string {
	t.Helper()
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = r.URL.Query()["type"]
		body, _ := base64.URLEncoding.DecodeString(r.URL.Query().Get("body"))
		_, _ = w.Write(body)
	})
	return func(contentType, body string) string {
		query := url.Values{"body": {base64.URLEncoding.EncodeToString([]byte(body))}}
		if contentType != "" {
			query.Set("type", contentType)
		}
		return server.URL + "/episode.mp3?" + query.Encode()
	}
}

// A web page is an error, whether its type or only its first bytes show it. Nothing of it is written.
func TestWebPageIsNotMedia(t *testing.T) {
	t.Parallel()
	at := echo(t)
	for _, c := range []struct{ contentType, body string }{
		{"text/html", "ID3 media under a wrong name"},
		{"text/html; charset=utf-8", "<!DOCTYPE html><title>Sign in</title>"},
		{"TEXT/HTML", "x"},
		{"text/html; charset", "x"},
		{"text/html", ""},
		{"application/xhtml+xml", "<html/>"},
		{"audio/mpeg", "<!DOCTYPE html><title>Sign in</title>"},
		{"audio/mpeg", "<!doctype HTML>\n"},
		{"audio/mpeg", " \r\n\t<html lang=en>"},
		{"audio/mpeg", "\ufeff<!DOCTYPE html>"},
		{"application/octet-stream", "<head><title>x</title>"},
		{"", "<script>location='/'</script>"},
		{"", "<!-- a comment --><html>"},
		{"", "<?xml version=\"1.0\"?><html xmlns=\"http://www.w3.org/1999/xhtml\">"},
		{"", "<?xml version=\"1.0\"?>\n<!-- <rss> --> <?xml-stylesheet href=\"a\"?>\n<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0\">"},
		{"", "<!DOCTYPE html>" + strings.Repeat(" ", 5_000)},
	} {
		got, _, err := get(private(fetch.Config{}), at(c.contentType, c.body))
		requireError(t, err, engine.CodeDownload, false, "leads to a web page and not to media")
		require.Empty(t, got, c.body)
		var e *engine.Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Hint)
	}
}

// Other content is downloaded, text and other XML too: the media probe decides whether it is media.
func TestOtherContentComesThrough(t *testing.T) {
	t.Parallel()
	at := echo(t)
	for _, c := range []struct{ contentType, body string }{
		{"audio/mpeg", "ID3\x04\x00"},
		{"", "RIFF\x00\x00\x00\x00WAVEfmt "},
		{"video/mp4", "\x00\x00\x00\x18ftypmp42"},
		{"text/plain", "WEBVTT\n\n<b>not a page</b>"},
		{"application/rss+xml", "<?xml version=\"1.0\"?><rss><channel><description><![CDATA[<html>]]></description></channel></rss>"},
		{"", "<?xml version=\"1.0\"?><!-- <html> --><rss/>"},
		{"", "<?xml version=\"1.0\"?><!-- never ends <html>"},
		{"", "<"},
		{"", "\ufeff"},
	} {
		got, info, err := get(private(fetch.Config{}), at(c.contentType, c.body))
		require.NoError(t, err, c.body)
		require.Equal(t, c.body, string(got))
		require.Equal(t, c.contentType, info.ContentType)
		require.Empty(t, info.Charset)
	}
	_, info, err := get(private(fetch.Config{}), at("Text/XML; Charset=ISO-8859-1", "<rss/>"))
	require.NoError(t, err)
	require.Equal(t, [2]string{"text/xml", "ISO-8859-1"}, [2]string{info.ContentType, info.Charset})
}
