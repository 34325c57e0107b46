package rows

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Attempts are stored in a binary format, because a receiver's response need not be valid UTF-8, as JSON requires.
//
//	attempts = version (1 byte), number, attempt …
//	attempt  = time, duration, number of headers + 1 (0 for nil), header …, status, response, error, private (1 byte, since version 2)
//	header   = name, value
//
// Numbers are varints, times are in microseconds since 1970, durations in nanoseconds, and texts are a length and bytes.
const attemptsVersion = 2

func EncodeAttempts(attempts []engine.Attempt) driver.Value {
	if attempts == nil {
		return nil
	}
	b := binary.AppendUvarint([]byte{attemptsVersion}, uint64(len(attempts)))
	for _, a := range attempts {
		b = binary.AppendVarint(binary.AppendVarint(b, a.At.UnixMicro()), int64(a.Duration))
		b = appendHeaders(b, a.Request)
		b = binary.AppendVarint(b, int64(a.Status))
		b = appendText(appendText(b, a.Response), a.Error)
		private := byte(0)
		if a.Private {
			private = 1
		}
		b = append(b, private)
	}
	return b
}

// appendHeaders appends headers sorted by name, so that equal headers give equal bytes.
func appendHeaders(b []byte, headers map[string]string) []byte {
	if headers == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(headers))+1)
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		b = appendText(appendText(b, name), headers[name])
	}
	return b
}

func DecodeAttempts(b []byte) ([]engine.Attempt, error) {
	d := decoder{bytes: b, text: string(b)}
	version := d.byte()
	if version < 1 || version > attemptsVersion {
		d.broken = true
	}
	attempts := make([]engine.Attempt, d.number())
	for i := range attempts {
		attempts[i] = engine.Attempt{
			At: time.UnixMicro(d.signed()).UTC(), Duration: time.Duration(d.signed()), Request: d.headers(),
			Status: int(d.signed()), Response: d.string(), Error: d.string(),
		}
		if version > 1 {
			attempts[i].Private = d.byte() != 0
		}
	}
	if d.broken || d.at != len(b) {
		return nil, errors.New("the stored attempts are corrupt")
	}
	return attempts, nil
}

func (d *decoder) headers() map[string]string {
	n := d.number()
	if n == 0 {
		return nil
	}
	headers := make(map[string]string, n-1)
	for range n - 1 {
		name := d.string()
		headers[name] = d.string()
	}
	return headers
}
