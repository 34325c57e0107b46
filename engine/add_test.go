package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// newFile writes a file and returns its path.
func newFile(t *testing.T, name, contents string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(contents), 0o600))
	return path
}

// blobCount returns how many blobs there are.
func (s *stage) blobCount() (n int) {
	s.t.Helper()
	require.NoError(s.t, s.blobs.List(context.Background(), "", func(engine.BlobInfo) error { n++; return nil }))
	return n
}

// storageUsed returns the account's storage.
func (s *stage) storageUsed() int64 {
	s.t.Helper()
	var a engine.Account
	require.NoError(s.t, s.store.View(context.Background(), func(tx engine.ReadTx) (err error) {
		a, err = tx.Account(s.caller.AccountID)
		return err
	}))
	return a.StorageUsed
}

const riff = "RIFF\x04\x00\x00\x00WAVEfmt "

// A file is a recording after one call: with the name as title, its bytes, their type, and their size in the account.
func TestAddFile(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	defer s.start()()
	r, err := s.AddFile(t.Context(), s.caller, newFile(t, "Board meeting.2026.wav", riff), engine.NewFile{})
	require.NoError(t, err)
	require.Equal(t, "Board meeting.2026", r.Title)
	require.EqualValues(t, len(riff), r.Size)
	require.EqualValues(t, len(riff), s.storageUsed())
	require.Equal(t, 1, r.Number)
	done, err := s.WaitRecording(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, done.TranscriptStatus)
	body, err := s.OpenMedia(t.Context(), s.caller, r.ID, 0, -1)
	require.NoError(t, err)
	got, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Equal(t, riff, string(got))
	u, err := s.GetUpload(t.Context(), r.UploadID)
	require.NoError(t, err)
	require.Equal(t, "audio/wav", u.ContentType)
	require.Equal(t, engine.UploadUsed, u.Status)
}

// The media may come from an fs.File or a pipe, and the settings are those of CreateRecording.
func TestAddReader(t *testing.T) {
	t.Parallel()
	var heard engine.TranscribeRequest
	s := newStage(t, engine.Config{Transcriber: hear(func(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
		if req.ContextPrompt == "news" {
			heard = req
		}
		return engine.Transcription{}, nil
	})})
	f, err := fstest.MapFS{"shows/talk.mp3": {Data: []byte("ID3 sound")}}.Open("shows/talk.mp3")
	require.NoError(t, err)
	r, err := s.AddReader(t.Context(), s.caller, f, engine.NewFile{})
	require.NoError(t, err)
	require.Equal(t, "talk", r.Title)

	in, out := io.Pipe()
	go func() {
		for range 100 {
			_, _ = out.Write(bytes.Repeat([]byte("x"), 10_000))
		}
		_ = out.Close()
	}()
	r, err = s.AddReader(t.Context(), s.caller, in, engine.NewFile{
		Name: "live.ogg", NewRecording: engine.NewRecording{Title: " Live ", Language: "de", SpeakersExpected: 2, ContextPrompt: "news"},
	})
	require.NoError(t, err)
	require.Equal(t, "Live", r.Title)
	require.EqualValues(t, 1_000_000, r.Size)
	stop := s.start()
	_, err = s.WaitRecording(t.Context(), s.caller, r.ID)
	stop()
	require.NoError(t, err)
	require.EqualValues(t, "de", heard.Language)
	require.Equal(t, 2, heard.SpeakersExpected)

	r, err = s.AddReader(t.Context(), s.caller, strings.NewReader("x"), engine.NewFile{})
	require.NoError(t, err)
	require.Equal(t, "Recording", r.Title)
}

