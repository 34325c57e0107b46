package engine_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/podcast"
)

// checked is a Fetcher whose Check is also implemented by a function.
type checked struct {
	fetches
	check func(url string) error
}

func (c checked) Check(_ context.Context, url string) error { return c.check(url) }

// resolves is a Resolver implemented by a function.
type resolves func(ctx context.Context, page string) (engine.Resolved, error)

func (r resolves) Resolve(ctx context.Context, page string) (engine.Resolved, error) {
	return r(ctx, page)
}

// serves is a Fetcher that returns these bytes with a file name.
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

// imported waits until an import is over.
func (s *stage) imported(id engine.ImportID) engine.Import {
	s.t.Helper()
	i, err := s.WaitImport(s.t.Context(), s.caller, id)
	require.Equal(s.t, i.Status != engine.ImportCompleted, err != nil, "%s: %v", i.Status, err)
	require.True(s.t, i.Status.Over(), err)
	return i
}

// keys returns the key of every blob.
func (s *stage) keys() (keys []string) {
	s.t.Helper()
	require.NoError(s.t, s.blobs.List(s.t.Context(), "", func(b engine.BlobInfo) error {
		keys = append(keys, b.Key)
		return nil
	}))
	return keys
}

// storage returns how many bytes the account has reserved.
func (s *stage) storage() (used int64) {
	s.t.Helper()
	require.NoError(s.t, s.store.View(s.t.Context(), func(tx engine.ReadTx) error {
		a, err := tx.Account(s.caller.AccountID)
		used = a.StorageUsed
		return err
	}))
	return used
}

// recordings returns all recordings of the caller, newest first.
func (s *stage) recordings() []engine.Recording {
	s.t.Helper()
	page, err := s.ListRecordings(s.t.Context(), s.caller, engine.ListRecordings{Limit: engine.MaxPageSize})
	require.NoError(s.t, err)
	return page.Recordings
}

// requireNothingImported fails if an unsuccessful import left a recording, bytes, or a reservation.
func (s *stage) requireNothingImported(t *testing.T, i engine.Import) {
	t.Helper()
	require.Empty(t, i.RecordingID)
	require.Zero(t, i.Size)
	require.Empty(t, s.recordings())
	require.Empty(t, s.keys())
	require.Zero(t, s.storage())
}

// feedItem returns an item whose media is named like its GUID.
func feedItem(guid string) podcast.Item {
	return podcast.Item{GUID: guid, Title: strings.ToUpper(guid), URL: "https://media.example/" + guid + ".mp3"}
}

// reads is a FeedReader implemented by a function.
type reads func() (podcast.Feed, error)

func (r reads) ReadFeed(context.Context, string) (podcast.Feed, error) { return r() }
