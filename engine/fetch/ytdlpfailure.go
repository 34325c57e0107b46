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

// failedRun is what is known of a run of yt-dlp that gave no answer.
type failedRun struct {
	err       error // of the process
	cause     error // of the end of its context; nil when it ended by itself
	stderr    string
	forbidden bool // it wanted to reach an address that is not public
}

// complaint is how yt-dlp says that a page's media can't be had, and how we do.
type complaint struct {
	words     []string // one of which is in its last lines, in lower case
	sentence  string   // %s is the site
	retryable bool
}

// complaints are known by the words of yt-dlp's own errors; what none of them fits may be had another time.
var complaints = []complaint{
	{[]string{"drm"}, "%s protects this media, so that it can't be downloaded.", false},
	{[]string{"private", "sign in", "log in", "login", "members-only", "password", "cookies"}, "%s shows this page only to people who have signed in.", false},
	{[]string{"in your country", "geo restrict", "geo-restrict", "from your location"}, "%s does not show this page in the country of this server.", false},
	{[]string{"unavailable", "removed", "deleted", "does not exist", "not found", "404"}, "%s has no such page, or no longer.", false},
	{[]string{"unsupported url", "no suitable extractor"}, "This page of %s has no media that is known how to get.", false},
	{[]string{"no video formats", "no formats", "requested format"}, "This page of %s has no media that can be downloaded.", false},
	{[]string{"premieres in", "live event will begin", "is not currently live"}, "The broadcast on %s has not begun yet.", true},
	{[]string{"429", "too many requests", "rate-limit", "rate limit"}, "%s asks to come again later.", true},
}

// failure says why yt-dlp gave no answer. Its own words are for the log only.
func (y *YTDLP) failure(ctx context.Context, r failedRun, site site.Site) error {
	why := fmt.Errorf("yt-dlp: %w: %s", errors.Join(r.err, r.cause), r.stderr)
	switch {
	case ctx.Err() != nil:
		return engine.Errorf(engine.CodeCanceled, opResolve, "The operation was canceled.").Because(errors.Join(ctx.Err(), context.Cause(ctx)))
	case r.forbidden:
		return engine.Errorf(engine.CodeNotPublic, opResolve, "url must resolve to a public address").Because(why)
	case errors.Is(r.cause, errTooSlow):
		return cantHave("%s did not answer in time.", site.Name).Because(why).Transient()
	case errors.Is(r.cause, errTooMuch):
		return cantHave("The page of %s is too large to be read.", site.Name).Because(why)
	case errors.Is(r.err, exec.ErrNotFound), errors.Is(r.err, fs.ErrNotExist), errors.Is(r.err, fs.ErrPermission):
		return notInstalled(why)
	}
	said := lastError(r.stderr)
	for _, c := range complaints {
		for _, words := range c.words {
			if strings.Contains(said, words) {
				e := cantHave(c.sentence, site.Name).Because(why)
				e.Retryable = c.retryable
				return e
			}
		}
	}
	return cantHave("The media of the page on %s could not be found.", site.Name).Because(why).Transient()
}

// lastError returns yt-dlp's last error in lower case, without the page's id, which may look like a word:
// "ERROR: [youtube] dQw4w9WgXcQ: Video unavailable".
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

func cantHave(format string, args ...any) *engine.Error {
	return engine.Errorf(engine.CodeDownload, opResolve, format, args...)
}

func isProtected(site string) error {
	return cantHave("%s protects its media, so that it can't be downloaded.", site).
		WithHint("Use the show's RSS feed, or upload the file.")
}

func notInstalled(err error) *engine.Error {
	return engine.Errorf(engine.CodeUnavailable, opResolve, "Pages of sites can't be imported because yt-dlp is not installed.").
		WithHint("Install yt-dlp and name its path.").Because(err)
}
