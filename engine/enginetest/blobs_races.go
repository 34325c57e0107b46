package enginetest

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// blobRaceCases returns the claims about concurrent use of blobs.
func blobRaceCases() []blobsCase {
	return []blobsCase{
		{"after a hundred concurrent writes, one writer's content remains", manyWriters},
		{"of a hundred concurrent writes with Once, one succeeds", oneOfMany},
		{"reading a blob during a replacement yields the old or the new content", readWhileReplaced},
		{"blobs of one folder can be created and deleted concurrently", folderComesAndGoes},
	}
}

// writeWhole commits content in two pieces. It returns errors instead of failing the test, because it runs in goroutines.
func writeWhole(t *testing.T, b engine.Blobs, key, content string) error {
	w, err := b.Create(t.Context(), key, engine.BlobMeta{})
	if err != nil {
		return err
	}
	for _, half := range []string{content[:len(content)/2], content[len(content)/2:]} {
		if _, err := io.WriteString(w, half); err != nil {
			return err
		}
	}
	info, err := w.Commit()
	if err == nil && info.SHA256 != sha256.Sum256([]byte(content)) {
		err = fmt.Errorf("the commit of %s returned the wrong hash", key)
	}
	return err
}

func readWhole(t *testing.T, b engine.Blobs, key string) ([]byte, error) {
	r, err := b.Open(t.Context(), key, 0, -1)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(r)
	if closeErr := r.Close(); err == nil {
		err = closeErr
	}
	return content, err
}

func manyWriters(t *testing.T, b engine.Blobs) {
	contents := make([]string, 100)
	for i := range contents {
		contents[i] = strings.Repeat(strconv.Itoa(i)+",", 100+i)
	}
	require.NoError(t, concurrently(len(contents), func(i int) error { return writeWhole(t, b, "a/b", contents[i]) }))
	found := load(t, b, "a/b", 0, -1)
	require.Contains(t, contents, found)
	requireBlob(t, b, "a/b", found)
	require.Equal(t, []string{"a/b"}, keysOf(t, b, ""))
}

func oneOfMany(t *testing.T, b engine.Blobs) {
	var winners, winner atomic.Int64
	require.NoError(t, concurrently(100, func(i int) error {
		w, err := b.Create(t.Context(), "a/b", engine.BlobMeta{Once: true})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, strconv.Itoa(i)); err != nil {
			return err
		}
		switch _, err = w.Commit(); {
		case err == nil:
			winners.Add(1)
			winner.Store(int64(i))
		case engine.CodeOf(err) != engine.CodeConflict:
			return err
		}
		return nil
	}))
	require.EqualValues(t, 1, winners.Load())
	requireBlob(t, b, "a/b", strconv.FormatInt(winner.Load(), 10))
}

func readWhileReplaced(t *testing.T, b engine.Blobs) {
	const size = 20_000
	content := func(i int) string { return strings.Repeat(string(rune('a'+i%26)), size+i%26) }
	store(t, b, "a", content(0))
	done := make(chan struct{})
	require.NoError(t, concurrently(4, func(worker int) error {
		if worker == 0 {
			defer close(done)
			for i := range 40 {
				if err := writeWhole(t, b, "a", content(i)); err != nil {
					return err
				}
			}
			return nil
		}
		for {
			got, err := readWhole(t, b, "a")
			if err != nil {
				return err
			}
			info, err := b.Stat(t.Context(), "a")
			if err != nil {
				return err
			}
			if i := int(got[0] - 'a'); len(got) != size+i || bytes.Count(got, got[:1]) != len(got) || info.Size < size {
				return fmt.Errorf("%d bytes that begin with %q", len(got), got[:1])
			}
			select {
			case <-done:
				return nil
			default:
			}
		}
	}))
}

func folderComesAndGoes(t *testing.T, b engine.Blobs) {
	require.NoError(t, concurrently(6, func(worker int) error {
		key := fmt.Sprintf("folder/%d/blob", worker%3) // two workers each
		for i := range 15 {
			if err := writeWhole(t, b, key, strconv.Itoa(worker*100+i)); err != nil {
				return err
			}
			if _, err := readWhole(t, b, key); err != nil && engine.CodeOf(err) != engine.CodeNotFound {
				return err
			}
			if err := b.Delete(t.Context(), key); err != nil {
				return err
			}
		}
		return nil
	}))
	require.Empty(t, keysOf(t, b, ""))
}
