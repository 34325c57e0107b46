package engine_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// An upload becomes a recording with the upload's defaults, and the recording gets a completed transcript.
func TestUploadToTranscript(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		stop := s.start()
		ctx := t.Context()
		u, err := s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: `C:\shows\épisode 1.wav`, ContentType: "audio/wav", Size: 5})
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(u.ID), "obj_"))
		require.Equal(t, engine.UploadReserved, u.Status)
		require.Equal(t, "épisode 1.wav", u.Filename)
		require.Equal(t, engine.UploadTTL, u.ExpiresAt.Sub(u.CreatedAt))
		u, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("first"))
		require.NoError(t, err)
		u, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("bytes"))
		require.NoError(t, err, "a second PUT must replace the bytes")
		require.Equal(t, engine.UploadStored, u.Status)

		r, _, err := s.CreateRecording(ctx, s.caller, engine.NewRecording{ObjectID: u.ID})
		require.NoError(t, err)
		require.Equal(t, "épisode 1.wav", r.Title)
		require.Equal(t, 1, r.Number)
		require.Equal(t, engine.SpaceID("space"), r.SpaceID)
		require.Equal(t, engine.TranscriptQueued, r.TranscriptStatus)
		require.Equal(t, transcript.Language("en"), r.Language)
		done, err := s.WaitRecording(ctx, s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, done.TranscriptStatus)
		require.Equal(t, time.Minute, done.Duration)
		rt, err := s.GetRecordingTranscript(ctx, s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, "Hello there.", rt.Transcript.Utterances[0].Text)
		require.Equal(t, "Speaker 0", rt.Transcript.Utterances[0].Speaker, "labels must be independent of the transcriber")
		body, err := s.OpenMedia(ctx, s.caller, r.ID, 1, 3)
		require.NoError(t, err)
		b, err := io.ReadAll(body)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		require.Equal(t, "yte", string(b), "the second PUT must replace the first")

		_, _, err = s.CreateRecording(ctx, s.caller, engine.NewRecording{ObjectID: u.ID})
		requireCode(t, engine.CodeConflict, err)
		_, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("third"))
		requireCode(t, engine.CodeConflict, err)
		stop()
	})
}

// Settings of the recording override those of the upload, which override those of the space.
func TestRecordingDefaults(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	german, err := s.CreateSpace(ctx, s.caller, engine.Space{Name: "Deutsch", Language: "de"})
	require.NoError(t, err)
	make := func(n engine.NewUpload, r engine.NewRecording) engine.Recording {
		n.Filename, n.ContentType, n.Size = "file.mp3", "audio/mpeg", 5
		u, err := s.CreateUpload(ctx, s.caller, n)
		require.NoError(t, err)
		_, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("bytes"))
		require.NoError(t, err)
		r.ObjectID = u.ID
		rec, _, err := s.CreateRecording(ctx, s.caller, r)
		require.NoError(t, err)
		return rec
	}
	r := make(engine.NewUpload{Title: "Of the upload", SpaceID: german.ID}, engine.NewRecording{})
	require.Equal(t, "Of the upload", r.Title)
	require.Equal(t, german.ID, r.SpaceID)
	require.Equal(t, transcript.Language("de"), r.Language)
	require.Equal(t, 1, r.Number)
	r = make(engine.NewUpload{Title: "Of the upload", SpaceID: german.ID}, engine.NewRecording{Title: " Own ", Language: "fr", SpaceID: "space"})
	require.Equal(t, "Own", r.Title)
	require.Equal(t, engine.SpaceID("space"), r.SpaceID)
	require.Equal(t, transcript.Language("fr"), r.Language)
	require.Equal(t, 1, r.Number, "each space has its own numbers")
}

// Numbers are unique and without gaps, even if fifty recordings are created concurrently and some fail.
func TestNumbersUnderConcurrency(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	var mu sync.Mutex
	numbers := map[int]bool{}
	var all sync.WaitGroup
	for i := range 50 {
		u := s.upload()
		all.Go(func() {
			n := engine.NewRecording{ObjectID: u.ID}
			if i%5 == 0 {
				n.SpaceID = "nowhere"
			}
			r, _, err := s.CreateRecording(context.Background(), s.caller, n)
			if i%5 == 0 {
				requireCode(t, engine.CodeNotFound, err)
				return
			}
			require.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			numbers[r.Number] = true
		})
	}
	all.Wait()
	require.Len(t, numbers, 40)
	for n := range 40 {
		require.True(t, numbers[n+1], n+1)
	}
}

