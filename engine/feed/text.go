package feed

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// declaration matches an XML declaration, and declared its encoding. Source: XML 1.0, section 2.8.
var (
	declaration = lazyregexp.New(`^<\?xml\b[^>]*\?>`)
	declared    = lazyregexp.New(`\bencoding\s*=\s*["']\s*([^"'>]*?)\s*["']`)
)

// toUTF8 converts a document to UTF-8. It removes the XML declaration, which may name another encoding, and characters
// that XML doesn't allow but broken feeds contain. charset is the encoding that the server named, or "".
func toUTF8(doc []byte, charset string) ([]byte, error) {
	text, err := decode(doc, charset)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimLeft(text, " \t\r\n")
	text = text[len(declaration.Find(text)):]
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r // Map turns invalid UTF-8 into the replacement character
	}, text), nil
}

// decode detects a document's encoding as XML 1.0, appendix F, does: by its byte order mark, by the bytes of the first
// "<", or by its declaration. A document without any of these is UTF-8 if it can be, else what the server named (RFC 7303). The default is
// UTF-8, also for a document that wrongly declares UTF-16.
func decode(doc []byte, charset string) ([]byte, error) {
	var from encoding.Encoding
	switch {
	case bytes.HasPrefix(doc, []byte("\xef\xbb\xbf")):
		return doc[3:], nil
	case bytes.HasPrefix(doc, []byte("\xfe\xff")), bytes.HasPrefix(doc, []byte("\x00<")):
		from = unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
	case bytes.HasPrefix(doc, []byte("\xff\xfe")), bytes.HasPrefix(doc, []byte("<\x00")):
		from = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	default:
		label := declaredEncoding(doc)
		if label == "" && !utf8.Valid(doc) {
			label = strings.ToLower(charset)
		}
		if label == "" || strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "utf-8") || label == "utf8" {
			return doc, nil
		}
		var err error
		if from, err = htmlindex.Get(label); err != nil {
			return nil, engine.Errorf(engine.CodeUnprocessable, op, "The podcast feed has an unknown encoding.").Because(err)
		}
	}
	text, err := from.NewDecoder().Bytes(doc)
	if err != nil {
		return nil, notWellFormed(err)
	}
	return text, nil
}

// declaredEncoding returns the declared encoding in lower case, or "".
func declaredEncoding(doc []byte) string {
	head := declaration.Find(bytes.TrimLeft(doc[:min(len(doc), 1024)], " \t\r\n"))
	if m := declared.FindSubmatch(head); m != nil {
		return strings.ToLower(string(m[1]))
	}
	return ""
}
