package fetch

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

const (
	chunk    = 64 << 10
	sniffLen = 4 << 10 // leading bytes that are inspected to detect a web page
)

// copyBody copies a response body to w. It writes no byte beyond the size limit or the announced length. broken reports
// that the body ended early, so that the download may be resumed.
func (d *download) copyBody(res *http.Response) (broken bool, err error) {
	in := bufio.NewReaderSize(&watchedBody{src: res.Body, watch: d.watch}, chunk)
	if d.size == 0 {
		if head, _ := in.Peek(sniffLen); isPage(head) { // Read returns any error again
			return false, d.pageFailure()
		}
	}
	buf := make([]byte, chunk)
	for {
		n, err := in.Read(buf)
		switch size := d.size + int64(n); {
		case size > d.limit:
			return false, tooLarge(d.limit)
		case d.end >= 0 && size > d.end:
			return false, transient(nil, "The server sent more than the %d bytes that it announced.", d.total)
		}
		if n > 0 {
			if _, err := d.w.Write(buf[:n]); err != nil {
				return false, fmt.Errorf("%s: write: %w", op, err)
			}
			d.size += int64(n)
			d.reportProgress()
		}
		if err == io.EOF && d.size < d.total {
			err = io.ErrUnexpectedEOF
		}
		if err == io.EOF {
			return false, nil
		}
		if err != nil {
			return d.watch.ctx.Err() == nil, d.watch.bodyError(err, d.size, d.total)
		}
		if d.total < 0 {
			d.watch.allow(d.size)
		}
	}
}

// watchedBody is a body under the idle timeout. Its first error is permanent.
type watchedBody struct {
	src   io.Reader
	watch *watch
	err   error
}

func (b *watchedBody) Read(p []byte) (n int, err error) {
	if b.err != nil {
		return 0, b.err
	}
	b.watch.waiting()
	n, b.err = b.src.Read(p)
	b.watch.arrived()
	return n, b.err
}

// isIdentity reports whether a Content-Encoding leaves the bytes unchanged. Source: RFC 9110, section 8.4.
func isIdentity(encoding string) bool {
	return encoding == "" || strings.EqualFold(encoding, "identity")
}

func tooLarge(limit int64) *engine.Error {
	return engine.Errorf(engine.CodeTooLarge, op, "The file is larger than %d bytes.", limit)
}