// An invalid upload is refused with a message, and nothing is reserved.
func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{StorageHardLimit: 1000})
	good := engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 10}
	for name, c := range map[string]struct {
		change func(*engine.NewUpload)
		want   engine.Code
	}{
		"no name":             {func(n *engine.NewUpload) { n.Filename = " " }, engine.CodeInvalid},
		"only folders":        {func(n *engine.NewUpload) { n.Filename = "../.." }, engine.CodeInvalid},
		"control characters":  {func(n *engine.NewUpload) { n.Filename = "a\x00.wav" }, engine.CodeInvalid},
		"invalid UTF-8":       {func(n *engine.NewUpload) { n.Title = "\xff" }, engine.CodeInvalid},
		"a very long title":   {func(n *engine.NewUpload) { n.Title = strings.Repeat("x", 1001) }, engine.CodeInvalid},
		"no type":             {func(n *engine.NewUpload) { n.ContentType = "" }, engine.CodeInvalid},
		"no MIME type":        {func(n *engine.NewUpload) { n.ContentType = "wav" }, engine.CodeInvalid},
		"a type with newline": {func(n *engine.NewUpload) { n.ContentType = "audio/wav\r\nX: y" }, engine.CodeInvalid},
		"no size":             {func(n *engine.NewUpload) { n.Size = 0 }, engine.CodeInvalid},
		"a negative size":     {func(n *engine.NewUpload) { n.Size = -1 }, engine.CodeInvalid},
		"over 10 GB":          {func(n *engine.NewUpload) { n.Size = 10_000_000_001 }, engine.CodeTooLarge},
		"over the storage":    {func(n *engine.NewUpload) { n.Size = 1001 }, engine.CodeStorageLimit},
		"unknown space":       {func(n *engine.NewUpload) { n.SpaceID = "nowhere" }, engine.CodeNotFound},
	} {
		n := good
		c.change(&n)
		_, err := s.CreateUpload(t.Context(), s.caller, n)
		require.Equal(t, c.want, engine.CodeOf(err), "%s: %v", name, err)
	}
	full := good
	full.Size = 1000
	_, err := s.CreateUpload(t.Context(), s.caller, full)
	require.NoError(t, err, "refused uploads must reserve nothing")
	_, err = s.CreateUpload(t.Context(), s.caller, engine.NewUpload{Filename: "a", ContentType: "a/b", Size: 1})
	requireCode(t, engine.CodeStorageLimit, err)
	require.Equal(t, "storage limit exceeded", engine.Message(err))
}

// A broken body leaves nothing. Too many bytes are refused; too few are refused by CreateRecording.
func TestReceiveRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	u, err := s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 5})
	require.NoError(t, err)
	recording := engine.NewRecording{ObjectID: u.ID}
	_, _, err = s.CreateRecording(ctx, s.caller, recording)
	requireCode(t, engine.CodeUnprocessable, err)

	broken := errors.New("gone")
	_, err = s.ReceiveUpload(ctx, u.ID, io.MultiReader(strings.NewReader("by"), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	_, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("too many bytes"))
	requireCode(t, engine.CodeTooLarge, err)
	_, err = s.ReceiveUpload(ctx, "obj_nothing", strings.NewReader("bytes"))
	requireCode(t, engine.CodeNotFound, err)
	_, _, err = s.CreateRecording(ctx, s.caller, recording)
	requireCode(t, engine.CodeUnprocessable, err)
	require.NoError(t, s.blobs.List(ctx, "", func(b engine.BlobInfo) error { return fmt.Errorf("%s is left", b.Key) }))

	_, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("four"))
	require.NoError(t, err)
	_, _, err = s.CreateRecording(ctx, s.caller, recording)
	requireCode(t, engine.CodeUnprocessable, err)
	_, err = s.ReceiveUpload(ctx, u.ID, strings.NewReader("bytes"))
	require.NoError(t, err)
	_, _, err = s.CreateRecording(ctx, s.caller, recording)
	require.NoError(t, err)
}

