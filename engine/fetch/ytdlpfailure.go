package fetch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/site"
)

// failedRun describes a run of yt-dlp that failed.
type failedRun struct {
	err       error // of the process
	cause     error // cause of its context; nil when it exited by itself
	stderr    string
	forbidden bool // it requested an address that is not public
}

// knownError maps an error of yt-dlp to our message.
type knownError struct {
	words     []string // matched against its last error, in lower case; one is enough
	sentence  string   // %s is the site's name
	retryable bool
}

// knownErrors matches words of yt-dlp's own errors. An error that none of them matches is retryable.
var knownErrors = []knownError{
	{[]string{"drm"}, "%s protects this media with DRM, so it can't be downloaded.", false},
	{[]string{"private", "sign in", "log in", "login", "members-only", "password", "cookies"}, "%s shows this page only to signed-in users.", false},
	{[]string{"in your country", "geo restrict", "geo-restrict", "from your location"}, "%s does not show this page in this server's country.", false},
	{[]string{"unavailable", "removed", "deleted", "does not exist", "not found", "404"}, "%s has no such page, or has removed it.", false},
	{[]string{"unsupported url", "no suitable extractor"}, "yt-dlp does not support this %s page.", false},
	{[]string{"no video formats", "no formats", "requested format"}, "This %s page has no media that can be downloaded.", false},
	{[]string{"premieres in", "live event will begin", "is not currently live"}, "The broadcast on %s has not started yet.", true},
	{[]string{"429", "too many requests", "rate-limit", "rate limit"}, "%s limits the rate of requests. Try again later.", true},
}

// failure returns the error for a failed run. yt-dlp's own words go only to the log.
func (y *YTDLP) failure(ctx context.Context, r failedRun, site site.Site) error {
	why := fmt.Errorf("yt-dlp: %w: %s", errors.Join(r.err, r.cause), r.stderr)
	switch {
	case ctx.Err() != nil:
		return engine.Errorf(engine.CodeCanceled, opResolve, "The operation was canceled.").Because(errors.Join(ctx.Err(), context.Cause(ctx)))
	case r.forbidden:
		return engine.Errorf(engine.CodeNotPublic, opResolve, "url must resolve to a public address").Because(why)
	case errors.Is(r.cause, errTooSlow):
		return downloadError("%s did not answer in time.", site.Name).Because(why).Transient()
	case errors.Is(r.cause, errTooMuch):
		return downloadError("The metadata of the %s page is larger than 16 MiB.", site.Name).Because(why)
	case errors.Is(r.err, exec.ErrNotFound), errors.Is(r.err, fs.ErrNotExist), errors.Is(r.err, fs.ErrPermission):
		return notInstalled(why)
	}
	said := lastError(r.stderr)
	for _, c := range knownErrors {
		for _, words := range c.words {
			if strings.Contains(said, words) {
				e := downloadError(c.sentence, site.Name).Because(why)
				e.Retryable = c.retryable
				return e
			}
		}
	}
	return downloadError("No media was found on the %s page.", site.Name).Because(why).Transient()
}

// lastError returns yt-dlp's last error in lower case, without the page's ID, which could match a word: "ERROR: [youtube]
// dQw4w9WgXcQ: Video unavailable".
func lastError(stderr string) string {
	_, said, ok := strings.Cut(stderr[max(strings.LastIndex(stderr, "ERROR:"), 0):], "ERROR:")
	if !ok {
		return ""
	}
	if said = strings.TrimSpace(said); strings.HasPrefix(said, "[") {
		_, said, _ = strings.Cut(said, ":")
	}
	return strings.ToLower(said)
}

func downloadError(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeDownload, opResolve, format, args...)
}

func isProtected(site string) error {
	return downloadError("%s protects its media, so it can't be downloaded.", site).
		WithHint("Use the show's RSS feed, or upload the file.")
}

func notInstalled(err error) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, opResolve, "Pages of video and audio sites can't be imported because yt-dlp is not installed.").
		WithHint("Install yt-dlp and set its path.").Because(err)
}
