// Package pdffile edits PDF files that gofpdf wrote. Parse reads the objects, File lets the caller replace and add some, and
// Bytes writes the file with object streams (ISO 32000-1, 7.5). It supports only what gofpdf writes: one cross-reference
// table, no object streams, no encryption.
//
//	f, err := pdffile.Parse(b)
//	n := f.Add("<</Type /Metadata>>")
package pdffile

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// File is a PDF in memory. Objects count from 1 and have generation 0.
type File struct {
	bodies [][]byte // by number; nil if there is none
	zip    *zlib.Writer
	Root   int // the catalog
}

var errBroken = errors.New("pdffile: not a PDF written by gofpdf")

// Parse reads a file. It returns an error for anything that gofpdf doesn't write.
func Parse(b []byte) (*File, error) {
	at := bytes.LastIndex(b, []byte("startxref"))
	if at < 0 {
		return nil, errBroken
	}
	xref, err := strconv.Atoi(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(b[at+len("startxref"):]), []byte("%%EOF")))))
	if err != nil || xref < 0 || xref >= at {
		return nil, errBroken
	}
	var n int
	if _, err := fmt.Sscanf(string(b[xref:min(xref+40, len(b))]), "xref\n0 %d\n", &n); err != nil || n < 1 {
		return nil, errBroken
	}
	table := b[xref+len("xref\n0 ")+len(strconv.Itoa(n))+1:]
	const entry = 20
	if len(table)/entry < n {
		return nil, errBroken
	}
	offsets := make([]int, n)
	for i := 1; i < n; i++ {
		if offsets[i], err = strconv.Atoi(string(table[i*entry : i*entry+10])); err != nil || offsets[i] < 0 || offsets[i] >= xref {
			return nil, errBroken
		}
	}
	ends := append(slices.Sorted(slices.Values(offsets)), xref)
	f := &File{bodies: make([][]byte, n)}
	for i := 1; i < n; i++ {
		next, _ := slices.BinarySearch(ends, offsets[i]+1)
		object := b[offsets[i]:ends[next]]
		from, to := bytes.Index(object, []byte("obj\n")), bytes.LastIndex(object, []byte("endobj"))
		if from < 0 || to < from {
			return nil, errBroken
		}
		f.bodies[i] = bytes.TrimSpace(object[from+4 : to])
	}
	if _, err := fmt.Sscanf(string(trailerValue(b[xref:], "/Root")), "%d", &f.Root); err != nil {
		return nil, errBroken
	}
	return f, nil
}

func trailerValue(b []byte, key string) []byte {
	_, after, _ := bytes.Cut(b, []byte(key+" "))
	return after[:min(len(after), 12)]
}

// Len returns the number of objects.
func (f *File) Len() int { return len(f.bodies) - 1 }

// Object returns an object's bytes. The caller must not change them.
func (f *File) Object(n int) []byte { return f.bodies[n] }

// Set replaces an object.
func (f *File) Set(n int, body string) { f.bodies[n] = []byte(body) }

// Reserve adds an object to be Set later, and returns its number.
func (f *File) Reserve() int {
	f.bodies = append(f.bodies, []byte("null"))
	return len(f.bodies) - 1
}

// Add adds an object and returns its number.
func (f *File) Add(body string) int {
	n := f.Reserve()
	f.Set(n, body)
	return n
}

// AddStream adds a compressed stream and returns its number. dict has the dictionary entries besides length and filter.
func (f *File) AddStream(dict string, data []byte) int {
	return f.Add(f.stream(dict, data))
}

// AddPlainStream adds a stream that isn't compressed, as programs expect of metadata, and returns its number.
func (f *File) AddPlainStream(dict string, data []byte) int {
	return f.Add(fmt.Sprintf("<<%s /Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
}

// Compress compresses the streams that gofpdf left uncompressed. gofpdf would create a compressor for each, which costs more
// than the rest of the file.
func (f *File) Compress() {
	for n, body := range f.bodies {
		head, data, ok := bytes.Cut(body, []byte(">>\nstream\n"))
		if ok && bytes.HasPrefix(head, []byte("<</Length ")) {
			f.Set(n, f.stream("", bytes.TrimSuffix(data, []byte("\nendstream"))))
		}
	}
}

func (f *File) stream(dict string, data []byte) string {
	var z bytes.Buffer
	if f.zip == nil {
		f.zip = zlib.NewWriter(&z)
	} else {
		f.zip.Reset(&z)
	}
	_, _ = f.zip.Write(data) // a buffer doesn't fail
	_ = f.zip.Close()
	return fmt.Sprintf("<<%s /Filter /FlateDecode /Length %d>>\nstream\n%s\nendstream", dict, z.Len(), z.Bytes())
}

// perStream is the number of objects in an object stream.
const perStream = 200

// Bytes returns the file, with object info as its information dictionary. The same objects give the same bytes.
func (f *File) Bytes(info int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	type entry struct {
		kind  byte // 1: at an offset; 2: in an object stream
		where uint32
		in    uint16
	}
	entries := make([]entry, len(f.bodies), len(f.bodies)+16)
	write := func(n int, body []byte) {
		entries[n] = entry{kind: 1, where: uint32(b.Len())}
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n, body)
	}
	var packed []int
	for n := 1; n < len(f.bodies); n++ {
		if bytes.HasSuffix(f.bodies[n], []byte("endstream")) {
			write(n, f.bodies[n])
		} else {
			packed = append(packed, n)
		}
	}
	for group := range slices.Chunk(packed, perStream) {
		number := len(entries)
		entries = append(entries, entry{})
		var head, content bytes.Buffer
		for i, n := range group {
			fmt.Fprintf(&head, "%d %d ", n, content.Len())
			content.Write(f.bodies[n])
			content.WriteByte('\n')
			entries[n] = entry{kind: 2, where: uint32(number), in: uint16(i)}
		}
		dict := fmt.Sprintf("/Type /ObjStm /N %d /First %d", len(group), head.Len())
		write(number, []byte(f.stream(dict, append(head.Bytes(), content.Bytes()...))))
	}
	number, start := len(entries), b.Len()
	entries = append(entries, entry{kind: 1, where: uint32(start)})
	var table []byte
	for _, e := range entries {
		table = append(table, e.kind)
		table = binary.BigEndian.AppendUint32(table, e.where)
		table = binary.BigEndian.AppendUint16(table, e.in)
	}
	table[5], table[6] = 0xff, 0xff // object 0 is the head of the free list
	id := sha256.Sum256(b.Bytes())
	dict := fmt.Sprintf("/Type /XRef /Size %d /W [1 4 2] /Root %d 0 R /Info %d 0 R /ID [<%x> <%x>]", len(entries), f.Root, info, id[:16], id[:16])
	fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", number, f.stream(dict, table), start)
	return b.Bytes()
}
