package engine_test

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// directStage is a stage whose blobs can be sent and read by address.
type directStage struct {
	*stage
	storage http.Handler
}

func newDirectStage(t *testing.T, c engine.Config) directStage {
	t.Helper()
	blobs := memory.NewBlobs()
	direct, err := files.NewDirect(blobs, files.DirectOptions{URL: "http://example.com/media"})
	require.NoError(t, err)
	c.Blobs = direct.Blobs()
	s := newStage(t, c)
	s.blobs = blobs
	return directStage{s, direct}
}

// send sends a request to an address, and returns the status and the body of the answer.
func (s directStage) send(a engine.Address, body io.Reader) (int, string) {
	req := httptest.NewRequest(a.Method, a.URL, body)
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.storage.ServeHTTP(w, req)
	return w.Code, w.Body.String()
}

func directWAV(size int64) engine.NewDirectUpload {
	return engine.NewDirectUpload{NewUpload: engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: size}}
}

// presign reserves an upload of riff, with its SHA-256.
func (s directStage) presign() (engine.Upload, engine.Address) {
	s.t.Helper()
	n := directWAV(int64(len(riff)))
	n.SHA256 = sha256.Sum256([]byte(riff))
	u, a, err := s.PresignUpload(s.t.Context(), s.caller, n)
	require.NoError(s.t, err)
	return u, a
}

func (s directStage) use(id engine.UploadID) (engine.Recording, error) {
	r, _, err := s.CreateRecording(s.t.Context(), s.caller, engine.NewRecording{ObjectID: id})
	return r, err
}

// A client sends bytes directly to the storage. They become a recording, which is read by address.
func TestDirectUpload(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{})
	defer s.start()()
	u, a := s.presign()
	require.Equal(t, engine.UploadReserved, u.Status)
	require.EqualValues(t, len(riff), s.storageUsed())
	status, body := s.send(a, strings.NewReader(riff))
	require.Equal(t, http.StatusOK, status, body)
	r, err := s.use(u.ID)
	require.NoError(t, err)
	require.EqualValues(t, len(riff), r.Size)
	r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
	require.NoError(t, err)
	require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
	used, err := s.GetUpload(t.Context(), u.ID)
	require.NoError(t, err)
	require.Equal(t, engine.UploadUsed, used.Status)
	require.Equal(t, sha256.Sum256([]byte(riff)), used.SHA256)
	require.Equal(t, used.Size, used.StoredSize)
	require.EqualValues(t, len(riff), s.storageUsed())

	get, err := s.PresignMedia(t.Context(), s.caller, r.ID, engine.BlobGet{})
	require.NoError(t, err)
	status, body = s.send(get, nil)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, riff, body)
	_, err = s.PresignMedia(t.Context(), engine.Caller{UserID: "stranger"}, r.ID, engine.BlobGet{})
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.PresignMedia(t.Context(), s.caller, r.ID, engine.BlobGet{TTL: -time.Second})
	requireCode(t, engine.CodeInvalid, err)
}

// An upload is used once, also by calls at the same time. A replayed PUT changes nothing.
func TestDirectUploadOnce(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{})
	u, a, err := s.PresignUpload(t.Context(), s.caller, directWAV(3))
	require.NoError(t, err)
	status, _ := s.send(a, strings.NewReader("abc"))
	require.Equal(t, http.StatusOK, status)
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = s.use(u.ID) })
	}
	all.Wait()
	made := 0
	for _, err := range errs {
		if err == nil {
			made++
			continue
		}
		requireCode(t, engine.CodeConflict, err)
	}
	require.Equal(t, 1, made)
	status, _ = s.send(a, strings.NewReader("xyz"))
	require.Equal(t, http.StatusPreconditionFailed, status)
	body, err := s.blobs.Open(t.Context(), u.BlobKey, 0, -1)
	require.NoError(t, err)
	content, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Equal(t, "abc", string(content))
	require.Equal(t, 1, s.blobCount())
}

