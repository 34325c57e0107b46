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

// maxDirectory limits the bytes that are read to list the files of a zip.
const maxDirectory = 32 << 20

// Open opens a snapshot of size bytes. r must stay readable while the Reader is in use. Open checks the manifest, and that the zip
// contains exactly the files that the manifest names, with their lengths. CodeInvalid for a file that is not a snapshot, is
// truncated, was modified, or has another version; CodeTooLarge for one that unpacks to more than 8 GiB.
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
		return nil, invalid("The file is not a snapshot: %s is not the first file of the zip.", manifestName).
			WithHint("Save a snapshot with `soundstage snapshot save FILE`.")
	}
	raw, err := readManifest(z.File[0])
	if err != nil {
		return nil, err
	}
	if s.Manifest, err = parseManifest(raw); err != nil {
		return nil, err
	}
	return s, s.index(z.File[1:])
}

// notZip returns an error that explains why the file can't be read as a zip. A zip has its directory at the end.
func notZip(r io.ReaderAt, cause error) error {
	if errors.Is(cause, errDirectory) {
		return tooLarge("The snapshot has too many files.")
	}
	var begin [4]byte
	if n, _ := r.ReadAt(begin[:], 0); n == len(begin) && bytes.Equal(begin[:], []byte("PK\x03\x04")) {
		return invalid("The snapshot is truncated: its end is missing.").Because(cause).
			WithHint("Save or copy the snapshot again.")
	}
	return invalid("The file is not a snapshot: it is not a zip file.").Because(cause).WithHint("Save a snapshot with `soundstage snapshot save FILE`.")
}

// readManifest reads the manifest's file.
func readManifest(f *zip.File) ([]byte, error) {
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
			return invalid("The manifest describes the file %.100q twice, with different values.", b.File.File)
		}
		named[b.File.File] = b.File
	}
	for _, f := range files {
		want, ok := named[f.Name]
		if !ok || s.files[f.Name] != nil {
			return invalid("The snapshot contains the file %.100q, which its manifest doesn't name.", f.Name).
				WithHint("The file was modified, or another program wrote it.")
		}
		if f.UncompressedSize64 != uint64(want.Size) {
			return damaged(f.Name, nil)
		}
		s.files[f.Name] = f
	}
	for name := range named {
		if s.files[name] == nil {
			return invalid("The snapshot's file %.100q is missing.", name).WithHint("The file was modified, or another program wrote it.")
		}
	}
	return nil
}

// Rows returns a reader of the rows, for memory.Load. If the bytes don't match the manifest, the read fails at the end with
// CodeInvalid.
func (s *Reader) Rows() (io.ReadCloser, error) { return s.open(s.Manifest.Rows) }

// Blob returns a reader of a blob's bytes, which fails as that of Rows does.
func (s *Reader) Blob(b Blob) (io.ReadCloser, error) { return s.open(b.File) }

func (s *Reader) open(f File) (io.ReadCloser, error) {
	r, err := s.files[f.File].Open()
	if err != nil {
		return nil, damaged(f.File, err)
	}
	return &verifyingReader{ReadCloser: r, file: f, hash: sha256.New()}, nil
}

// verifyingReader compares what it reads with the manifest.
type verifyingReader struct {
	io.ReadCloser
	file File
	hash hash.Hash
	read int64
}

func (c *verifyingReader) Read(p []byte) (int, error) {
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

// limitedReader limits how much is read until free is set.
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