// An unused upload expires, releases its storage, and leaves no bytes. A used upload keeps them.
func TestUploadExpiry(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{StorageHardLimit: 15})
		stop := s.start()
		ctx := t.Context()
		empty, err := s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "a", ContentType: "a/b", Size: 5})
		require.NoError(t, err)
		unused := s.upload()
		recorded := s.record()
		_, err = s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "a", ContentType: "a/b", Size: 1})
		requireCode(t, engine.CodeStorageLimit, err)

		time.Sleep(engine.UploadTTL)
		_, err = s.ReceiveUpload(ctx, unused.ID, strings.NewReader("bytes"))
		requireCode(t, engine.CodeForbidden, err)
		time.Sleep(time.Minute)
		got, err := s.GetUpload(ctx, empty.ID)
		require.NoError(t, err)
		require.Equal(t, engine.UploadExpired, got.Status)
		got, err = s.GetUpload(ctx, unused.ID)
		require.NoError(t, err)
		require.Equal(t, engine.UploadStored, got.Status, "stored bytes must be kept for a day")
		time.Sleep(25 * time.Hour)
		got, err = s.GetUpload(ctx, unused.ID)
		require.NoError(t, err)
		require.Equal(t, engine.UploadExpired, got.Status)
		_, _, err = s.CreateRecording(ctx, s.caller, engine.NewRecording{ObjectID: unused.ID})
		requireCode(t, engine.CodeUnprocessable, err)

		var keys []string
		require.NoError(t, s.blobs.List(ctx, "", func(b engine.BlobInfo) error { keys = append(keys, b.Key); return nil }))
		require.Equal(t, []string{recorded.BlobKey}, keys)
		_, err = s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "a", ContentType: "a/b", Size: 10})
		require.NoError(t, err, "two of three reservations must be released")
		stop()
	})
}

// A hundred concurrent bodies for one object leave exactly one complete body.
func TestConcurrentReceive(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	u, err := s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "a.wav", ContentType: "audio/wav", Size: 1000})
	require.NoError(t, err)
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			_, err := s.ReceiveUpload(ctx, u.ID, bytes.NewReader(bytes.Repeat([]byte{byte(i)}, 1000)))
			require.NoError(t, err)
		})
	}
	all.Wait()
	r, _, err := s.CreateRecording(ctx, s.caller, engine.NewRecording{ObjectID: u.ID})
	require.NoError(t, err)
	body, err := s.OpenMedia(ctx, s.caller, r.ID, 0, -1)
	require.NoError(t, err)
	b, err := io.ReadAll(body)
	require.NoError(t, err)
	require.NoError(t, body.Close())
	require.Equal(t, bytes.Repeat(b[:1], 1000), b)
	n := 0
	require.NoError(t, s.blobs.List(ctx, "", func(engine.BlobInfo) error { n++; return nil }))
	require.Equal(t, 1, n)
}