// CreateRecording refuses bytes that are missing or not the declared ones, whatever the storage let through, and writes nothing.
func TestDirectUploadVerified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		stored, says string
	}{
		"no bytes":       {"", "never arrived"},
		"fewer bytes":    {riff[:5], "has 5 bytes, but 16 were declared"},
		"more bytes":     {riff + "!", "has 17 bytes, but 16 were declared"},
		"other bytes":    {strings.ToLower(riff), "SHA-256"},
		"the right ones": {riff, ""},
	} {
		for _, known := range []bool{true, false} {
			s := newDirectStage(t, engine.Config{})
			if !known {
				s = forgetful(t)
			}
			u, _ := s.presign()
			if c.stored != "" {
				s.put(u.BlobKey, c.stored)
			}
			_, err := s.use(u.ID)
			if c.says == "" {
				require.NoError(t, err, name)
				continue
			}
			requireCode(t, engine.CodeUnprocessable, err)
			require.Contains(t, engine.Message(err), c.says, name)
			now, err := s.GetUpload(t.Context(), u.ID)
			require.NoError(t, err)
			require.Equal(t, engine.UploadReserved, now.Status)
			require.Empty(t, s.recordings())
		}
	}
}

// put stores a blob without an address.
func (s directStage) put(key, content string) {
	s.t.Helper()
	w, err := s.blobs.Create(s.t.Context(), key, engine.BlobMeta{})
	require.NoError(s.t, err)
	_, err = io.WriteString(w, content)
	require.NoError(s.t, err)
	_, err = w.Commit()
	require.NoError(s.t, err)
}

// forgetful returns a stage whose storage doesn't know the SHA-256 of what it stores.
func forgetful(t *testing.T) directStage {
	t.Helper()
	blobs := memory.NewBlobs()
	direct, err := files.NewDirect(unhashed{blobs}, files.DirectOptions{URL: "http://example.com/media"})
	require.NoError(t, err)
	s := newStage(t, engine.Config{Blobs: direct.Blobs()})
	s.blobs = blobs
	return directStage{s, direct}
}

type unhashed struct{ *memory.Blobs }

func (b unhashed) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	info, err := b.Blobs.Stat(ctx, key)
	info.SHA256 = [32]byte{}
	return info, err
}

// The SHA-256 of a recording's upload is computed if neither client nor storage knows it.
func TestDirectUploadHashed(t *testing.T) {
	t.Parallel()
	s := forgetful(t)
	u, a, err := s.PresignUpload(t.Context(), s.caller, directWAV(int64(len(riff))))
	require.NoError(t, err)
	status, _ := s.send(a, strings.NewReader(riff))
	require.Equal(t, http.StatusOK, status)
	_, err = s.use(u.ID)
	require.NoError(t, err)
	u, err = s.GetUpload(t.Context(), u.ID)
	require.NoError(t, err)
	require.Equal(t, sha256.Sum256([]byte(riff)), u.SHA256)
}

// The job of an upload removes what no recording uses, and releases its storage: after 30 minutes without bytes, else after a day.
func TestDirectUploadExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		defer s.start()()
		never, neverPut := s.presign()
		late, latePut := s.presign()
		stored, storedPut := s.presign()
		used, usedPut := s.presign()
		for _, a := range []engine.Address{storedPut, usedPut} {
			status, _ := s.send(a, strings.NewReader(riff))
			require.Equal(t, http.StatusOK, status)
		}
		_, err := s.use(used.ID)
		require.NoError(t, err)
		in, out := io.Pipe()
		lateStatus := make(chan int, 1)
		go func() {
			status, _ := s.send(latePut, in)
			lateStatus <- status
		}()
		time.Sleep(20 * time.Minute)
		require.EqualValues(t, 4*len(riff), s.storageUsed())
		time.Sleep(20 * time.Minute)
		require.EqualValues(t, 2*len(riff), s.storageUsed(), "the uploads without bytes are over")
		for _, id := range []engine.UploadID{never.ID, late.ID} {
			u, err := s.GetUpload(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, engine.UploadExpired, u.Status)
		}
		status, body := s.send(neverPut, strings.NewReader(riff))
		require.Equal(t, http.StatusForbidden, status)
		require.Contains(t, body, "expired")
		_, err = io.WriteString(out, riff)
		require.NoError(t, err)
		require.NoError(t, out.Close())
		require.Equal(t, http.StatusOK, <-lateStatus, "it began in time")
		_, err = s.use(late.ID)
		requireCode(t, engine.CodeUnprocessable, err)
		require.Equal(t, 3, s.blobCount())
		time.Sleep(25 * time.Hour)
		require.Equal(t, 1, s.blobCount(), "only the recording's bytes are left")
		require.EqualValues(t, len(riff), s.storageUsed())
		_, err = s.use(stored.ID)
		requireCode(t, engine.CodeUnprocessable, err)
	})
}

