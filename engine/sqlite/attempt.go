package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

// Attempts are stored in bytes of our own, because what a receiver answers need not be UTF-8, as JSON must be.
//
//	attempts = version (1 byte), number, attempt …
//	attempt  = time, duration, number of headers + 1 (0 for nil), header …, status, response, error
//	header   = name, value
//
// Numbers are varints, the time is in microseconds since 1970 and the duration in nanoseconds; texts are a length and bytes.
const attemptsVersion = 1

func encodeAttempts(attempts []engine.Attempt) driver.Value {
	if attempts == nil {
		return nil
	}
	b := binary.AppendUvarint([]byte{attemptsVersion}, uint64(len(attempts)))
	for _, a := range attempts {
		b = binary.AppendVarint(binary.AppendVarint(b, a.At.UnixMicro()), int64(a.Duration))
		b = appendHeaders(b, a.Request)
		b = binary.AppendVarint(b, int64(a.Status))
		b = appendText(appendText(b, a.Response), a.Error)
	}
	return b
}

// appendHeaders appends them in order of their names, so that equal headers are equal bytes.
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

func decodeAttempts(b []byte) ([]engine.Attempt, error) {
	d := decoder{bytes: b, text: string(b)}
	if d.byte() != attemptsVersion {
		d.broken = true
	}
	attempts := make([]engine.Attempt, d.number())
	for i := range attempts {
		attempts[i] = engine.Attempt{
			At: time.UnixMicro(d.signed()).UTC(), Duration: time.Duration(d.signed()), Request: d.headers(),
			Status: int(d.signed()), Response: d.string(), Error: d.string(),
		}
	}
	if d.broken || d.at != len(b) {
		return nil, errors.New("the attempts are broken")
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
