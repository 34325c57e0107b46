package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

func restoredMedia(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader([]byte(text))), nil }
}

// blobKeys returns the key of every blob.
func (s *stage) blobKeys() (keys []string) {
	s.t.Helper()
	require.NoError(s.t, s.blobs.List(s.t.Context(), "", func(info engine.BlobInfo) error {
		keys = append(keys, info.Key)
		return nil
	}))
	return keys
}

// A language that isn't supported is never stored, whether a transcriber or an archive names it.
func TestUnsupportedLanguage(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{Transcriber: hear(func(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
		return engine.Transcription{Language: "ar", Words: []transcript.Word{{Text: "مرحبا", End: time.Second}}}, nil
	})})
	defer s.start()()
	r, err := s.WaitRecording(t.Context(), s.caller, s.record().ID)
	require.NoError(t, err)
	require.Equal(t, transcript.Language("en"), r.Language)
	_, err = s.Restore(t.Context(), s.caller, engine.Archive{Spaces: []engine.ArchiveSpace{{Name: "New", Recordings: []engine.ArchiveRecording{
		{Recording: engine.Recording{ID: "given", Title: "Given"}, Transcript: &transcript.Transcript{Language: "ar-EG"}, Media: restoredMedia("one")},
	}}}})
	require.NoError(t, err)
	rt, err := s.GetRecordingTranscript(t.Context(), s.caller, "given")
	require.NoError(t, err)
	require.Equal(t, transcript.Language("en"), rt.Transcript.Language)
	require.Equal(t, transcript.Language("en"), rt.Recording.Language)
}

// A restored transcript has the form that a transcription has, whatever another program has written: times from 0 and in order, lines of text,
// and speakers. Words after the end of the media keep their times.
func TestRestoreTidies(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	said := func(speaker, text string, start, end time.Duration) transcript.Utterance {
		return transcript.Utterance{
			Speaker: speaker, Text: text, Start: start, End: end, Confidence: math.NaN(),
			Words: []transcript.Word{{Text: text, Start: start, End: end, Confidence: math.Inf(1)}},
		}
	}
	given := transcript.Transcript{Language: "en", Duration: 10 * time.Minute, Utterances: []transcript.Utterance{
		said("Ada", "late", time.Hour, 2*time.Hour), said("", "two\nlines\x00 \xff", 5*time.Second, 6*time.Second), said("Bob", "early", -time.Second, time.Second),
		{Start: 2 * time.Second}, {Text: "no words", Start: 7500 * time.Microsecond, End: 8 * time.Second},
	}}
	archive := engine.Archive{Spaces: []engine.ArchiveSpace{{Recordings: []engine.ArchiveRecording{
		{Recording: engine.Recording{ID: "given", Title: "Given"}, Transcript: &given, Media: restoredMedia("one")},
	}}}}
	_, err := s.Restore(t.Context(), s.caller, archive)
	require.NoError(t, err)
	rt, err := s.GetRecordingTranscript(t.Context(), s.caller, "given")
	require.NoError(t, err)
	var got []string
	for _, u := range rt.Transcript.Utterances {
		got = append(got, fmt.Sprintf("%s %v-%v %q %v %v", u.Speaker, u.Start, u.End, u.Text, u.Confidence, u.Words))
		for _, w := range u.Words {
			require.Equal(t, u.Speaker, w.Speaker)
			require.InDelta(t, 1, w.Confidence, 0)
		}
	}
	require.Equal(t, []string{
		`Bob 0s-1s "early" 0 [early[0s–1s]]`, `Bob 8ms-8s "no words" 0 []`, "Bob 5s-6s \"two lines \ufffd\" 0 [two lines \ufffd[5s–6s]]",
		`Ada 1h0m0s-2h0m0s "late" 0 [late[1h0m0s–2h0m0s]]`,
	}, got)
	require.Equal(t, 2*time.Hour, rt.Recording.Duration)
	require.Equal(t, 2*time.Hour, rt.Transcript.Duration)
	require.Equal(t, time.Hour, given.Utterances[0].Words[0].Start, "the argument must not change")
}

