package fetch

import (
	"errors"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

const (
	googleFiles = "drive.usercontent.google.com" // where Google Drive hands out files
	maxWarning  = 512 << 10                      // of a page that is read to find its form
)

var googleID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// googleLink returns where Google Drive hands out the file of /file/d/ID, open?id=ID, uc?id=ID or download?id=ID. The
// resource key is kept, without which older links are refused.
func googleLink(u *url.URL) *url.URL {
	query := u.Query()
	id := query.Get("id")
	if _, rest, ok := strings.Cut(u.Path, "/file/d/"); ok {
		id, _, _ = strings.Cut(rest, "/")
	} else if rest, ok := strings.CutPrefix(u.Path, "/file/u/"); ok { // of one of several accounts
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

// passWarning answers the page that Google Drive shows before a large file, which it could not scan for viruses: it sends
// the page's form. An answer with another page is left as it is.
func (d *download) passWarning(res *http.Response) (*http.Response, error) {
	if host := res.Request.URL.Hostname(); res.StatusCode != http.StatusOK || host != googleFiles && host != "drive.google.com" {
		return res, nil
	}
	page, err := io.ReadAll(io.LimitReader(&watchedBody{src: res.Body, watch: d.watch}, maxWarning))
	_ = res.Body.Close()
	if err != nil {
		return nil, d.watch.broken(err, int64(len(page)), res.ContentLength)
	}
	if to, ok := warningForm(string(page)); ok {
		return d.get(to)
	}
	if strings.Contains(string(page), "Quota exceeded") {
		return nil, transient(errors.New("quota exceeded"), "Google Drive refuses the file for now because it was downloaded too often.")
	}
	return nil, d.pageFailure()
}

var (
	formTag   = regexp.MustCompile(`(?is)<form\b([^>]*)>(.*?)</form>`)
	inputTag  = regexp.MustCompile(`(?is)<input\b([^>]*)>`)
	attribute = regexp.MustCompile(`(?s)([A-Za-z-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`)
)

// warningForm returns what a browser asks for when the page's form is sent, if it leads to where the files are: the form's
// address and its hidden inputs.
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

// attributes returns the attributes of a tag, by their name in lower case.
func attributes(tag string) map[string]string {
	all := map[string]string{}
	for _, m := range attribute.FindAllStringSubmatch(tag, -1) {
		all[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3] + m[4])
	}
	return all
}
