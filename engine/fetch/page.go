package fetch

import (
	"bytes"
	"mime"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// isPageType reports whether a media type is that of a web page.
func isPageType(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

// isPage reports whether a file begins like a web page: what the WHATWG MIME Sniffing standard calls text/html, or XML
// whose root is html.
func isPage(head []byte) bool {
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	kind := http.DetectContentType(head)
	return strings.HasPrefix(kind, "text/html") || strings.HasPrefix(kind, "text/xml") && isRootHTML(head)
}

// isRootHTML reports whether an XML document's root is html. It skips the declaration, comments, and processing
// instructions before the root (XML 1.0, section 2.8).
func isRootHTML(doc []byte) bool {
	for {
		doc = bytes.TrimLeft(doc, " \t\r\n")
		end := ""
		switch {
		case bytes.HasPrefix(doc, []byte("<?")):
			end = "?>"
		case bytes.HasPrefix(doc, []byte("<!--")):
			end = "-->"
		default:
			lower := bytes.ToLower(doc[:min(len(doc), 16)])
			return bytes.HasPrefix(lower, []byte("<html")) || bytes.HasPrefix(lower, []byte("<!doctype html"))
		}
		_, rest, ok := bytes.Cut(doc, []byte(end))
		if !ok {
			return false
		}
		doc = rest
	}
}

// mediaType returns the Content-Type without its parameters, in lower case; "" when there is none.
func mediaType(h http.Header) string {
	t, _, _ := mime.ParseMediaType(h.Get("Content-Type")) // the type is valid even if a parameter is malformed
	return t
}

// charset returns the charset of the Content-Type; "" when there is none.
func charset(h http.Header) string {
	_, parameters, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return parameters["charset"]
}

// webPage is the cause of the error for a web page instead of a file.
type webPage struct{}

func (webPage) Error() string { return "a web page" }

// WebPage lets other packages detect this cause without importing fetch.
func (webPage) WebPage() bool { return true }

// pageFailure returns the error for a web page. A cloud drive's page is most often a sign-in page.
func (d *download) pageFailure() *engine.Error {
	if d.drive != "" {
		return d.notShared("showed a web page instead of the file").Because(webPage{})
	}
	return engine.Errorf(engine.CodeDownload, op, "The address leads to a web page and not to media.").
		WithHint("Use the URL of the media file.").Because(webPage{})
}