// Pages have every recording once, newest first. Recordings of inactive spaces are removed after the page is cut, so pages can be
// short or empty and still have a cursor.
func TestListRecordings(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	second, err := s.CreateSpace(ctx, s.caller, engine.Space{Name: "Second"})
	require.NoError(t, err)
	var made []engine.RecordingID
	for i := range 12 {
		u := s.upload()
		n := engine.NewRecording{ObjectID: u.ID, Title: fmt.Sprintf("Folge %d: Straße", i)}
		if i%3 == 0 {
			n.SpaceID = second.ID
		}
		r, _, err := s.CreateRecording(ctx, s.caller, n)
		require.NoError(t, err)
		made = append([]engine.RecordingID{r.ID}, made...)
	}
	walk := func(l engine.ListRecordings) (ids []engine.RecordingID, sizes []int) {
		for {
			page, err := s.ListRecordings(ctx, s.caller, l)
			require.NoError(t, err)
			sizes = append(sizes, len(page.Recordings))
			for _, r := range page.Recordings {
				ids = append(ids, r.ID)
				require.Contains(t, page.Spaces, r.SpaceID)
			}
			if page.NextCursor == "" {
				return ids, sizes
			}
			l.Cursor = page.NextCursor
		}
	}
	ids, sizes := walk(engine.ListRecordings{Limit: 5})
	require.Equal(t, made, ids)
	require.Equal(t, []int{5, 5, 2}, sizes)
	ids, sizes = walk(engine.ListRecordings{Limit: 4})
	require.Equal(t, made, ids)
	require.Equal(t, []int{4, 4, 4}, sizes, "a full last page must have no cursor")
	ids, _ = walk(engine.ListRecordings{SpaceID: second.ID, Limit: 1})
	require.Len(t, ids, 4)
	ids, _ = walk(engine.ListRecordings{Query: "STRASSE", Limit: 3})
	require.Len(t, ids, 12)
	ids, _ = walk(engine.ListRecordings{Query: "folge 1"})
	require.Len(t, ids, 3, "1, 10 and 11")

	_, err = s.UpdateSpace(ctx, s.caller, second.ID, func(sp *engine.Space) error { sp.Inactive = true; return nil })
	require.NoError(t, err)
	ids, sizes = walk(engine.ListRecordings{Limit: 3})
	require.Len(t, ids, 8)
	require.Equal(t, []int{2, 2, 2, 2}, sizes)
	ids, sizes = walk(engine.ListRecordings{SpaceID: second.ID, Limit: 2})
	require.Empty(t, ids)
	require.Equal(t, []int{0, 0}, sizes, "empty pages must have a cursor, too")
	_, err = s.CreateUpload(ctx, s.caller, engine.NewUpload{Filename: "a", ContentType: "a/b", Size: 1, SpaceID: second.ID})
	requireCode(t, engine.CodeConflict, err)
}

// A cursor works only for the list and the user it was made for.
func TestCursorIsBoundToItsFilter(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	for range 3 {
		s.record()
	}
	page, err := s.ListRecordings(ctx, s.caller, engine.ListRecordings{Limit: 1})
	require.NoError(t, err)
	require.NotEmpty(t, page.NextCursor)
	other, err := s.CreateAccount(ctx, engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	for name, c := range map[string]struct {
		caller engine.Caller
		list   engine.ListRecordings
	}{
		"another space": {s.caller, engine.ListRecordings{SpaceID: "space", Cursor: page.NextCursor}},
		"another query": {s.caller, engine.ListRecordings{Query: "x", Cursor: page.NextCursor}},
		"another user":  {other, engine.ListRecordings{Cursor: page.NextCursor}},
		"made up":       {s.caller, engine.ListRecordings{Cursor: "AAAA"}},
		"bad limit":     {s.caller, engine.ListRecordings{Limit: -1}},
	} {
		_, err := s.ListRecordings(ctx, c.caller, c.list)
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), name)
	}
	_, err = s.ListRecordings(ctx, s.caller, engine.ListRecordings{Limit: 2, Cursor: page.NextCursor})
	require.NoError(t, err, "the limit may change between pages")
	_, err = s.ListRecordings(ctx, s.caller, engine.ListRecordings{SpaceID: other.DefaultSpaceID})
	requireCode(t, engine.CodeNotFound, err)
}

// Resources of one user look missing to another.
func TestIsolation(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	u, r := s.upload(), s.record()
	tr, err := s.CreateTranscript(ctx, s.caller, engine.NewTranscript{URL: "https://media.example/a.mp3"})
	require.NoError(t, err)
	other, err := s.CreateAccount(ctx, engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	_, _, err = s.GetRecording(ctx, other, r.ID)
	requireCode(t, engine.CodeNotFound, err)
	missing := engine.Message(err)
	_, _, err = s.GetRecording(ctx, other, "nothing")
	require.Equal(t, missing, engine.Message(err), "it must look missing")
	_, err = s.GetRecordingTranscript(ctx, other, r.ID)
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.GetTranscript(ctx, other, tr.ID)
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.GetTranscript(ctx, s.caller, r.TranscriptID)
	requireCode(t, engine.CodeNotFound, err)
	_, _, err = s.CreateRecording(ctx, other, engine.NewRecording{ObjectID: u.ID})
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.CreateUpload(ctx, other, engine.NewUpload{Filename: "a", ContentType: "a/b", Size: 1, SpaceID: "space"})
	requireCode(t, engine.CodeNotFound, err)
	page, err := s.ListRecordings(ctx, other, engine.ListRecordings{})
	require.NoError(t, err)
	require.Empty(t, page.Recordings)
	spaces, err := s.ListSpaces(ctx, other)
	require.NoError(t, err)
	require.Len(t, spaces, 1)
}

// A transcript that isn't completed can't be read; the message has its status.
func TestTranscriptNotReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{Media: stubMedia{info: engine.MediaInfo{Format: "mp4", Duration: time.Minute}}})
		r := s.record()
		_, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeNotReady, err)
		require.Contains(t, engine.Message(err), "queued")
		stop := s.start()
		_, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.Error(t, err)
		_, err = s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		requireCode(t, engine.CodeNotReady, err)
		require.Contains(t, engine.Message(err), "error")
		cause := errors.Unwrap(err)
		requireCode(t, engine.CodeBadMedia, cause)
		require.Equal(t, "The media has no audio stream.", engine.Message(cause))
		stop()
	})
}

