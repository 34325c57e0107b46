package fetch

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// The names of the supported cloud drives, as users know them.
const (
	driveGoogle     = "Google Drive"
	driveDropbox    = "Dropbox"
	driveOneDrive   = "OneDrive"
	driveSharePoint = "SharePoint"
	driveBox        = "Box"
)

// DirectLink returns the download URL for a share link of a cloud drive, and the drive's name. It returns a link that it
// can't convert unchanged, with the drive's name; for any other URL, provider is "". It makes no request, so it doesn't
// check whether the file is shared.
//
// It supports Google Drive, Dropbox, personal OneDrive (as far as Microsoft allows anonymous downloads), SharePoint, and
// Box.
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

// directLink is DirectLink for a checked URL. It returns u itself when there is nothing to change.
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

// isHost reports whether host is domain or one of its subdomains.
func isHost(host, domain string) bool { return host == domain || strings.HasSuffix(host, "."+domain) }

// dropboxLink requests the file instead of its page. It keeps rlkey and st, which grant access.
func dropboxLink(u *url.URL) *url.URL {
	first, _, _ := strings.Cut(strings.TrimPrefix(u.Path, "/"), "/")
	if !isHost(u.Hostname(), "dropbox.com") || first != "s" && first != "scl" && first != "sh" {
		return u
	}
	return withQuery(u, "dl", "1", "raw")
}

// oneDriveLink converts a share link to a URL of Microsoft's shares API: "u!" and the link in base64url. Source:
// https://learn.microsoft.com/graph/api/shares-get.
func oneDriveLink(u *url.URL) *url.URL {
	if host := u.Hostname(); isHost(host, "files.1drv.com") || host == "onedrive.live.com" && u.Path == "/download" {
		return u
	}
	token := "u!" + base64.RawURLEncoding.EncodeToString([]byte(u.String()))
	path := "/v1.0/shares/" + token + "/root/content"
	return &url.URL{Scheme: "https", Host: "api.onedrive.com", Path: path, RawPath: path}
}

// sharePointLink requests the file instead of its page.
func sharePointLink(u *url.URL) *url.URL {
	if strings.Contains(u.Path, "/_layouts/") {
		return u
	}
	return withQuery(u, "download", "1", "web")
}

// boxLink converts /s/ID, the page of a shared file, to the file's own URL. It works if the owner allows downloads.
func boxLink(u *url.URL) *url.URL {
	id, ok := strings.CutPrefix(u.Path, "/s/")
	if !ok || id == "" || strings.Contains(id, "/") {
		return u
	}
	return &url.URL{Scheme: "https", Host: u.Host, Path: "/shared/static/" + id}
}

// withQuery returns u over https with one query parameter set and one removed; the others keep their order.
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

// statusFailure returns the error for a status. For a cloud drive, it says what the status most often means. A Retryable
// error carries the server's Retry-After.
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

// notShared returns the error for a file that the drive doesn't share with everybody.
func (d *download) notShared(what string) *engine.Error {
	return engine.Errorf(engine.CodeDownload, op, "%s %s. Share the file with anyone who has the link.", d.drive, what).
		WithHint("Use the link of the file, not of its folder.")
}
