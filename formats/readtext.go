package formats

import (
	"bytes"
	"io"
	"io/fs"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// maxFile limits the size of a file that is read, in bytes: a day of words with times has less than 100 MB.
const maxFile = 256 << 20

const maxPreallocated = 64 << 20 // in bytes; larger files grow the buffer while reading

// readText reads UTF-8, UTF-16 with a byte order mark, or a legacy encoding that it recognises, and returns UTF-8 without the
// mark. Bytes that fit no encoding become U+FFFD. It reports both, and returns CodeTooLarge for more than limit bytes.
func readText(op string, r io.Reader, limit int64) ([]byte, problems, error) {
	b, err := readAtMost(op, r, limit)
	if err != nil {
		return nil, problems{}, err
	}
	return decodeText(op, b)
}

// decodeText is readText of a file that was read.
func decodeText(op string, b []byte) (_ []byte, found problems, err error) {
	if bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff")) {
		if b, err = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(b); err != nil {
			return nil, found, fault.Errorf(fault.CodeInvalid, op, "line 1, column 1: the file is not valid UTF-16.").Because(err)
		}
	}
	b = bytes.TrimPrefix(b, []byte(bom))
	if utf8.Valid(b) {
		return b, found, nil
	}
	if text, name, ok := decodeLegacy(b); ok {
		found.add(0, "the file is not UTF-8; it was read as %s.", name)
		return text, found, nil
	}
	_, invalid, first := countUTF8(b)
	found.add(1+bytes.Count(b[:first], []byte("\n")), "%d bytes are not valid UTF-8 and became U+FFFD.", invalid)
	return bytes.ToValidUTF8(b, []byte("\uFFFD")), found, nil
}

func readAtMost(op string, r io.Reader, limit int64) ([]byte, error) {
	var all bytes.Buffer
	if f, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Size() < min(maxPreallocated, limit) {
			all.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	if _, err := all.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return nil, fault.Errorf(fault.CodeInternal, op, "The file could not be read.").Because(err)
	}
	if int64(all.Len()) > limit {
		return nil, fault.Errorf(fault.CodeTooLarge, op, "The file has more than %d bytes.", limit).WithHint("Split it.")
	}
	return all.Bytes(), nil
}

// countUTF8 counts the characters beyond ASCII and the invalid bytes, and returns the position of the first invalid byte.
func countUTF8(b []byte) (characters, invalid, first int) {
	first = len(b)
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			invalid++
			first = min(first, i)
		case size > 1:
			characters++
		}
		i += size
	}
	return characters, invalid, first
}