// A time that not every store and JSON parser can hold is refused. Others are stored, and returned as they are stored.
func TestDates(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	r := s.record()
	publish := func(at time.Time) (engine.Recording, error) {
		return s.UpdateRecording(t.Context(), s.caller, r.ID, func(r *engine.Recording) error { r.PublishedAt = &at; return nil })
	}
	for _, year := range []int{-1, 0, 9999, 20_000, 300_000} {
		at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		_, err := publish(at)
		requireCode(t, engine.CodeInvalid, err)
		for _, given := range []engine.Recording{{Title: "T", CreatedAt: at}, {Title: "T", PublishedAt: &at}} {
			_, err = s.Restore(t.Context(), s.caller, engine.Archive{Spaces: []engine.ArchiveSpace{{Recordings: []engine.ArchiveRecording{{Recording: given, Media: restoredMedia("one")}}}}})
			requireCode(t, engine.CodeInvalid, err)
		}
	}
	at := time.Date(1891, 2, 3, 4, 5, 6, 123_456_789, time.FixedZone("", 3600))
	changed, err := publish(at)
	require.NoError(t, err)
	stored, _, err := s.GetRecording(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	require.Equal(t, time.Date(1891, 2, 3, 3, 5, 6, 123_456_000, time.UTC), *changed.PublishedAt)
	require.Equal(t, *changed.PublishedAt, *stored.PublishedAt)
}

// Restore creates missing spaces, updates existing ones, and leaves existing recordings unchanged. Nothing is generated, and no
// event is sent.
func TestRestore(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	heard := &transcript.Transcript{Language: "de", Duration: 2 * time.Minute, Utterances: []transcript.Utterance{{
		Speaker: "Speaker 0", Text: "Guten Tag.", End: time.Second, Words: []transcript.Word{{Text: "Guten", End: 400e6, Speaker: "Speaker 0"}},
	}}}
	archive := engine.Archive{Spaces: []engine.ArchiveSpace{{
		Name: "New", Change: func(s *engine.Space) error { s.Language = "de"; return nil },
		Speakers: []engine.ArchiveSpeaker{{Speaker: engine.Speaker{Name: "Ada"}, Role: "host"}},
		Prompts:  []engine.Prompt{{Name: "Mine", Text: "Write."}},
		Recordings: []engine.ArchiveRecording{
			{Recording: engine.Recording{ID: "given", Title: "Given"}, Transcript: heard, Names: map[string]string{"Speaker 0": "ada"}, Media: restoredMedia("one")},
			{Recording: engine.Recording{ID: "queued", Title: "Queued"}, Media: restoredMedia("two")},
		},
	}}}
	for range 2 {
		restored, err := s.Restore(t.Context(), s.caller, archive)
		require.NoError(t, err)
		require.Equal(t, []engine.RecordingID{"given", "queued"}, restored.Recordings)
		spaces, err := s.ListSpaces(t.Context(), s.caller)
		require.NoError(t, err)
		require.Len(t, spaces, 2)
		require.Equal(t, transcript.Language("de"), spaces[1].Language)
		require.Equal(t, 2, spaces[1].LastNumber)
		_, speakers, err := s.ListSpeakers(t.Context(), s.caller, restored.Spaces[0])
		require.NoError(t, err)
		require.Len(t, speakers, 1)
		require.Equal(t, "Host", speakers[0].Role)
		require.Len(t, s.blobKeys(), 2)
	}
	rt, err := s.GetRecordingTranscript(t.Context(), s.caller, "given")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"Speaker 0": "Ada"}, rt.Names)
	require.Equal(t, 2*time.Minute, rt.Recording.Duration)
	require.Equal(t, transcript.Language("de"), rt.Recording.Language)
	require.Equal(t, &rt.Recording.CreatedAt, rt.Recording.PublishedAt)
	outputs, err := s.ListOutputs(t.Context(), s.caller, "given", "")
	require.NoError(t, err)
	require.Empty(t, outputs)
	defer s.start()()
	r, err := s.WaitRecording(t.Context(), s.caller, "queued")
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
}

