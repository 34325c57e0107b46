package files_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
)

// flip flips a bit of a file. If rot, the file keeps its modification time, like a file whose disk decays.
func flip(t *testing.T, path string, bit int, rot bool) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[bit/8] ^= 1 << (bit % 8)
	require.NoError(t, os.WriteFile(path, b, 0o600))
	when := info.ModTime()
	if !rot {
		when = when.Add(time.Second)
	}
	require.NoError(t, os.Chtimes(path, when, when))
}

// read reads a part of a blob.
func read(t *testing.T, b *files.Blobs, key string, off, n int64) ([]byte, error) {
	t.Helper()
	r, err := b.Open(t.Context(), key, off, n)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(r)
	require.NoError(t, r.Close())
	return content, err
}

// No byte of a damaged blob is read, wherever the bit flipped, and whether or not the blob was read before. It can be read again
// when it is repaired.
func TestFlippedBit(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{false, true} {
		for _, part := range []struct{ off, n int64 }{{0, -1}, {0, 0}, {0, 10}, {5, 1}, {299_990, -1}} {
			dir := t.TempDir()
			b := open(t, dir, files.Options{NoSync: true})
			store(t, b, "a/b", string(bytes.Repeat([]byte("x"), 300_000)))
			path, err := b.Path("a/b")
			require.NoError(t, err)
			if before {
				_, err := read(t, b, "a/b", part.off, part.n)
				require.NoError(t, err)
			}
			flip(t, path, 8*150_000+3, false)
			_, err = read(t, b, "a/b", part.off, part.n)
			requireCode(t, engine.CodeUnavailable, err)
			_, err = b.Path("a/b")
			requireCode(t, engine.CodeUnavailable, err)
			require.Equal(t, []string{"a/b"}, b.Damaged())
			flip(t, path, 8*150_000+3, false)
			require.Empty(t, b.Damaged())
			_, err = read(t, b, "a/b", part.off, part.n)
			require.NoError(t, err)
		}
	}
}

// When a disk decays after the first read, the file's modification time is unchanged. A reader of the whole blob never gets its end,
// and then no part of it can be read.
func TestDecay(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("x"), 300_000)
	for _, bit := range []int{0, 8 * 150_000, 8*300_000 - 1} {
		b := open(t, t.TempDir(), files.Options{NoSync: true})
		store(t, b, "a/b", string(content))
		path, err := b.Path("a/b")
		require.NoError(t, err)
		flip(t, path, bit, true)
		got, err := read(t, b, "a/b", 0, -1)
		requireCode(t, engine.CodeUnavailable, err)
		require.Less(t, len(got), len(content))
		require.Equal(t, []string{"a/b"}, b.Damaged())
		_, err = read(t, b, "a/b", 7, 1)
		requireCode(t, engine.CodeUnavailable, err)
	}
}

// A flipped bit in a record is found, or changes nothing.
func TestFlippedRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a/b@meta")
	b := open(t, dir, files.Options{NoSync: true})
	store(t, b, "a/b", "content")
	want, err := b.Stat(t.Context(), "a/b")
	require.NoError(t, err)
	record, err := os.ReadFile(path)
	require.NoError(t, err)
	found := 0
	for bit := 0; bit < 8*len(record); bit += 3 {
		damaged := slices.Clone(record)
		damaged[bit/8] ^= 1 << (bit % 8)
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		info, err := b.Stat(t.Context(), "a/b")
		if err != nil {
			found++
			requireCode(t, engine.CodeUnavailable, err)
			continue
		}
		require.Equal(t, want, info, "bit %d: %s", bit, damaged)
	}
	require.Greater(t, found, 2*len(record))
}

// A record of an older version, without a checksum, can be read.
func TestOldRecord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, dir, files.Options{NoSync: true})
	store(t, b, "a/b", "content")
	path := filepath.Join(dir, "a/b@meta")
	record, err := os.ReadFile(path)
	require.NoError(t, err)
	at := bytes.Index(record, []byte(`,"check"`))
	require.Positive(t, at)
	require.NoError(t, os.WriteFile(path, append(record[:at:at], '}'), 0o600))
	require.Equal(t, "content", load(t, b, "a/b"))
}

// Concurrent first reads, of which some are cancelled, all get the right bytes or their own cancellation.
func TestConcurrentVerify(t *testing.T) {
	t.Parallel()
	b := open(t, t.TempDir(), files.Options{NoSync: true})
	content := bytes.Repeat([]byte("x"), 2<<20)
	store(t, b, "a/b", string(content))
	var readers sync.WaitGroup
	for i := range 20 {
		readers.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%2 == 0 {
				go cancel()
			}
			r, err := b.Open(ctx, "a/b", 1, -1)
			if err != nil {
				if i%2 != 0 || ctx.Err() == nil {
					t.Error(err)
				}
				return
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(content[1:], got) || r.Close() != nil {
				t.Error("wrong bytes", err)
			}
		})
	}
	readers.Wait()
	require.Empty(t, b.Damaged())
}

// BenchmarkOpen measures a read of 64 KiB from a blob of 64 MiB: the first one, which reads the whole blob, and later ones.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	blobs, err := files.New(dir, files.Options{NoSync: true})
	require.NoError(b, err)
	w, err := blobs.Create(b.Context(), "video", engine.BlobMeta{})
	require.NoError(b, err)
	_, err = w.Write(make([]byte, 64<<20))
	require.NoError(b, err)
	_, err = w.Commit()
	require.NoError(b, err)
	for name, again := range map[string]bool{"first": false, "later": true} {
		b.Run(name, func(b *testing.B) {
			from := blobs
			for b.Loop() {
				if !again {
					from, err = files.New(dir, files.Options{KeepAll: true})
					require.NoError(b, err)
				}
				r, err := from.Open(b.Context(), "video", 1<<20, 64<<10)
				require.NoError(b, err)
				_, err = io.Copy(io.Discard, r)
				require.NoError(b, err)
				require.NoError(b, r.Close())
			}
		})
	}
}