// The transcription of a URL downloads, transcribes, and leaves no media. Each cause of failure has its own message.
func TestTranscribeURL(t *testing.T) {
	t.Parallel()
	short, none := minuteOfSound(), minuteOfSound()
	short.info.Duration = 159 * ms
	none.info.Audio = nil
	for name, c := range map[string]struct {
		config engine.Config
		ask    engine.NewTranscript
		want   string // error
	}{
		"words":   {want: ""},
		"silence": {config: engine.Config{Transcriber: hears()}},
		"silence whose language is to be detected": {engine.Config{Transcriber: hears()}, engine.NewTranscript{DetectLanguage: true},
			"No speech was found, so the language could not be detected."},
		"silence in a given language": {config: engine.Config{Transcriber: hears()}, ask: engine.NewTranscript{DetectLanguage: true, Language: "de"}},
		"no audio":                    {config: engine.Config{Media: none}, want: "The media has no audio stream."},
		"too short":                   {config: engine.Config{Media: short}, want: "The audio is too short: at least 160 milliseconds are needed."},
		"no media":                    {config: engine.Config{Media: stubMedia{err: engine.Errorf(engine.CodeBadMedia, "", "Not media.")}}, want: "Not media."},
		"download": {config: engine.Config{Fetcher: fetches(func(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
			return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "", "Gone.")
		})}, want: "Gone."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, c.config)
				stop := s.start()
				c.ask.URL = "https://media.example/talk.mp4"
				tr, err := s.CreateTranscript(t.Context(), s.caller, c.ask)
				require.NoError(t, err)
				require.Equal(t, engine.TranscriptQueued, tr.Status)
				tr, err = s.WaitTranscript(t.Context(), s.caller, tr.ID)
				require.Equal(t, c.want != "", err != nil)
				require.Equal(t, c.want, tr.Error)
				if c.want == "" {
					require.Equal(t, engine.TranscriptCompleted, tr.Status)
					require.Equal(t, int64(60), tr.AudioSeconds())
					require.NotNil(t, tr.Utterances)
				} else {
					require.Equal(t, engine.TranscriptError, tr.Status)
				}
				time.Sleep(time.Hour)
				require.NoError(t, s.blobs.List(t.Context(), "", func(b engine.BlobInfo) error { return fmt.Errorf("%s is left", b.Key) }))
				stop()
			})
		})
	}
}

// Every invalid field of a URL transcription is reported in one response.
func TestTranscriptValidation(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	for _, c := range []struct {
		ask  engine.NewTranscript
		want input.FieldErrors
	}{
		{engine.NewTranscript{}, input.FieldErrors{"url": {"can't be blank"}}},
		{engine.NewTranscript{URL: " "}, input.FieldErrors{"url": {"can't be blank"}}},
		{engine.NewTranscript{URL: "ftp://host/a.mp3"}, input.FieldErrors{"url": {"must be a valid url"}}},
		{engine.NewTranscript{URL: "a.mp3"}, input.FieldErrors{"url": {"must be a valid url"}}},
		{engine.NewTranscript{URL: "https://"}, input.FieldErrors{"url": {"must be a valid url"}}},
		{engine.NewTranscript{URL: "https://host/\x00"}, input.FieldErrors{"url": {"must be a valid url"}}},
		{engine.NewTranscript{URL: "https://host/" + strings.Repeat("a", 5000)}, input.FieldErrors{"url": {"must be a valid url"}}},
		{engine.NewTranscript{URL: "x", Language: "xx", BoostedWords: []string{""}},
			input.FieldErrors{"url": {"must be a valid url"}, "language_code": {"is invalid"}, "boosted_words": {"is invalid"}}},
	} {
		_, err := s.CreateTranscript(t.Context(), s.caller, c.ask)
		requireCode(t, engine.CodeInvalid, err)
		var fields input.FieldErrors
		require.ErrorAs(t, err, &fields)
		require.Equal(t, c.want, fields)
	}
}