// The same external id is the same recording, also for calls at the same time. Nothing is stored twice.
func TestAddSameExternalID(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	path := newFile(t, "a.wav", riff)
	n := engine.NewFile{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: path, Metadata: map[string]string{"show": "news"}}}}
	var all sync.WaitGroup
	ids := make([]engine.RecordingID, 8)
	for i := range ids {
		all.Go(func() {
			r, err := s.AddFile(t.Context(), s.caller, path, n)
			if err == nil {
				ids[i] = r.ID
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		require.NotEmpty(t, id)
		require.Equal(t, ids[0], id)
	}
	require.Equal(t, 1, s.blobCount())
	require.EqualValues(t, len(riff), s.storageUsed())
	_, err := s.AddReader(t.Context(), s.caller, brokenReader{}, n)
	require.NoError(t, err, "a known id reads nothing")
	gone, err := s.AddFile(t.Context(), s.caller, filepath.Join(t.TempDir(), "moved.wav"), n)
	require.NoError(t, err, "a known id needs no file")
	require.Equal(t, ids[0], gone.ID)
	page, err := s.ListRecordings(t.Context(), s.caller, engine.ListRecordings{})
	require.NoError(t, err)
	require.Len(t, page.Recordings, 1)
	require.Equal(t, n.Tags, page.Recordings[0].Tags)

	space, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Other"})
	require.NoError(t, err)
	n.SpaceID = space.ID
	other, err := s.AddFile(t.Context(), s.caller, path, n)
	require.NoError(t, err)
	require.NotEqual(t, ids[0], other.ID, "an id is unique in its space only")
}

type brokenReader struct{}

var errBroken = errors.New("broken")

func (brokenReader) Read([]byte) (int, error) { return 0, errBroken }

// changing is a file that grows while it is read.
type changing struct{ *os.File }

func (f changing) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	if err == io.EOF {
		w, err := os.OpenFile(f.Name(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return 0, err
		}
		_, err = w.WriteString("more")
		if err := errors.Join(err, w.Close()); err != nil {
			return 0, err
		}
		return n, io.EOF
	}
	return n, err
}

// What can't be added is an error that names the reason, and leaves no bytes, no storage, and no recording.
func TestAddRefusals(t *testing.T) {
	t.Parallel()
	open := func(path string) *os.File {
		f, err := os.Open(path)
		require.NoError(t, err)
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	endless := func() io.Reader { return io.MultiReader(strings.NewReader(riff), zeroes{}) }
	for name, c := range map[string]struct {
		body io.Reader
		file engine.NewFile
		code engine.Code
		says string
	}{
		"an empty pipe":        {strings.NewReader(""), engine.NewFile{Name: "a.wav"}, engine.CodeUnprocessable, `"a.wav" is empty`},
		"an empty file":        {open(newFile(t, "b.wav", "")), engine.NewFile{}, engine.CodeUnprocessable, `"b.wav" is empty`},
		"an endless pipe":      {endless(), engine.NewFile{Name: "c.wav", MaxSize: 1 << 20}, engine.CodeTooLarge, "1048576 bytes"},
		"beyond the storage":   {endless(), engine.NewFile{}, engine.CodeStorageLimit, "storage limit"},
		"a negative limit":     {endless(), engine.NewFile{Name: "c.wav", MaxSize: -1}, engine.CodeInvalid, "(got -1)"},
		"no reader":            {nil, engine.NewFile{Name: "c.wav"}, engine.CodeInvalid, "reader is nil"},
		"a large file":         {open(newFile(t, "d.wav", riff)), engine.NewFile{MaxSize: 3}, engine.CodeTooLarge, "3 bytes"},
		"a folder":             {open(t.TempDir()), engine.NewFile{}, engine.CodeInvalid, "is a folder"},
		"a file that changes":  {changing{open(newFile(t, "e.wav", riff))}, engine.NewFile{}, engine.CodeConflict, "changed while it was read"},
		"a broken pipe":        {brokenReader{}, engine.NewFile{}, engine.CodeInternal, ""},
		"an object id":         {strings.NewReader(riff), engine.NewFile{NewRecording: engine.NewRecording{ObjectID: "obj_1"}}, engine.CodeInvalid, "ObjectID"},
		"an unknown language":  {strings.NewReader(riff), engine.NewFile{NewRecording: engine.NewRecording{Language: "xx"}}, engine.CodeInvalid, "language"},
		"an unknown space":     {strings.NewReader(riff), engine.NewFile{NewRecording: engine.NewRecording{SpaceID: "none"}}, engine.CodeNotFound, "space"},
		"a name with a NUL":    {strings.NewReader(riff), engine.NewFile{Name: "a\x00.wav"}, engine.CodeInvalid, "control characters"},
		"a long external id":   {strings.NewReader(riff), tagsOnly(engine.Tags{ExternalID: strings.Repeat("x", 10_000)}), engine.CodeInvalid, "longer than 500"},
		"metadata with a NUL":  {strings.NewReader(riff), tagsOnly(engine.Tags{Metadata: map[string]string{"k": "a\x00"}}), engine.CodeInvalid, `"k" in the metadata`},
		"too much metadata":    {strings.NewReader(riff), tagsOnly(engine.Tags{Metadata: map[string]string{"k": strings.Repeat("x", 16<<10)}}), engine.CodeInvalid, "16384 bytes"},
		"a blank name in tags": {strings.NewReader(riff), tagsOnly(engine.Tags{Metadata: map[string]string{" ": "x"}}), engine.CodeInvalid, "blank"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, engine.Config{StorageHardLimit: 4 << 20})
			_, err := s.AddReader(t.Context(), s.caller, c.body, c.file)
			requireCode(t, c.code, err)
			require.Contains(t, engine.Message(err), c.says)
			require.Zero(t, s.blobCount())
			require.Zero(t, s.storageUsed())
			page, err := s.ListRecordings(t.Context(), s.caller, engine.ListRecordings{})
			require.NoError(t, err)
			require.Empty(t, page.Recordings)
		})
	}
	s := newStage(t, engine.Config{})
	_, err := s.AddFile(t.Context(), s.caller, filepath.Join(t.TempDir(), "none.wav"), engine.NewFile{})
	requireCode(t, engine.CodeNotFound, err)
	require.Contains(t, err.Error(), "none.wav")
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { return len(p), nil }

func tagsOnly(t engine.Tags) engine.NewFile {
	return engine.NewFile{NewRecording: engine.NewRecording{Tags: t}}
}

// Bytes whose call never ended, because the process died, are removed by the job of their upload.
func TestAddLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		in, out := io.Pipe()
		added := make(chan error, 1)
		go func() {
			_, err := s.AddReader(t.Context(), s.caller, in, engine.NewFile{Name: "a.wav"})
			added <- err
		}()
		_, err := out.Write([]byte(riff))
		require.NoError(t, err)
		stop := s.start()
		time.Sleep(25 * time.Hour) // its upload expires
		require.NoError(t, out.Close())
		requireCode(t, engine.CodeConflict, <-added)
		stop()
		require.Zero(t, s.blobCount())
		require.Zero(t, s.storageUsed())
	})
}

