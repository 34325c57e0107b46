package fetch

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// The cloud drives that are known, as users know them.
const (
	driveGoogle     = "Google Drive"
	driveDropbox    = "Dropbox"
	driveOneDrive   = "OneDrive"
	driveSharePoint = "SharePoint"
	driveBox        = "Box"
)

// DirectLink returns where the file behind a cloud drive's sharing link is, and the drive's name. A link that can't be
// turned into another comes back as it is, with the drive's name; an address of something else with "". It is pure:
// whether the file is shared with everybody shows when it is downloaded.
//
// It knows Google Drive, Dropbox, OneDrive for persons (as far as Microsoft lets strangers in), SharePoint and Box.
func DirectLink(link string) (direct, provider string) {
	u, err := CheckURL(link)
	if err != nil {
		return link, ""
	}
	to, provider := directLink(u)
	if to == u {
		return link, provider
	}
	return to.String(), provider
}

// directLink is DirectLink for a checked URL. It returns u itself where there is nothing to change.
func directLink(u *url.URL) (*url.URL, string) {
	host := u.Hostname()
	switch {
	case host == "drive.google.com", host == "docs.google.com", host == googleFiles:
		return googleLink(u), driveGoogle
	case isHost(host, "dropbox.com"), isHost(host, "dropboxusercontent.com"):
		return dropboxLink(u), driveDropbox
	case host == "1drv.ms", host == "onedrive.live.com", isHost(host, "files.1drv.com"):
		return oneDriveLink(u), driveOneDrive
	case strings.HasSuffix(host, ".sharepoint.com"):
		return sharePointLink(u), driveSharePoint
	case isHost(host, "box.com"):
		return boxLink(u), driveBox
	}
	return u, ""
}

// isHost reports whether host is domain or below it.
func isHost(host, domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }

// dropboxLink asks for the file and not its page. All else stays: rlkey and st are what lets strangers in.
func dropboxLink(u *url.URL) *url.URL {
	first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if !isHost(u.Hostname(), "dropbox.com") || first != "s" && first != "scl" && first != "sh" {
		return u
	}
	return withQuery(u, "dl", "1", "raw")
}

// oneDriveLink turns a sharing link into an address of Microsoft's "shares" interface: "u!" and the link in base64url.
// Source: https://learn.microsoft.com/graph/api/shares-get.
func oneDriveLink(u *url.URL) *url.URL {
	if host := u.Hostname(); isHost(host, "files.1drv.com") || host == "onedrive.live.com" && u.Path == "/download" {
		return u
	}
	token := "u!" + base64.RawURLEncoding.EncodeToString([]byte(u.String()))
	path := "/v1.0/shares/" + token + "/root/content"
	return &url.URL{Scheme: "https", Host: "api.onedrive.com", Path: path, RawPath: path}
}

// sharePointLink asks for the file and not its page.
func sharePointLink(u *url.URL) *url.URL {
	if strings.Contains(u.Path, "/_layouts/") {
		return u
	}
	return withQuery(u, "download", "1", "web")
}

// boxLink turns /s/ID, the page of a shared file, into the file's own address, which is there where its owner allows it.
func boxLink(u *url.URL) *url.URL {
	id, ok := strings.CutPrefix(u.Path, "/s/")
	if !ok || id == "" || strings.Contains(id, "/") {
		return u
	}
	return &url.URL{Scheme: "https", Host: u.Host, Path: "/shared/static/" + id}
}

// withQuery returns u with a parameter that is set and one that is not, all others in their order.
func withQuery(u *url.URL, name, value, without string) *url.URL {
	var kept []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if key, _, _ := strings.Cut(pair, "="); pair != "" && key != name && key != without {
			kept = append(kept, pair)
		}
	}
	to := *u
	to.Scheme, to.RawQuery = "https", strings.Join(append(kept, name+"="+value), "&")
	return &to
}

// statusFailure says which status came: of a cloud drive what it most often means, and when to come again where the server
// tells.
func (d *download) statusFailure(res *http.Response) *engine.Error {
	e := statusFailure(res.StatusCode)
	switch res.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		if d.drive != "" {
			return d.notShared("refused the file").Because(e)
		}
	}
	if e.Retryable {
		e.RetryAfter = retryAfter(res.Header.Get("Retry-After"), d.c.cfg.Clock.Now())
	}
	return e
}

// notShared says what a drive did, and what to change.
func (d *download) notShared(what string) *engine.Error {
	return engine.Errorf(engine.CodeDownload, op, "%s %s: share it with anyone who has the link.", d.drive, what).
		WithHint("Use the link of the file itself, not of its folder.")
}
