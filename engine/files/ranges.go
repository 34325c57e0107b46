package files

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// ServeContent is http.ServeContent for content of a known size and type, with every Range header as RFC 9110, section 14, says: only GET has
// ranges.
func ServeContent(w http.ResponseWriter, req *http.Request, modified time.Time, size int64, content io.ReadSeeker) {
	if sent := req.Header.Get("Range"); sent != "" {
		if understood := rangeFor(req.Method, sent, size); understood != sent {
			header := req.Header.Clone()
			header.Set("Range", understood)
			changed := new(http.Request)
			*changed = *req
			changed.Header = header
			req = changed
		}
	}
	http.ServeContent(w, req, "", modified, content)
}

var (
	digits = lazyregexp.New(`\d+`)
	none   = lazyregexp.New(`^[ \t]*-[ \t]*0+[ \t]*$`) // the last 0 bytes
)

// rangeFor returns a Range header in a form that http.ServeContent treats as RFC 9110 says. It is "" for a unit that is not bytes, and for another method than GET, which must be
// ignored. Numbers that are too large become the size. The last 0 bytes can't be sent, so they are left out.
func rangeFor(method, header string, size int64) string {
	unit, set, ok := strings.Cut(header, "=")
	if !ok || method != http.MethodGet || !strings.EqualFold(strings.TrimSpace(unit), "bytes") {
		return ""
	}
	ranges := slices.DeleteFunc(strings.Split(set, ","), none.MatchString)
	if len(ranges) == 0 {
		return fmt.Sprintf("bytes=%d-", size) // outside of the content
	}
	return "bytes=" + digits.ReplaceAllStringFunc(strings.Join(ranges, ","), func(number string) string {
		if _, err := strconv.ParseInt(number, 10, 64); err != nil {
			return strconv.FormatInt(size, 10)
		}
		return number
	})
}
