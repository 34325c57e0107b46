package engine_test

import (
	"context"
	"crypto/sha256"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// An object of the program becomes a recording without a copy, and stays where it is.
func TestAddObject(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, known := range []bool{true, false} {
			s := newDirectStage(t, engine.Config{})
			if !known {
				s = forgetful(t)
			}
			stop := s.start()
			s.put("library/2026/talk.wav", riff)
			r, err := s.AddObject(t.Context(), s.caller, "library/2026/talk.wav", engine.NewObject{
				Size: int64(len(riff)), SHA256: sha256.Sum256([]byte(riff)),
				NewRecording: engine.NewRecording{Language: "fr", Tags: engine.Tags{Metadata: map[string]string{"show": "news"}}},
			})
			require.NoError(t, err)
			require.Equal(t, "library/2026/talk.wav", r.BlobKey)
			require.Equal(t, "talk", r.Title)
			require.Equal(t, "news", r.Metadata["show"])
			require.EqualValues(t, "fr", r.Language)
			require.EqualValues(t, len(riff), s.storageUsed())
			u, err := s.GetUpload(t.Context(), r.UploadID)
			require.NoError(t, err)
			require.Equal(t, engine.UploadUsed, u.Status)
			require.Equal(t, "audio/wav", u.ContentType)
			require.Equal(t, sha256.Sum256([]byte(riff)), u.SHA256)
			r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
			require.NoError(t, err)
			require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
			time.Sleep(48 * time.Hour) // no clean-up touches it
			require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
			time.Sleep(time.Hour)
			stop()
			require.Equal(t, []string{"library/2026/talk.wav"}, s.keys(), "the object stays the program's")
			require.Zero(t, s.storageUsed())
		}
	})
}

// What is not the announced object is an error that names the reason. There is no recording, no storage is used, and the object stays.
func TestAddObjectRefusals(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("other"))
	for name, c := range map[string]struct {
		key  string
		n    engine.NewObject
		code engine.Code
		says string
	}{
		"another size":      {"a.wav", engine.NewObject{Size: 5}, engine.CodeUnprocessable, "has 16 bytes, but 5 were declared"},
		"another hash":      {"a.wav", engine.NewObject{SHA256: sum}, engine.CodeUnprocessable, "SHA-256"},
		"an empty object":   {"empty.wav", engine.NewObject{}, engine.CodeUnprocessable, `"empty.wav" is empty`},
		"a missing object":  {"none.wav", engine.NewObject{}, engine.CodeNotFound, `no object "none.wav"`},
		"an invalid key":    {"../a.wav", engine.NewObject{}, engine.CodeInvalid, "not a valid blob key"},
		"a key with blanks": {"library/my talk.wav", engine.NewObject{}, engine.CodeInvalid, "not a valid blob key"},
		"no key":            {"", engine.NewObject{}, engine.CodeInvalid, "not a valid blob key"},
		"an upload's key":   {"uploads/obj_1/a", engine.NewObject{}, engine.CodeInvalid, "reserved for the engine"},
		"a render's key":    {"renders/1/1.mp4", engine.NewObject{}, engine.CodeInvalid, "reserved for the engine"},
		"a negative size":   {"a.wav", engine.NewObject{Size: -1}, engine.CodeInvalid, "negative"},
		"an object id":      {"a.wav", engine.NewObject{NewRecording: engine.NewRecording{ObjectID: "obj_1"}}, engine.CodeInvalid, "ObjectID"},
		"an unknown space":  {"a.wav", engine.NewObject{NewRecording: engine.NewRecording{SpaceID: "none"}}, engine.CodeNotFound, "space"},
		"a wrong language":  {"a.wav", engine.NewObject{NewRecording: engine.NewRecording{Language: "xx"}}, engine.CodeInvalid, "language"},
		"a name with a NUL": {"a.wav", engine.NewObject{Name: "a\x00"}, engine.CodeInvalid, "control characters"},
		"too much storage":  {"large.wav", engine.NewObject{}, engine.CodeStorageLimit, "storage limit"},
		"a NUL in metadata": {"a.wav", engine.NewObject{NewRecording: engine.NewRecording{Tags: engine.Tags{Metadata: map[string]string{"a": "\x00"}}}}, engine.CodeInvalid, "metadata"},
	} {
		s := newDirectStage(t, engine.Config{StorageHardLimit: 100})
		s.put("a.wav", riff)
		s.put("empty.wav", "")
		s.put("large.wav", strings.Repeat("a", 101))
		_, err := s.AddObject(t.Context(), s.caller, c.key, c.n)
		requireCode(t, c.code, err)
		require.Contains(t, engine.Message(err), c.says, name)
		require.Empty(t, s.recordings(), name)
		require.Zero(t, s.storageUsed(), name)
		require.Equal(t, 3, s.blobCount(), name)
	}
}

