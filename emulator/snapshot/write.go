package snapshot

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Content provides what a Writer writes. Both functions must return the same bytes on each call.
type Content struct {
	Rows func(io.Writer) error
	Open func(key string) (io.ReadCloser, error) // opens a blob
}

// Writer writes a snapshot.
type Writer struct {
	manifest Manifest
	content  Content
}

// NewWriter prepares a snapshot. It reads the rows once, because the manifest, with their hash, comes first. Set the SHA256, Size,
// Key, ContentType, and ModTime of each blob of m. Errors come from the content.
func NewWriter(m Manifest, c Content) (*Writer, error) {
	m.Format, m.Version = Format, Version
	hash, size := sha256.New(), byteCounter(0)
	if err := c.Rows(io.MultiWriter(hash, &size)); err != nil {
		return nil, err
	}
	m.Rows = File{rowsName, int64(size), hex.EncodeToString(hash.Sum(nil))}
	m.Blobs = slices.Clone(m.Blobs)
	if m.Blobs == nil {
		m.Blobs = []Blob{}
	}
	slices.SortFunc(m.Blobs, func(a, b Blob) int { return strings.Compare(a.Key, b.Key) })
	files := map[string]string{} // by hash
	for i := range m.Blobs {
		b := &m.Blobs[i]
		if files[b.SHA256] == "" {
			files[b.SHA256] = fmt.Sprintf("%s/%d", blobsFolder, len(files)+1)
		}
		b.File.File = files[b.SHA256]
	}
	return &Writer{m, c}, nil
}

// byteCounter counts the bytes that are written to it.
type byteCounter int64

func (c *byteCounter) Write(p []byte) (int, error) {
	*c += byteCounter(len(p))
	return len(p), nil
}

// Write writes the snapshot to w. Errors come from w and the content.
func (s *Writer) Write(w io.Writer) error {
	z := zip.NewWriter(w)
	manifest, err := json.MarshalIndent(s.manifest, "", "  ")
	if err != nil {
		return err
	}
	if err := add(z, manifestName, func(w io.Writer) error {
		_, err := w.Write(append(manifest, '\n'))
		return err
	}); err != nil {
		return err
	}
	if err := add(z, rowsName, s.content.Rows); err != nil {
		return err
	}
	written := map[string]bool{}
	for _, b := range s.manifest.Blobs {
		if written[b.File.File] {
			continue
		}
		written[b.File.File] = true
		if err := add(z, b.File.File, func(w io.Writer) error { return s.copy(w, b.Key) }); err != nil {
			return err
		}
	}
	return z.Close()
}

func (s *Writer) copy(w io.Writer, key string) error {
	r, err := s.content.Open(key)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	_, err = io.Copy(w, r)
	return err
}

// add adds a file without a modification time, so that equal content gives identical bytes.
func add(z *zip.Writer, name string, write func(io.Writer) error) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	return write(w)
}

// World returns the name of the saved world.
func (s *Writer) World() string { return s.manifest.World }
