package fetch

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	// resumes is how often a broken download is resumed. A resume after which no byte arrived counts twice.
	resumes = 5
	// firstPause is the pause before the first resume. It doubles each time.
	firstPause = 200 * time.Millisecond
)

// canResume reports whether the rest of the file can be requested and recognised as part of the same file.
func (d *download) canResume() bool { return d.validator != "" && d.total > 0 && d.size > 0 }

// resume requests the missing part of the file. broken is the error that interrupted the download.
func (d *download) resume(broken error) (*http.Response, error) {
	for {
		pause := firstPause << (resumes - d.resumesLeft)
		if !d.useAttempt() {
			return nil, broken
		}
		if err := d.watch.pause(pause); err != nil {
			return nil, err
		}
		d.watch.startAttempt()
		res, err := d.get(d.at)
		again := isRetryable(err)
		if err == nil {
			if again, err = d.checkPart(res); err == nil {
				return res, nil
			}
			_ = res.Body.Close()
		}
		if !again || d.watch.ctx.Err() != nil {
			return nil, err
		}
		broken = err
	}
}

// useAttempt counts an attempt and reports whether one was left.
func (d *download) useAttempt() bool {
	cost := 1
	if d.size == d.lastBreak {
		cost = 2
	}
	d.resumesLeft -= cost
	d.lastBreak = d.size
	return d.resumesLeft >= 0
}

// addRange requests only the missing bytes, if the file is unchanged. Source: RFC 9110, sections 13.1.5 and 14.2.
func (d *download) addRange(h http.Header) {
	if d.size > 0 {
		h.Set("Range", "bytes="+strconv.FormatInt(d.size, 10)+"-")
		h.Set("If-Range", d.validator)
	}
}

// checkPart checks that a response is the rest of the same file. again reports whether another attempt may succeed.
func (d *download) checkPart(res *http.Response) (again bool, err error) {
	switch res.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK, http.StatusRequestedRangeNotSatisfiable:
		return false, fileChanged()
	default:
		e := statusFailure(res.StatusCode)
		return e.Retryable, e.Transient() // a new download may succeed: the redirect's URL may work only once
	}
	first, last, total, ok := contentRange(res.Header.Get("Content-Range"))
	switch {
	case ok && total != d.total, d.isOther(res.Header.Get("ETag")):
		return false, fileChanged()
	case !ok, first != d.size, last < first, last >= total, !isIdentity(res.Header.Get("Content-Encoding")),
		res.ContentLength >= 0 && res.ContentLength != last-first+1:
		return false, transient(fmt.Errorf("Content-Range: %q", res.Header.Get("Content-Range")),
			"The server sent a different part of the file than requested.")
	}
	d.end = last + 1
	return false, nil
}

// isOther reports whether an ETag differs from the file's. This happens when a server supports ranges but not If-Range.
func (d *download) isOther(tag string) bool {
	return tag != "" && strings.HasPrefix(d.validator, `"`) && tag != d.validator
}

func fileChanged() error {
	return engine.Errorf(engine.CodeDownload, op, "The file changed on the server during the download.").Transient()
}

// contentRange parses "bytes 5-9/10". An unknown length ("/*") is not accepted. Source: RFC 9110, section 14.4.
func contentRange(s string) (first, last, total int64, ok bool) {
	span, size, ok := strings.Cut(strings.TrimPrefix(s, "bytes "), "/")
	from, to, dash := strings.Cut(span, "-")
	if !ok || !dash || !strings.HasPrefix(s, "bytes ") {
		return 0, 0, 0, false
	}
	numbers := [3]int64{}
	for i, digits := range []string{from, to, size} {
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil {
			return 0, 0, 0, false
		}
		numbers[i] = int64(n)
	}
	return numbers[0], numbers[1], numbers[2], true
}

// validator returns a value for If-Range: a strong ETag, else a Last-Modified date that is strong because the response is
// at least a second younger. It returns "" when there is neither, or when the server doesn't support ranges. Source: RFC
// 9110, sections 8.8.2.2, 8.8.3, and 14.3.
func validator(h http.Header) string {
	if strings.EqualFold(h.Get("Accept-Ranges"), "none") {
		return ""
	}
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) {
		return tag
	}
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if err != nil {
		return ""
	}
	if date, err := http.ParseTime(h.Get("Date")); err != nil || date.Sub(modified) < time.Second {
		return ""
	}
	return h.Get("Last-Modified")
}