// The same external id is the same recording, also for calls at the same time.
func TestAddObjectSameExternalID(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{})
	s.put("a.wav", riff)
	n := engine.NewObject{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: "42"}}}
	ids := make([]engine.RecordingID, 8)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if r, err := s.AddObject(t.Context(), s.caller, "a.wav", n); err == nil {
				ids[i] = r.ID
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		require.NotEmpty(t, id)
		require.Equal(t, ids[0], id)
	}
	require.Len(t, s.recordings(), 1)
	require.EqualValues(t, len(riff), s.storageUsed())
	first, err := s.AddObject(t.Context(), s.caller, "gone.wav", n)
	require.NoError(t, err, "a known id reads nothing")
	require.Equal(t, ids[0], first.ID)
}

// meanwhile are blobs whose first Stat calls a function.
type meanwhile struct {
	*memory.Blobs
	once *sync.Once
	call func()
}

func (b meanwhile) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	b.once.Do(b.call)
	return b.Blobs.Stat(ctx, key)
}

// If another call adds the same external id while the object is verified, that recording is returned.
func TestAddObjectMeanwhile(t *testing.T) {
	t.Parallel()
	blobs := &meanwhile{Blobs: memory.NewBlobs(), once: new(sync.Once)}
	s := directStage{newStage(t, engine.Config{Blobs: blobs}), nil}
	s.blobs = blobs.Blobs
	s.put("a.wav", riff)
	var other engine.Recording
	blobs.call = func() {
		var err error
		other, err = s.AddReader(t.Context(), s.caller, strings.NewReader(riff), tagsOnly(engine.Tags{ExternalID: "42"}))
		require.NoError(t, err)
	}
	r, err := s.AddObject(t.Context(), s.caller, "a.wav", engine.NewObject{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: "42"}}})
	require.NoError(t, err)
	require.Equal(t, other.ID, r.ID)
	require.Len(t, s.recordings(), 1)
	require.EqualValues(t, len(riff), s.storageUsed())
}

// Every key that the engine writes is one that AddObject refuses.
func TestOwnKeys(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{Renderer: drawsSlowly(0)})
	defer s.start()()
	u, a := s.presign()
	s.send(a, strings.NewReader(riff))
	_, err := s.use(u.ID)
	require.NoError(t, err)
	r := s.render(engine.NewRender{Style: engine.StyleAudiogram})
	_, err = s.WaitRender(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	i := s.importing(engine.NewImport{URL: "https://example.org/a.mp3"})
	_, err = s.WaitImport(t.Context(), s.caller, i.ID)
	require.NoError(t, err)
	prefixes := map[string]bool{}
	for _, key := range s.keys() {
		prefix, _, _ := strings.Cut(key, "/")
		prefixes[prefix] = true
		_, err := s.AddObject(t.Context(), s.caller, key, engine.NewObject{})
		requireCode(t, engine.CodeInvalid, err)
		require.Contains(t, engine.Message(err), "reserved", key)
	}
	require.Len(t, prefixes, 3, prefixes)
}
