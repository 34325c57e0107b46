package fetch

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// download is one call of Fetch. It has as many tries as it may be resumed, and one more.
type download struct {
	c        *Client
	watch    *watch
	w        io.Writer
	header   http.Header // that were asked for
	home     *url.URL    // where it begins
	drive    string      // the cloud drive that home is on, "" for none
	limit    int64       // bytes
	progress func(done, total int64)

	at        *url.URL // where the file is, after redirects
	validator string   // for If-Range; "" when the file can't be told from a changed one
	size      int64    // bytes that w has
	total     int64    // bytes of the file; -1 when the server didn't tell
	end       int64    // how far the answer that is being read goes; -1 when the server didn't tell

	left    int   // what is left of resumes
	reached int64 // size at the break before; -1 before the first
}

// run downloads, and takes the download up again where it broke off.
func (d *download) run() (engine.FetchInfo, error) {
	res, err := d.open()
	if err != nil {
		return engine.FetchInfo{}, err
	}
	info := engine.FetchInfo{
		URL:         d.at.String(),
		ContentType: mediaType(res.Header),
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

// open asks for the file and takes down what is known of it.
func (d *download) open() (*http.Response, error) {
	res, err := d.get(d.home)
	if err == nil && d.drive == driveGoogle && isPageType(mediaType(res.Header)) {
		res, err = d.passWarning(res)
	}
	if err != nil {
		return nil, err
	}
	if err := d.acceptable(res); err != nil {
		_ = res.Body.Close()
		return nil, err
	}
	d.at, d.total, d.end = res.Request.URL, res.ContentLength, res.ContentLength
	d.validator, d.left, d.reached = validator(res.Header), resumes, -1
	if d.total > 0 {
		d.watch.allow(d.total)
	}
	d.tell()
	return res, nil
}

// acceptable refuses an answer by its status and headers.
func (d *download) acceptable(res *http.Response) error {
	switch encoding := strings.Join(res.Header.Values("Content-Encoding"), ", "); {
	case res.StatusCode != http.StatusOK && res.StatusCode != http.StatusNonAuthoritativeInfo:
		return d.statusFailure(res)
	case !isIdentity(encoding):
		return engine.Errorf(engine.CodeDownload, op, "The server sent the file compressed, although it was asked not to.").
			Because(fmt.Errorf("Content-Encoding: %q", encoding))
	case isPageType(mediaType(res.Header)):
		return d.pageFailure()
	case res.ContentLength > d.limit:
		return tooLarge(d.limit)
	}
	return nil
}

// tell reports the progress.
func (d *download) tell() {
	if d.progress != nil {
		d.progress(d.size, d.total)
	}
}
