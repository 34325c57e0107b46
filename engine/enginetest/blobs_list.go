package enginetest

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// blobListCases returns the claims about List.
func blobListCases() []blobsCase {
	return []blobsCase{
		{"List returns blobs by prefix, sorted by key", listsByPrefix},
		{"List and Stat describe a blob alike", listDescribes},
		{"List stops and returns the error of its callback", listStops},
		{"blobs can be deleted during a List", listWhileDeleting},
		{"keys that differ in case belong to two blobs", caseMatters},
	}
}

// someKeys is sorted by bytes, which differs from the order of a directory walk.
var someKeys = []string{"Z", "a", "a-b", "a.b", "a/b", "a/b-c", "a/b/c", "a/b/d/e", "a/bc", "a0", "a_b", "aa/b", "b"}

func listsByPrefix(t *testing.T, b engine.Blobs) {
	require.Empty(t, keysOf(t, b, ""))
	for i := range someKeys {
		key := someKeys[i*5%len(someKeys)]
		store(t, b, key, key)
	}
	for prefix, want := range map[string][]string{
		"":         someKeys,
		"a":        someKeys[1:12],
		"a/":       {"a/b", "a/b-c", "a/b/c", "a/b/d/e", "a/bc"},
		"a/b":      {"a/b", "a/b-c", "a/b/c", "a/b/d/e", "a/bc"},
		"a/b/":     {"a/b/c", "a/b/d/e"},
		"a/b/d":    {"a/b/d/e"},
		"a/b/d/e":  {"a/b/d/e"},
		"a/b/d/e/": {},
		"aa":       {"aa/b"},
		"c":        {},
		"/":        {},
		"..":       {},
		"../":      {},
		"a/../a/":  {},
		"a//":      {},
		"./":       {},
	} {
		require.Equal(t, want, keysOf(t, b, prefix), "prefix %q", prefix)
	}
}

func listDescribes(t *testing.T, b engine.Blobs) {
	store(t, b, "a/b", "content")
	want, err := b.Stat(t.Context(), "a/b")
	require.NoError(t, err)
	require.NoError(t, b.List(t.Context(), "a", func(info engine.BlobInfo) error {
		require.Equal(t, want, info)
		return nil
	}))
}

func listStops(t *testing.T, b engine.Blobs) {
	for _, key := range someKeys {
		store(t, b, key, "")
	}
	n := 0
	require.ErrorIs(t, b.List(t.Context(), "", func(info engine.BlobInfo) error {
		if n++; info.Key == "a/b/c" {
			return errTest
		}
		return nil
	}), errTest)
	require.Equal(t, 7, n)
}

func listWhileDeleting(t *testing.T, b engine.Blobs) {
	for _, key := range someKeys {
		store(t, b, key, "")
	}
	keys := []string{}
	require.NoError(t, b.List(t.Context(), "a", func(info engine.BlobInfo) error {
		keys = append(keys, info.Key)
		return b.Delete(t.Context(), info.Key)
	}))
	require.Equal(t, someKeys[1:12], keys)
	require.Equal(t, []string{"Z", "b"}, keysOf(t, b, ""))

	// Deleting blobs that are not listed yet.
	for _, key := range someKeys {
		store(t, b, key, "")
	}
	keys = keys[:0]
	require.NoError(t, b.List(t.Context(), "", func(info engine.BlobInfo) error {
		if keys = append(keys, info.Key); info.Key == "a" {
			for _, later := range someKeys[2:] {
				require.NoError(t, b.Delete(t.Context(), later))
			}
		}
		return nil
	}))
	require.Equal(t, []string{"Z", "a"}, keys)
}

func caseMatters(t *testing.T, b engine.Blobs) {
	if _, folder := b.(engine.LocalBlobs); folder && (runtime.GOOS == "windows" || runtime.GOOS == "darwin") {
		t.Skip("the file system ignores case")
	}
	for _, key := range []string{"A/b", "a/B", "a/b"} {
		store(t, b, key, key)
	}
	require.Equal(t, []string{"A/b", "a/B", "a/b"}, keysOf(t, b, ""))
	requireBlob(t, b, "a/b", "a/b")
}