// A URL with a known external id is not imported again, and its recording has the settings and tags.
func TestAddURL(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	defer s.start()()
	n := engine.NewImport{Language: "fr", SpeakersExpected: 3, ContextPrompt: "news", Tags: engine.Tags{ExternalID: "42", Metadata: map[string]string{"a": "b"}}}
	i, err := s.AddURL(t.Context(), s.caller, "https://example.org/a.mp3", n)
	require.NoError(t, err)
	done, err := s.WaitImport(t.Context(), s.caller, i.ID)
	require.NoError(t, err)
	require.Equal(t, engine.ImportCompleted, done.Status)
	r, _, err := s.GetRecording(t.Context(), s.caller, done.RecordingID)
	require.NoError(t, err)
	require.Equal(t, n.Tags, r.Tags)
	require.EqualValues(t, "fr", r.Language)
	require.Equal(t, 3, s.transcript(r.TranscriptID).SpeakersExpected)
	require.Equal(t, "news", s.transcript(r.TranscriptID).ContextPrompt)
	again, err := s.AddURL(t.Context(), s.caller, "https://example.org/b.mp3", n)
	require.NoError(t, err)
	require.Equal(t, done, again)

	first, err := s.AddReader(t.Context(), s.caller, strings.NewReader(riff), tagsOnly(engine.Tags{ExternalID: "43"}))
	require.NoError(t, err)
	n.ExternalID = "43"
	added, err := s.AddURL(t.Context(), s.caller, "https://example.org/a.mp3", n)
	require.NoError(t, err)
	require.Equal(t, first.ID, added.RecordingID)
	require.Equal(t, engine.ImportCompleted, added.Status)
	require.Empty(t, added.ID)
}