// Words are tidied, custom spellings are applied, and the diarizer labels words without speakers.
func TestTranscriptIsTidied(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{
			Diarizer: turns{{Start: 0, End: 1000 * ms, Speaker: 1}, {Start: 1000 * ms, End: time.Minute, Speaker: 0}},
			Transcriber: hear(func(_ context.Context, req engine.TranscribeRequest) (engine.Transcription, error) {
				require.Equal(t, []string{"Soundstage"}, req.BoostedWords)
				return engine.Transcription{Language: "de", Words: []transcript.Word{
					{Text: "tard\u00a0?", Start: 59*time.Second + 900*ms, End: 70 * time.Second, Confidence: 7},
					{Text: "sound\x00stage,", Start: 500*ms + 400*time.Microsecond, End: 400 * ms},
					{Text: " \t", Start: 1 * time.Second, End: 2 * time.Second},
					{Text: "two\u2028lines", Start: 5 * time.Second, End: 6 * time.Second, Confidence: -1},
					{Text: "early\xff", Start: -3 * time.Second, End: 300 * ms},
				}}, nil
			}),
		})
		_, err := s.UpdateSpace(t.Context(), s.caller, "space", func(sp *engine.Space) error {
			sp.BoostedWords = []string{"Soundstage"}
			sp.Spellings = []transcript.Spelling{{From: []string{"SOUNDSTAGE"}, To: "Soundstage"}}
			return nil
		})
		require.NoError(t, err)
		stop := s.start()
		r := s.record()
		done, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, transcript.Language("de"), done.Language)
		tr := s.transcript(r.TranscriptID)
		require.Equal(t, []transcript.Word{
			{Text: "early\uFFFD", Start: 0, End: 300 * ms, Speaker: "Speaker 0"},
			{Text: "Soundstage,", Start: 500 * ms, End: 501 * ms, Speaker: "Speaker 0"},
			{Text: "two lines", Start: 5000 * ms, End: 6000 * ms, Speaker: "Speaker 1"},
			{Text: "tard\u00a0?", Start: 59_900 * ms, End: 60_000 * ms, Confidence: 1, Speaker: "Speaker 1"},
		}, tr.Words(), "labels are by first appearance")
		require.Equal(t, []string{"Speaker 0", "Speaker 1"}, tr.Labels())
		require.Empty(t, tr.WordsKey)
		stop()
	})
}

// If a transcriber labels only some words, an unlabelled word gets the speaker of the word before.
func TestWordsWithoutSpeaker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{
			Diarizer: turns{{Start: 0, End: time.Minute, Speaker: 0}},
			Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
				return engine.Transcription{Words: []transcript.Word{sample.Said("", "a", 0, 100), sample.Said("X", "b", 200, 300), sample.Said("", "c", 400, 500), sample.Said("Y", "d", 600, 700)}}, nil
			}),
		})
		stop := s.start()
		r := s.record()
		_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		var labels []string
		for _, w := range s.transcript(r.TranscriptID).Words() {
			labels = append(labels, w.Speaker)
		}
		require.Equal(t, []string{"Speaker 0", "Speaker 0", "Speaker 0", "Speaker 1"}, labels)
		stop()
	})
}

// turns is a Diarizer with fixed turns.
type turns []transcript.Turn

func (d turns) Diarize(_ context.Context, pcm io.Reader, _ transcript.DiarizeOptions) ([]transcript.Turn, error) {
	_, err := io.Copy(io.Discard, pcm)
	return d, err
}

// The names of assigned speakers are returned with the transcript.
func TestSpeakerNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		stop := s.start()
		r := s.record()
		_, err := s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
			return errors.Join(tx.PutSpeaker(engine.Speaker{ID: "ada", SpaceID: "space", Name: "Ada"}),
				tx.PutAssignment(engine.Assignment{RecordingID: r.ID, Label: "Speaker 0", SpeakerID: "ada"}))
		}))
		rt, err := s.GetRecordingTranscript(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, map[string]string{"Speaker 0": "Ada"}, rt.Names)
		stop()
	})
}

