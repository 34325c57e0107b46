package snapshot

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

const rows = `{"table":"spaces"}` + "\n"

func sum(s string) string {
	hash := sha256.Sum256([]byte(s))
	return hex.EncodeToString(hash[:])
}

// good returns a snapshot with rows and three blobs, two of which have the same bytes.
func good(t testing.TB) []byte {
	t.Helper()
	content := map[string]string{"uploads/a": "first", "uploads/b": "second", "uploads/c": "first"}
	m := Manifest{Program: "test", World: "default", Clock: Clock{Mode: "manual", Now: time.Unix(0, 0).UTC()}, IDs: map[string]uint64{"space": 2}}
	for _, key := range []string{"uploads/c", "uploads/a", "uploads/b"} {
		m.Blobs = append(m.Blobs, Blob{Key: key, ContentType: "text/plain", File: File{Size: int64(len(content[key])), SHA256: sum(content[key])}})
	}
	w, err := NewWriter(m, Content{
		Rows: func(w io.Writer) error { _, err := io.WriteString(w, rows); return err },
		Open: func(key string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content[key])), nil },
	})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, w.Write(&out))
	return out.Bytes()
}

// part is a file in a zip.
type part struct{ name, content string }

func unzip(t testing.TB, raw []byte) (parts []part) {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	require.NoError(t, err)
	for _, f := range z.File {
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r)
		require.NoError(t, err)
		parts = append(parts, part{f.Name, string(content)})
	}
	return parts
}

func zipped(t testing.TB, parts []part) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, p := range parts {
		require.NoError(t, add(z, p.name, func(w io.Writer) error { _, err := io.WriteString(w, p.content); return err }))
	}
	require.NoError(t, z.Close())
	return out.Bytes()
}

// readWhole reads the whole snapshot. It returns content by key, with the rows under "".
func readWhole(raw []byte) (map[string]string, error) {
	s, err := Open(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	read := func(key string, r io.ReadCloser, err error) error {
		if err != nil {
			return err
		}
		content, err := io.ReadAll(r)
		all[key] = string(content)
		_ = r.Close()
		return err
	}
	r, err := s.Rows()
	if err := read("", r, err); err != nil {
		return nil, err
	}
	for _, b := range s.Manifest.Blobs {
		r, err := s.Blob(b)
		if err := read(b.Key, r, err); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Reading returns what was written. Blobs with equal bytes share a file, and equal content gives identical bytes.
func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	raw := good(t)
	require.Equal(t, raw, good(t))
	all, err := readWhole(raw)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"": rows, "uploads/a": "first", "uploads/b": "second", "uploads/c": "first"}, all)
	var names []string
	for _, p := range unzip(t, raw) {
		names = append(names, p.name)
	}
	require.Equal(t, []string{"manifest.json", "rows.jsonl", "blobs/1", "blobs/2"}, names)
}

// manifest replaces text in the manifest of a good snapshot.
func manifest(old, now string) func(t *testing.T, parts []part) []part {
	return func(t *testing.T, parts []part) []part {
		require.Contains(t, parts[0].content, old)
		parts[0].content = strings.Replace(parts[0].content, old, now, 1)
		return parts
	}
}

// content replaces the i-th file of a good snapshot.
func content(i int, now string) func(t *testing.T, parts []part) []part {
	return func(_ *testing.T, parts []part) []part {
		parts[i].content = now
		return parts
	}
}

