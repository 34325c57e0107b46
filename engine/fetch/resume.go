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
	// resumes is how often a download that broke off is taken up again. Taking it up without having got a byte since the
	// last time counts twice.
	resumes = 5
	// firstPause is how long is waited before the first time; it doubles each time.
	firstPause = 200 * time.Millisecond
)

// canResume reports whether the rest of the file can be asked for, and known to be of the same file.
func (d *download) canResume() bool { return d.validator != "" && d.total > 0 && d.size > 0 }

// resume asks for what is missing. It returns why when it can't be had; broken is the first reason.
func (d *download) resume(broken error) (*http.Response, error) {
	for {
		pause := firstPause << (resumes - d.left)
		if !d.spend() {
			return nil, broken
		}
		if err := d.watch.pause(pause); err != nil {
			return nil, err
		}
		d.watch.again()
		res, err := d.get(d.at)
		again := isRetryable(err)
		if err == nil {
			if again, err = d.continues(res); err == nil {
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

// spend counts a try and reports whether there is one left.
func (d *download) spend() bool {
	cost := 1
	if d.size == d.reached {
		cost = 2
	}
	d.left -= cost
	d.reached = d.size
	return d.left >= 0
}

// addRange asks for what is missing of the file, if it is still the same. Source: RFC 9110 sections 13.1.5 and 14.2.
func (d *download) addRange(h http.Header) {
	if d.size > 0 {
		h.Set("Range", "bytes="+strconv.FormatInt(d.size, 10)+"-")
		h.Set("If-Range", d.validator)
	}
}

// continues checks that an answer is the rest of the same file. It reports whether another try may get a better answer.
func (d *download) continues(res *http.Response) (again bool, err error) {
	switch res.StatusCode {
	case http.StatusPartialContent:
	case http.StatusOK, http.StatusRequestedRangeNotSatisfiable:
		return false, fileChanged()
	default:
		e := statusFailure(res.StatusCode)
		return e.Retryable, e.Transient() // a whole download may do better: the address may have been good for one only
	}
	first, last, total, ok := contentRange(res.Header.Get("Content-Range"))
	switch {
	case ok && total != d.total, d.isOther(res.Header.Get("ETag")):
		return false, fileChanged()
	case !ok, first != d.size, last < first, last >= total, !isIdentity(res.Header.Get("Content-Encoding")),
		res.ContentLength >= 0 && res.ContentLength != last-first+1:
		return false, transient(fmt.Errorf("Content-Range: %q", res.Header.Get("Content-Range")),
			"The server sent another part of the file than it was asked for.")
	}
	d.end = last + 1
	return false, nil
}

// isOther reports whether a tag is not the file's, as it is when a server has ranges and doesn't know If-Range.
func (d *download) isOther(tag string) bool {
	return tag != "" && strings.HasPrefix(d.validator, `"`) && tag != d.validator
}

func fileChanged() error {
	return engine.Errorf(engine.CodeDownload, op, "The file changed on the server while it was downloaded.").Transient()
}

// contentRange parses "bytes 5-9/10". Source: RFC 9110 section 14.4; an unknown length ("/*") is not accepted.
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

// validator returns what tells a file from a changed one: a strong ETag, else a date of its last change that is strong
// because the answer is at least a second younger; "" when there is neither, or the server says that it has no ranges.
// Source: RFC 9110 sections 8.8.2.2, 8.8.3 and 14.3.
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
