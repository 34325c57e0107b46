package fetch

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// download is one call of Fetch. It makes one attempt, plus up to resumes more.
type download struct {
	c        *Client
	watch    *watch
	w        io.Writer
	header   http.Header // requested by the caller, filtered
	start    *url.URL    // the first URL
	drive    string      // cloud drive of start; "" for none
	limit    int64       // bytes
	progress func(done, total int64)

	at        *url.URL // URL of the file, after redirects
	validator string   // for If-Range; "" when a changed file can't be detected
	size      int64    // bytes written to w
	total     int64    // size of the file in bytes; -1 when unknown
	end       int64    // offset at which the current response ends; -1 when unknown

	resumesLeft int   // attempts left, of resumes
	lastBreak   int64 // size at the previous break; -1 before the first
}

// run downloads the file, and resumes it when the connection breaks.
func (d *download) run() (engine.FetchInfo, error) {
	res, err := d.open()
	if err != nil {
		return engine.FetchInfo{}, err
	}
	info := engine.FetchInfo{
		URL:         d.at.String(),
		ContentType: mediaType(res.Header),
		Charset:     charset(res.Header),
		Filename:    filename(res.Header, d.at),
	}
	for {
		broken, err := d.copyBody(res)
		_ = res.Body.Close()
		if err == nil {
			info.Size = d.size
			return info, nil
		}
		if !broken || !d.canResume() {
			return engine.FetchInfo{}, err
		}
		if res, err = d.resume(err); err != nil {
			return engine.FetchInfo{}, err
		}
	}
}

// open requests the file and records its size and validator.
func (d *download) open() (*http.Response, error) {
	res, err := d.get(d.start)
	if err == nil && d.drive == driveGoogle && isPageType(mediaType(res.Header)) {
		res, err = d.submitWarning(res)
	}
	if err != nil {
		return nil, err
	}
	if err := d.acceptable(res); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	d.at, d.total, d.end = res.Request.URL, res.ContentLength, res.ContentLength
	d.validator, d.resumesLeft, d.lastBreak = validator(res.Header), resumes, -1
	if d.total > 0 {
		d.watch.allow(d.total)
	}
	d.reportProgress()
	return res, nil
}

// acceptable returns an error if the status or headers rule the response out.
func (d *download) acceptable(res *http.Response) error {
	switch encoding := strings.Join(res.Header.Values("Content-Encoding"), ", "); {
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNonAuthoritativeInfo:
		return d.statusFailure(res)
	case !isIdentity(encoding):
		return engine.Errorf(engine.CodeDownload, op, "The server compressed the file although the request asked for identity encoding.").
			Because(fmt.Errorf("Content-Encoding: %q", encoding))
	case isPageType(mediaType(res.Header)):
		return d.pageFailure()
	case res.ContentLength > d.limit:
		return tooLarge(d.limit)
	}
	return nil
}

// reportProgress reports progress to the caller.
func (d *download) reportProgress() {
	if d.progress != nil {
		d.progress(d.size, d.total)
	}
}
