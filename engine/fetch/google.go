package fetch

import (
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

const (
	googleFiles = "drive.usercontent.google.com" // host of Google Drive's downloads
	maxWarning  = 512 << 10                      // bytes of a page that are searched for its form
)

var googleID = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

// googleLink returns the download URL for /file/d/ID, open?id=ID, uc?id=ID, or download?id=ID. It keeps the resource key,
// which older links need.
func googleLink(u *url.URL) *url.URL {
	query := u.Query()
	id := query.Get("id")
	if _, rest, ok := strings.Cut(u.Path, "/file/d/"); ok {
		id, _, _ = strings.Cut(rest, "/")
	} else if rest, ok := strings.CutPrefix(u.Path, "/file/u/"); ok { // one of several accounts
		_, rest, _ = strings.Cut(rest, "/d/")
		id, _, _ = strings.Cut(rest, "/")
	} else if strings.Contains(u.Path, "/folders/") {
		return u
	}
	if !googleID.MatchString(id) {
		return u
	}
	want := "export=download&id=" + id
	if key := query.Get("resourcekey"); key != "" {
		want += "&resourcekey=" + url.QueryEscape(key)
	}
	return &url.URL{Scheme: "https", Host: googleFiles, Path: "/download", RawQuery: want}
}

// submitWarning gets past the page that Google Drive shows before a file that is too large for its virus scan: it sends the
// page's form. It returns the response unchanged if another host sent the page.
func (d *download) submitWarning(res *http.Response) (*http.Response, error) {
	if host := res.Request.URL.Hostname(); res.StatusCode != http.StatusOK || host != googleFiles && host != "drive.google.com" {
		return res, nil
	}
	page, err := io.ReadAll(io.LimitReader(&watchedBody{src: res.Body, watch: d.watch}, maxWarning))
	_ = res.Body.Close()
	if err != nil {
		return nil, d.watch.bodyError(err, int64(len(page)), res.ContentLength)
	}
	if to, ok := warningForm(string(page)); ok {
		return d.get(to)
	}
	if strings.Contains(string(page), "Quota exceeded") {
		return nil, transient(errors.New("quota exceeded"), "Google Drive temporarily refuses the file because it was downloaded too often.")
	}
	return nil, d.pageFailure()
}

var (
	formTag   = lazyregexp.New(`(?is)<form\b([^>]*)>(.*?)</form>`)
	inputTag  = lazyregexp.New(`(?is)<input\b([^>]*)>`)
	attribute = lazyregexp.New(`(?s)([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)
)

// warningForm returns the URL that a browser would request for the page's form: its action and hidden inputs. It ignores
// forms that lead to another host.
func warningForm(page string) (*url.URL, bool) {
	for _, form := range formTag.FindAllStringSubmatch(page, -1) {
		to, err := CheckURL(attributes(form[1])["action"])
		if err != nil || to.Scheme != "https" || to.Host != googleFiles {
			continue
		}
		query := to.Query()
		for _, input := range inputTag.FindAllStringSubmatch(form[2], -1) {
			a := attributes(input[1])
			if strings.EqualFold(a["type"], "hidden") && a["name"] != "" {
				query.Set(a["name"], a["value"])
			}
		}
		if query.Get("id") == "" {
			continue
		}
		to.RawQuery = query.Encode()
		return to, true
	}
	return nil, false
}

// attributes returns the attributes of a tag, keyed by lower-case name.
func attributes(tag string) map[string]string {
	all := map[string]string{}
	for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
		all[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3] + m[4])
	}
	return all
}
