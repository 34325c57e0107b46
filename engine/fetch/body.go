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
	sniffLen = 4 << 10 // of the first bytes that are looked at to tell a web page
)

// copyBody copies the body of an answer to w and returns how many bytes it has. Not one byte beyond limit is written.
func copyBody(w io.Writer, res *http.Response, watch *watch, limit int64) (int64, error) {
	if res.ContentLength > 0 {
		watch.allow(res.ContentLength)
	}
	in := bufio.NewReaderSize(&watchedBody{src: res.Body, watch: watch}, chunk)
	if head, _ := in.Peek(sniffLen); isPage(head) { // an error comes again when the loop gets there
		return 0, pageFailure()
	}
	var size int64
	buf := make([]byte, chunk)
	for {
		n, err := in.Read(buf)
		if size += int64(n); size > limit {
			return size, tooLarge(limit)
		}
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return size, fmt.Errorf("%s: write: %w", op, err)
			}
		}
		if err == io.EOF {
			return size, nil
		}
		if err != nil {
			return size, watch.broken(err, size, res.ContentLength)
		}
		if res.ContentLength < 0 {
			watch.allow(size)
		}
	}
}

// watchedBody is a body that may not stall. Its error stays.
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

// isIdentity reports whether a Content-Encoding leaves the bytes as they are. Source: RFC 9110 section 8.4.
func isIdentity(encoding string) bool {
	return encoding == "" || strings.EqualFold(encoding, "identity")
}

func tooLarge(limit int64) *engine.Error {
	return engine.Errorf(engine.CodeTooLarge, op, "The file is larger than %d bytes.", limit)
}