// Reading an invalid snapshot fails with an error that says what is wrong.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, parts []part) []part
		says   string
		code   engine.Code
	}{
		"a newer version":      {manifest(`"version": 1`, `"version": 2`), "has version 2, but this program reads version 1.", engine.CodeInvalid},
		"version 0":            {manifest(`"version": 1`, `"version": 0`), "0 is not a valid snapshot version.", engine.CodeInvalid},
		"another format":       {manifest(Format, "other"), "its manifest has another format", engine.CodeInvalid},
		"no JSON":              {content(0, "{"), "its manifest has another format", engine.CodeInvalid},
		"an unknown member":    {manifest(`"world"`, `"wurld"`), "manifest is invalid", engine.CodeInvalid},
		"a wrong hash":         {manifest(sum("second"), sum("third!")), `damaged: its file "blobs/2"`, engine.CodeInvalid},
		"a wrong hash of rows": {manifest(sum(rows), sum("")), `damaged: its file "rows.jsonl"`, engine.CodeInvalid},
		"no hash":              {manifest(sum("second"), "xyz"), `The snapshot's file "blobs/2" has an invalid length or hash.`, engine.CodeInvalid},
		"a short hash":         {manifest(sum("second"), "00"), `The snapshot's file "blobs/2" has an invalid length or hash.`, engine.CodeInvalid},
		"another size":         {manifest(`"size": 6`, `"size": 7`), `damaged: its file "blobs/2"`, engine.CodeInvalid},
		"a negative size":      {manifest(`"size": 6`, `"size": -6`), `The snapshot's file "blobs/2" has an invalid length or hash.`, engine.CodeInvalid},
		"huge rows":            {manifest(`"size": 19`, `"size": 2000000000`), "more than 1073741824 bytes of rows", engine.CodeTooLarge},
		"a huge total":         {manifest(`"size": 6`, `"size": 8589934591`), "unpacks to more than 8589934592 bytes", engine.CodeTooLarge},
		"truncated rows":       {content(1, rows[:5]), `damaged: its file "rows.jsonl"`, engine.CodeInvalid},
		"changed bytes":        {content(3, "sec0nd"), `damaged: its file "blobs/2"`, engine.CodeInvalid},
		"a key with ..":        {manifest("uploads/b", "../b"), `"../b" is not a valid blob key`, engine.CodeInvalid},
		"an absolute key":      {manifest("uploads/b", "/etc/b"), `"/etc/b" is not a valid blob key`, engine.CodeInvalid},
		"a name with ..":       {manifest("blobs/2", "blobs/../../b"), `"blobs/../../b" is not a valid name of a blob file`, engine.CodeInvalid},
		"a name elsewhere":     {manifest("blobs/2", "rows.jsonl"), `"rows.jsonl" is not a valid name of a blob file`, engine.CodeInvalid},
		"rows elsewhere":       {manifest("rows.jsonl", "blobs/1"), "rows must be in rows.jsonl", engine.CodeInvalid},
		"a key twice":          {manifest("uploads/b", "uploads/a"), `The blob "uploads/a" is a duplicate`, engine.CodeInvalid},
		"two descriptions":     {manifest("blobs/2", "blobs/1"), `The manifest describes the file "blobs/1" twice`, engine.CodeInvalid},
		"a short key":          {manifest(`"rows":`, `"key": "AAAA", "rows":`), "key must have 32 bytes (got 3)", engine.CodeInvalid},
		"an extra file": {func(_ *testing.T, p []part) []part { return append(p, part{"../evil", "x"}) },
			`the file "../evil", which its manifest doesn't name`, engine.CodeInvalid},
		"a file twice": {func(_ *testing.T, p []part) []part { return append(p, p[1]) },
			`the file "rows.jsonl", which its manifest doesn't name`, engine.CodeInvalid},
		"a missing file": {func(_ *testing.T, p []part) []part { return p[:3] }, `file "blobs/2" is missing`, engine.CodeInvalid},
		"another order": {func(_ *testing.T, p []part) []part { p[0], p[1] = p[1], p[0]; return p },
			"manifest.json is not the first file", engine.CodeInvalid},
		"an empty zip": {func(*testing.T, []part) []part { return nil }, "manifest.json is not the first file", engine.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := readWhole(zipped(t, c.change(t, unzip(t, good(t)))))
			require.ErrorContains(t, err, c.says)
			require.Equal(t, c.code, engine.CodeOf(err))
		})
	}
}

// Reading a snapshot that is truncated at any byte fails, and so does reading other files.
func TestCutFiles(t *testing.T) {
	t.Parallel()
	raw := good(t)
	for n := range raw {
		_, err := readWhole(raw[:n])
		require.Error(t, err, "%d bytes", n)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%d bytes: %v", n, err)
	}
	_, err := readWhole(raw[:len(raw)/2])
	require.ErrorContains(t, err, "The snapshot is truncated: its end is missing: zip: ")
	for _, none := range []string{"", "x", "no zip at all", `{"format":"soundstage-snapshot"}`} {
		_, err := readWhole([]byte(none))
		require.ErrorContains(t, err, "The file is not a snapshot: it is not a zip file")
	}
}

// For any input, reading fails with an *engine.Error that is not internal, or returns exactly what the manifest describes.
func FuzzRead(f *testing.F) {
	raw := good(f)
	f.Add(raw)
	f.Add(raw[:len(raw)/2])
	f.Add(zipped(f, unzip(f, raw)[:2]))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, err := readWhole(raw)
		if err != nil {
			require.NotEqual(t, engine.CodeInternal, engine.CodeOf(err), "%v", err)
			return
		}
		s, err := Open(bytes.NewReader(raw), int64(len(raw)))
		require.NoError(t, err)
		require.Equal(t, s.Manifest.Rows.SHA256, sum(all[""]))
		for _, b := range s.Manifest.Blobs {
			require.Equal(t, b.SHA256, sum(all[b.Key]))
			require.Len(t, all[b.Key], int(b.Size))
		}
	})
}
