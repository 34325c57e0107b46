package engine_test

import (
	"bytes"
	"context"
	"io"
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