// If any part of an archive is invalid, nothing of it is stored, not even media.
func TestRestoreIsAtomic(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{StorageHardLimit: 10})
	other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other", SpaceID: "theirs"})
	require.NoError(t, err)
	require.NotEqual(t, s.caller, other)
	fine := engine.ArchiveRecording{Recording: engine.Recording{Title: "Fine"}, Media: restoredMedia("media")}
	titled := func(title string, m func() (io.ReadCloser, error)) engine.ArchiveRecording {
		return engine.ArchiveRecording{Recording: engine.Recording{Title: title}, Media: m}
	}
	unreadable := func() (io.ReadCloser, error) { return nil, engine.Errorf(engine.CodeBadMedia, "", "No.") }
	for name, c := range map[string]struct {
		space engine.ArchiveSpace
		want  engine.Code
	}{
		"another account's space": {engine.ArchiveSpace{ID: "theirs", Name: "New"}, engine.CodeConflict},
		"an unknown language":     {engine.ArchiveSpace{Name: "New", Change: func(s *engine.Space) error { s.Language = "tlh"; return nil }}, engine.CodeInvalid},
		"an unknown role":         {engine.ArchiveSpace{Name: "New", Speakers: []engine.ArchiveSpeaker{{Speaker: engine.Speaker{Name: "A"}, Role: "Pilot"}}}, engine.CodeInvalid},
		"a speaker without name":  {engine.ArchiveSpace{Name: "New", Speakers: []engine.ArchiveSpeaker{{}}}, engine.CodeInvalid},
		"a prompt without text":   {engine.ArchiveSpace{Name: "New", Prompts: []engine.Prompt{{Name: "A"}}}, engine.CodeInvalid},
		"media beyond the limit":  {engine.ArchiveSpace{Name: "New", Recordings: []engine.ArchiveRecording{titled("Long", restoredMedia("more than ten"))}}, engine.CodeStorageLimit},
		"media without bytes":     {engine.ArchiveSpace{Name: "New", Recordings: []engine.ArchiveRecording{titled("None", unreadable)}}, engine.CodeBadMedia},
		"an unknown speaker": {engine.ArchiveSpace{Name: "New", Recordings: []engine.ArchiveRecording{{
			Recording: engine.Recording{Title: "A"}, Transcript: &transcript.Transcript{}, Names: map[string]string{"Speaker 0": "Nobody"}, Media: restoredMedia("a"),
		}}}, engine.CodeInvalid},
		"a bad title": {engine.ArchiveSpace{Name: "New", Recordings: []engine.ArchiveRecording{titled("\x00", restoredMedia("a"))}}, engine.CodeInvalid},
	} {
		c.space.Recordings = append([]engine.ArchiveRecording{fine}, c.space.Recordings...)
		_, err := s.Restore(context.Background(), s.caller, engine.Archive{Spaces: []engine.ArchiveSpace{{Name: "Before"}, c.space}})
		require.Equal(t, c.want, engine.CodeOf(err), "%s: %v", name, err)
		spaces, err := s.ListSpaces(t.Context(), s.caller)
		require.NoError(t, err)
		require.Len(t, spaces, 1, name)
		require.Empty(t, s.blobKeys(), name)
	}
}

// The media of a recording stay when the store commits it and the answer is lost.
func TestRestoreWithLostAnswer(t *testing.T) {
	t.Parallel()
	store := &mute{Store: memory.NewStore()}
	s := newStage(t, engine.Config{Store: store})
	store.next.Store(true)
	_, err := s.Restore(t.Context(), s.caller, engine.Archive{Spaces: []engine.ArchiveSpace{{
		Recordings: []engine.ArchiveRecording{{Recording: engine.Recording{ID: "given", Title: "Given"}, Media: restoredMedia("one")}},
	}}})
	require.ErrorIs(t, err, errCut)
	r, _, err := s.GetRecording(t.Context(), s.caller, "given")
	require.NoError(t, err)
	require.Equal(t, []string{r.BlobKey}, s.blobKeys())
}

// dark is a store that commits once more and then can't be read, if a test asks for it.
type dark struct {
	mute
	off atomic.Bool
}

func (s *dark) Update(ctx context.Context, fn func(engine.Tx) error) error {
	err := s.mute.Update(ctx, fn)
	if err != nil {
		s.off.Store(true)
	}
	return err
}

func (s *dark) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	if s.off.Load() {
		return errBlind
	}
	return s.mute.View(ctx, fn)
}

// The media stay, too, while nobody can say whether the recording was committed.
func TestRestoreWithLostStore(t *testing.T) {
	t.Parallel()
	store := &dark{mute: mute{Store: memory.NewStore()}}
	s := newStage(t, engine.Config{Store: store})
	store.next.Store(true)
	_, err := s.Restore(t.Context(), s.caller, engine.Archive{Spaces: []engine.ArchiveSpace{{
		Recordings: []engine.ArchiveRecording{{Recording: engine.Recording{ID: "given", Title: "Given"}, Media: restoredMedia("one")}},
	}}})
	require.ErrorIs(t, err, errCut)
	store.off.Store(false)
	r, _, err := s.GetRecording(t.Context(), s.caller, "given")
	require.NoError(t, err)
	require.Equal(t, []string{r.BlobKey}, s.blobKeys())
}

// An archive that has an ID twice is refused, and leaves nothing behind.
func TestRestoreRefusesTwins(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	twin := engine.ArchiveRecording{Recording: engine.Recording{ID: "given", Title: "Given"}, Media: restoredMedia("one")}
	for name, spaces := range map[string][]engine.ArchiveSpace{
		"one space":  {{Recordings: []engine.ArchiveRecording{twin, twin}}},
		"two spaces": {{Recordings: []engine.ArchiveRecording{twin}}, {Name: "Other", Recordings: []engine.ArchiveRecording{twin}}},
	} {
		_, err := s.Restore(t.Context(), s.caller, engine.Archive{Spaces: spaces})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%s: %v", name, err)
		require.Contains(t, engine.Message(err), "given")
		require.Empty(t, s.blobKeys(), name)
	}
}
