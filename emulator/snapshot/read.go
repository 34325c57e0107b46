package snapshot

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"sync/atomic"
)

// Reader reads a snapshot.
type Reader struct {
	Manifest Manifest
	files    map[string]*zip.File
}

// maxDirectory is how many bytes are read to learn what is in a zip.
const maxDirectory = 32 << 20

// Open begins to read a snapshot of size bytes. r must be readable as long as the Reader is. It checks the manifest and that the zip has
// just the files that it names, in the lengths that it says. Errors: CodeInvalid for what is no snapshot, one that is cut off, one of a
// newer version, and one that was changed; CodeTooLarge for one that unpacks to more than 8 GiB.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	limited := &limitedReader{r: r}
	limited.left.Store(maxDirectory)
	z, err := zip.NewReader(limited, size)
	if err != nil {
		return nil, notZip(r, err)
	}
	limited.free.Store(true)
	s := &Reader{files: map[string]*zip.File{}}
	if len(z.File) == 0 || z.File[0].Name != manifestName {
		return nil, invalid("It is no snapshot: %s is not the first file of the zip.", manifestName).
			WithHint("`soundstage snapshot save FILE` writes one.")
	}
	raw, err := readAll(z.File[0])
	if err != nil {
		return nil, err
	}
	if s.Manifest, err = parseManifest(raw); err != nil {
		return nil, err
	}
	return s, s.index(z.File[1:])
}

// notZip says why a file can't be read as a zip, whose directory is at its end.
func notZip(r io.ReaderAt, cause error) error {
	if errors.Is(cause, errDirectory) {
		return tooLarge("The snapshot has too many files.")
	}
	var begin [4]byte
	if n, _ := r.ReadAt(begin[:], 0); n == len(begin) && bytes.Equal(begin[:], []byte("PK\x03\x04")) {
		return invalid("The snapshot is cut off: its end is missing.").Because(cause).
			WithHint("Save or copy it again; the file was not written to its end.")
	}
	return invalid("It is no snapshot: the file is not a zip.").Because(cause).WithHint("`soundstage snapshot save FILE` writes one.")
}

// readAll reads the manifest.
func readAll(f *zip.File) ([]byte, error) {
	if f.UncompressedSize64 > maxManifest {
		return nil, tooLarge("The snapshot's manifest has more than %d bytes.", maxManifest)
	}
	r, err := f.Open()
	if err != nil {
		return nil, damaged(f.Name, err)
	}
	defer func() { _ = r.Close() }()
	raw, err := io.ReadAll(io.LimitReader(r, maxManifest))
	if err != nil {
		return nil, damaged(f.Name, err)
	}
	return raw, nil
}

// index matches the files of the zip with those of the manifest.
func (s *Reader) index(files []*zip.File) error {
	named := map[string]File{rowsName: s.Manifest.Rows}
	for _, b := range s.Manifest.Blobs {
		if f, ok := named[b.File.File]; ok && f != b.File {
			return invalid("The manifest says two things about the file %.100q.", b.File.File)
		}
		named[b.File.File] = b.File
	}
	for _, f := range files {
		want, ok := named[f.Name]
		if !ok || s.files[f.Name] != nil {
			return invalid("The snapshot has a file %.100q that its manifest doesn't name.", f.Name).
				WithHint("The file was changed, or another program wrote it.")
		}
		if f.UncompressedSize64 != uint64(want.Size) {
			return damaged(f.Name, nil)
		}
		s.files[f.Name] = f
	}
	for name := range named {
		if s.files[name] == nil {
			return invalid("The snapshot lacks its file %.100q.", name).WithHint("The file was changed, or another program wrote it.")
		}
	}
	return nil
}

// Rows reads the rows, as memory.Load takes them. Reading fails, as CodeInvalid, at the end of what isn't what the manifest says.
func (s *Reader) Rows() (io.ReadCloser, error) { return s.open(s.Manifest.Rows) }

// Blob reads the bytes of a blob of the manifest, as Rows does.
func (s *Reader) Blob(b Blob) (io.ReadCloser, error) { return s.open(b.File) }

func (s *Reader) open(f File) (io.ReadCloser, error) {
	r, err := s.files[f.File].Open()
	if err != nil {
		return nil, damaged(f.File, err)
	}
	return &checked{ReadCloser: r, file: f, hash: sha256.New()}, nil
}

// checked reads a file and compares it with what the manifest says.
type checked struct {
	io.ReadCloser
	file File
	hash hash.Hash
	read int64
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.hash.Write(p[:n])
	c.read += int64(n)
	switch {
	case c.read > c.file.Size:
		return 0, damaged(c.file.File, nil)
	case errors.Is(err, io.EOF):
		if c.read != c.file.Size || hex.EncodeToString(c.hash.Sum(nil)) != c.file.SHA256 {
			return 0, damaged(c.file.File, nil)
		}
		return n, io.EOF
	case err != nil:
		return 0, damaged(c.file.File, err)
	}
	return n, nil
}

var errDirectory = errors.New("snapshot: the directory is too long")

// limitedReader bounds how much is read before it is free.
type limitedReader struct {
	r    io.ReaderAt
	left atomic.Int64
	free atomic.Bool
}

func (l *limitedReader) ReadAt(p []byte, off int64) (int, error) {
	if !l.free.Load() && l.left.Add(-int64(len(p))) < 0 {
		return 0, errDirectory
	}
	return l.r.ReadAt(p, off)
}