// An external id belongs to the recording or to the import that will create it; a failed import frees it.
func TestAddURLWhileImporting(t *testing.T) {
	t.Parallel()
	fail := errors.New("no such file")
	broken := fetches(func(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
		return engine.FetchInfo{}, &engine.Error{Code: engine.CodeDownload, Err: fail}
	})
	s := newStage(t, engine.Config{Fetcher: broken})
	n := engine.NewImport{Tags: engine.Tags{ExternalID: "42"}}
	first, err := s.AddURL(t.Context(), s.caller, "https://example.org/a.mp3", n)
	require.NoError(t, err)
	second, err := s.AddURL(t.Context(), s.caller, "https://example.org/a.mp3", n)
	require.NoError(t, err)
	require.Equal(t, first.ID, second.ID)
	stop := s.start()
	_, err = s.WaitImport(t.Context(), s.caller, first.ID)
	stop()
	requireCode(t, engine.CodeDownload, err)
	third, err := s.AddURL(t.Context(), s.caller, "https://example.org/a.mp3", n)
	require.NoError(t, err)
	require.NotEqual(t, first.ID, third.ID)
}

// Title, tags, and numbers can be changed. Search and lists follow.
func TestUpdateRecording(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	r := s.record()
	other := s.record()
	changed, err := s.UpdateRecording(t.Context(), s.caller, r.ID, func(r *engine.Recording) error {
		r.Title, r.Tags, r.Number, r.BlobKey = " Quarterly figures ", engine.Tags{ExternalID: "7", Metadata: map[string]string{"show": "news"}}, 99, ""
		return nil
	})
	require.NoError(t, err)
	want := r
	want.Title, want.Tags = "Quarterly figures", changed.Tags
	require.Equal(t, want, changed)
	require.Equal(t, "7", changed.ExternalID)
	for _, l := range []engine.ListRecordings{
		{Query: "QUARTERLY"}, {Tags: engine.Tags{ExternalID: "7"}}, {Tags: engine.Tags{Metadata: map[string]string{"show": "news"}}},
	} {
		page, err := s.ListRecordings(t.Context(), s.caller, l)
		require.NoError(t, err)
		require.Len(t, page.Recordings, 1)
		require.Equal(t, r.ID, page.Recordings[0].ID)
	}
	found, err := s.Search(t.Context(), s.caller, engine.SearchRequest{Query: "quarterly"})
	require.NoError(t, err)
	require.Len(t, found, 1)

	_, err = s.UpdateRecording(t.Context(), s.caller, other.ID, func(r *engine.Recording) error { r.ExternalID = "7"; return nil })
	requireCode(t, engine.CodeConflict, err)
	require.Contains(t, engine.Message(err), string(r.ID))
	_, err = s.UpdateRecording(t.Context(), s.caller, r.ID, func(r *engine.Recording) error { r.Title = " "; return nil })
	requireCode(t, engine.CodeInvalid, err)
	_, err = s.UpdateRecording(t.Context(), s.caller, r.ID, func(*engine.Recording) error { return errBroken })
	require.ErrorIs(t, err, errBroken)
	_, err = s.UpdateRecording(t.Context(), engine.Caller{UserID: "stranger"}, r.ID, func(*engine.Recording) error { return nil })
	requireCode(t, engine.CodeNotFound, err)
}