// A secret grants what its key grants, is stored only as a hash, and is refused after the key is deleted.
func TestKeys(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	ctx := t.Context()
	key, secret, err := s.CreateKey(ctx, s.caller, engine.NewKey{Tier: engine.TierCore, Name: "ci"})
	require.NoError(t, err)
	require.Equal(t, engine.HashSecret(secret), key.Hash)
	require.NotContains(t, fmt.Sprintf("%+v", key), secret)
	c, err := s.Authenticate(ctx, secret)
	require.NoError(t, err)
	require.Equal(t, engine.Caller{UserID: "user", AccountID: "account", KeyID: key.ID, DefaultSpaceID: "space", Tier: engine.TierCore}, c)
	for _, wrong := range []string{"", "x", secret + "x", secret[1:], strings.ToUpper(secret)} {
		_, err := s.Authenticate(ctx, wrong)
		requireCode(t, engine.CodeUnauthenticated, err)
	}
	same, _, err := s.CreateKey(ctx, s.caller, engine.NewKey{Secret: secret})
	require.NoError(t, err)
	require.Equal(t, key.ID, same.ID, "an existing fixed secret must return its key")
	_, _, err = s.CreateKey(ctx, s.caller, engine.NewKey{Tier: "gold"})
	requireCode(t, engine.CodeInvalid, err)
	other, err := s.CreateAccount(ctx, engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	_, _, err = s.CreateKey(ctx, other, engine.NewKey{Secret: secret})
	requireCode(t, engine.CodeConflict, err)
	requireCode(t, engine.CodeNotFound, s.DeleteKey(ctx, other, key.ID))
	keys, err := s.ListKeys(ctx, s.caller)
	require.NoError(t, err)
	require.Len(t, keys, 1)
	require.NoError(t, s.DeleteKey(ctx, s.caller, key.ID))
	_, err = s.Authenticate(ctx, secret)
	requireCode(t, engine.CodeUnauthenticated, err)
}

// Each tier includes the lower ones.
func TestTiers(t *testing.T) {
	t.Parallel()
	for i, have := range engine.Tiers() {
		for j, need := range engine.Tiers() {
			require.Equal(t, i >= j, have.Includes(need), "%s includes %s", have, need)
		}
	}
	require.False(t, engine.Tier("gold").Includes(engine.TierNone))
	require.False(t, engine.TierPlatform.Includes("gold"))
}

// Without a port, methods name what is missing. Without a store, New fails.
func TestMissingPorts(t *testing.T) {
	t.Parallel()
	_, err := engine.New(engine.Config{})
	requireCode(t, engine.CodeInvalid, err)
	s := newStage(t, engine.Config{})
	bare, err := engine.New(engine.Config{Store: s.store, Blobs: s.blobs})
	require.NoError(t, err)
	_, _, err = bare.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: s.upload().ID})
	requireCode(t, engine.CodeUnavailable, err)
	_, err = bare.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: "https://a.example/b"})
	requireCode(t, engine.CodeUnavailable, err)
}

// Creating an account twice with the same ids creates it once.
func TestCreateAccountTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	again, err := s.CreateAccount(t.Context(), engine.NewAccount{AccountID: "account", UserID: "user", SpaceID: "space"})
	require.NoError(t, err)
	require.Equal(t, s.caller, again)
	spaces, err := s.ListSpaces(t.Context(), again)
	require.NoError(t, err)
	require.Len(t, spaces, 1)
	require.Equal(t, "Test", spaces[0].Name)
	_, err = s.CreateAccount(t.Context(), engine.NewAccount{Language: "xx"})
	requireCode(t, engine.CodeInvalid, err)
	_, err = s.CreateSpace(t.Context(), s.caller, engine.Space{})
	requireCode(t, engine.CodeInvalid, err)
	_, err = s.UpdateSpace(t.Context(), s.caller, "space", func(sp *engine.Space) error { sp.Language = "xx"; return nil })
	requireCode(t, engine.CodeInvalid, err)
}