// Bytes that are sent again after their recording was deleted are removed, too.
func TestDirectUploadDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		defer s.start()()
		u, a := s.presign()
		s.send(a, strings.NewReader(riff))
		r, err := s.use(u.ID)
		require.NoError(t, err)
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		time.Sleep(10 * time.Minute)
		require.Zero(t, s.blobCount())
		require.Zero(t, s.storageUsed())
		status, _ := s.send(a, strings.NewReader(riff))
		require.Equal(t, http.StatusOK, status)
		time.Sleep(25 * time.Hour)
		require.Zero(t, s.blobCount())
	})
}

// If an upload's row is gone, its job removes what a late request stored.
func TestDirectUploadWithoutRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		s.put("uploads/obj_gone/a", riff)
		s.put("uploads/obj_gone2/a", riff)
		require.NoError(t, s.store.Update(t.Context(), func(tx engine.Tx) error {
			return tx.Enqueue(queue.Job{ID: "job", Kind: engine.JobUploadExpire, Key: "job", Ref: "obj_gone", Class: queue.ClassMaintain, Status: queue.Queued, RunAt: s.Now(), CreatedAt: s.Now()})
		}))
		stop := s.start()
		time.Sleep(time.Minute)
		stop()
		require.Equal(t, []string{"uploads/obj_gone2/a"}, s.keys())
	})
}

// PresignUpload refuses what CreateUpload refuses, and reserves nothing.
func TestDirectUploadRefusals(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{StorageHardLimit: 100})
	for code, n := range map[engine.Code]engine.NewDirectUpload{
		engine.CodeStorageLimit: directWAV(101), engine.CodeInvalid: directWAV(0), engine.CodeTooLarge: directWAV(engine.MaxUploadSize + 1),
		engine.CodeNotFound: {NewUpload: engine.NewUpload{Filename: "a", ContentType: "audio/wav", Size: 1, SpaceID: "none"}},
	} {
		_, a, err := s.PresignUpload(t.Context(), s.caller, n)
		requireCode(t, code, err)
		require.Empty(t, a)
		require.Zero(t, s.storageUsed())
	}
	u, _ := s.presign()
	_, err := s.ReceiveUpload(t.Context(), u.ID, strings.NewReader(riff))
	requireCode(t, engine.CodeConflict, err)
	require.Contains(t, engine.Message(err), "directly")
	require.Zero(t, s.blobCount())

	plain := newStage(t, engine.Config{})
	_, _, err = plain.PresignUpload(t.Context(), plain.caller, directWAV(1))
	requireCode(t, engine.CodeUnavailable, err)
	require.Contains(t, engine.Message(err), "sign addresses")
	_, err = plain.PresignMedia(t.Context(), plain.caller, plain.record().ID, engine.BlobGet{})
	requireCode(t, engine.CodeUnavailable, err)
}

// The video of a render is read by address when it is completed.
func TestPresignRender(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{Renderer: drawsSlowly(0)})
	stop := s.start()
	recording := s.completed()
	stop()
	video, err := s.CreateRender(t.Context(), s.caller, engine.NewRender{RecordingID: recording.ID, Window: sample.Window(200, 1500), Style: engine.StyleAudiogram})
	require.NoError(t, err)
	_, err = s.PresignRender(t.Context(), s.caller, video.ID, engine.BlobGet{})
	requireCode(t, engine.CodeNotReady, err)
	defer s.start()()
	_, err = s.WaitRender(t.Context(), s.caller, video.ID)
	require.NoError(t, err)
	a, err := s.PresignRender(t.Context(), s.caller, video.ID, engine.BlobGet{Filename: "clip.mp4"})
	require.NoError(t, err)
	_, body := s.send(a, nil)
	require.Equal(t, "video", body)
	_, err = s.PresignRender(t.Context(), engine.Caller{UserID: "stranger"}, video.ID, engine.BlobGet{})
	requireCode(t, engine.CodeNotFound, err)
}
