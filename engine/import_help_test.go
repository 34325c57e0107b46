package engine_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// checked is a Fetcher whose Check is a function too.
type checked struct {
	fetches
	check func(url string) error
}

func (c checked) Check(_ context.Context, url string) error { return c.check(url) }

// resolves is a Resolver that is a function.
type resolves func(ctx context.Context, page string) (engine.Resolved, error)

func (r resolves) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	return r(ctx, page)
}

// serves is a Fetcher that gives these bytes under a file name, in one piece.
func serves(body, filename string) fetches {
	return func(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
		n, err := io.WriteString(w, body)
		return engine.FetchInfo{URL: r.URL, Filename: filename, Size: int64(n)}, err
	}
}

// importing queues an import of a media URL.
func (s *stage) importing(n engine.NewImport) engine.Import {
	s.t.Helper()
	if n.URL == "" {
		n.URL = "https://media.example/talk.mp3"
	}
	i, err := s.CreateImport(s.t.Context(), s.caller, n)
	require.NoError(s.t, err)
	return i
}

// imported waits for the end of an import.
func (s *stage) imported(id engine.ImportID) engine.Import {
	s.t.Helper()
	i, err := s.WaitImport(s.t.Context(), s.caller, id)
	require.NoError(s.t, err)
	return i
}

// keys is the key of every blob.
func (s *stage) keys() (keys []string) {
	s.t.Helper()
	require.NoError(s.t, s.blobs.List(s.t.Context(), "", func(b engine.BlobInfo) error {
		keys = append(keys, b.Key)
		return nil
	}))
	return keys
}

// storage is how many bytes the account has reserved.
func (s *stage) storage() (used int64) {
	s.t.Helper()
	require.NoError(s.t, s.store.View(s.t.Context(), func(tx engine.ReadTx) error {
		a, err := tx.Account(s.caller.AccountID)
		used = a.StorageUsed
		return err
	}))
	return used
}

// recordings is every recording of the caller, the newest first.
func (s *stage) recordings() []engine.Recording {
	s.t.Helper()
	page, err := s.ListRecordings(s.t.Context(), s.caller, engine.ListRecordings{Limit: engine.MaxPageSize})
	require.NoError(s.t, err)
	return page.Recordings
}

// requireNothingImported fails unless an import that did not succeed has left no recording, no bytes and no reservation.
func (s *stage) requireNothingImported(t *testing.T, i engine.Import) {
	t.Helper()
	require.Empty(t, i.RecordingID)
	require.Zero(t, i.Size)
	require.Empty(t, s.recordings())
	require.Empty(t, s.keys())
	require.Zero(t, s.storage())
}

// feedItem is an item of a feed whose media is named like its GUID.
func feedItem(guid string) engine.FeedItem {
	return engine.FeedItem{GUID: guid, Title: strings.ToUpper(guid), URL: "https://media.example/" + guid + ".mp3"}
}

// reads is a FeedReader that is a function.
type reads func() (engine.Feed, error)

func (r reads) ReadFeed(context.Context, string) (engine.Feed, error) { return r() }
