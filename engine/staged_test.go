package engine_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
)

// stageUpload reserves an upload of riff that can be sent again, without a SHA-256, as for /v1.
func (s directStage) stageUpload() (engine.Upload, engine.Address) {
	s.t.Helper()
	n := directWAV(int64(len(riff)))
	n.Replaceable = true
	u, a, err := s.PresignUpload(s.t.Context(), s.caller, n)
	require.NoError(s.t, err)
	return u, a
}

// mustSend sends bytes that must be stored.
func (s directStage) mustSend(a engine.Address, content string) {
	s.t.Helper()
	status, body := s.send(a, strings.NewReader(content))
	require.Equal(s.t, http.StatusOK, status, body)
}

// content returns the bytes of a recording's media.
func (s directStage) content(id engine.RecordingID) string {
	s.t.Helper()
	body, err := s.OpenMedia(s.t.Context(), s.caller, id, 0, -1)
	require.NoError(s.t, err)
	content, err := io.ReadAll(body)
	require.NoError(s.t, err)
	require.NoError(s.t, body.Close())
	return string(content)
}

// otherRiff has the length of riff.
var otherRiff = strings.ToLower(riff)

// The last bytes before the recording become the recording's. Later ones change nothing that anybody reads, and are removed.
func TestStagedUpload(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		defer s.start()()
		u, a := s.stageUpload()
		s.mustSend(a, otherRiff)
		s.mustSend(a, riff)
		r, err := s.use(u.ID)
		require.NoError(t, err)
		require.NotEqual(t, u.BlobKey, r.BlobKey)
		require.Equal(t, []string{r.BlobKey}, s.keys(), "the bytes that were copied are removed")
		s.mustSend(a, otherRiff)
		require.Equal(t, riff, s.content(r.ID))
		used, err := s.GetUpload(t.Context(), u.ID)
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256([]byte(riff)), used.SHA256)
		require.Equal(t, r.BlobKey, used.BlobKey)
		_, err = s.use(u.ID)
		requireCode(t, engine.CodeConflict, err)
		r, err = s.WaitRecording(t.Context(), s.caller, r.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
		require.EqualValues(t, len(riff), s.storageUsed())
		time.Sleep(31 * time.Minute)
		require.Equal(t, []string{r.BlobKey}, s.keys(), "the address has expired")
		s.put(u.BlobKey, otherRiff) // by a request that began before
		time.Sleep(24 * time.Hour)
		require.Equal(t, []string{r.BlobKey}, s.keys())
		require.Equal(t, riff, s.content(r.ID))
	})
}

// Of concurrent calls, one creates the recording; the others say that it exists. Every copy but the recording's is removed.
func TestStagedUploadOnce(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{})
	u, a := s.stageUpload()
	s.mustSend(a, riff)
	errs := make([]error, 16)
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
	require.Equal(t, 1, s.blobCount())
}

// Bytes that are missing, too few, or not the declared ones are refused, and their copy is removed. The right ones can then be sent to the
// same address.
func TestStagedUploadVerified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ stored, says, hint string }{
		"no bytes":    {"", "never arrived", "PUT the file's bytes"},
		"fewer bytes": {riff[:5], "has 5 bytes, but 16 were declared", "the same address"},
		"more bytes":  {riff + "!", "has 17 bytes, but 16 were declared", "the same address"},
		"other bytes": {otherRiff, "SHA-256", "the same address"},
	} {
		for _, known := range []bool{true, false} {
			s := newDirectStage(t, engine.Config{})
			if !known {
				s = forgetful(t)
			}
			n := directWAV(int64(len(riff)))
			n.Replaceable, n.SHA256 = true, sha256.Sum256([]byte(riff))
			u, a, err := s.PresignUpload(t.Context(), s.caller, n)
			require.NoError(t, err)
			if c.stored != "" {
				s.put(u.BlobKey, c.stored)
			}
			before := s.keys()
			_, err = s.use(u.ID)
			requireCode(t, engine.CodeUnprocessable, err)
			require.Contains(t, engine.Message(err), c.says, name)
			var known *engine.Error
			require.ErrorAs(t, err, &known)
			require.Contains(t, known.Hint, c.hint, name)
			require.Equal(t, before, s.keys(), name)
			require.Empty(t, s.recordings())
			s.mustSend(a, riff)
			r, err := s.use(u.ID)
			require.NoError(t, err, name)
			require.Equal(t, riff, s.content(r.ID))
		}
	}
}

// A recording that can't be created leaves the bytes for the next call, and no copy.
func TestStagedUploadRefused(t *testing.T) {
	t.Parallel()
	s := newDirectStage(t, engine.Config{})
	u, a := s.stageUpload()
	s.mustSend(a, riff)
	tags := engine.Tags{ExternalID: "42"}
	_, err := s.AddReader(t.Context(), s.caller, strings.NewReader(riff), tagsOnly(tags))
	require.NoError(t, err)
	before := s.keys()
	for code, n := range map[engine.Code]engine.NewRecording{
		engine.CodeNotFound: {ObjectID: u.ID, SpaceID: "none"},
		engine.CodeConflict: {ObjectID: u.ID, Tags: tags},
	} {
		_, _, err := s.CreateRecording(t.Context(), s.caller, n)
		requireCode(t, code, err)
		require.Equal(t, before, s.keys())
	}
	_, _, err = s.CreateRecording(t.Context(), engine.Caller{UserID: "stranger"}, engine.NewRecording{ObjectID: u.ID})
	requireCode(t, engine.CodeNotFound, err)
	_, err = s.use(u.ID)
	require.NoError(t, err)
}

// Nothing is copied for a recording that can't be created.
func TestStagedUploadNotCopied(t *testing.T) {
	t.Parallel()
	s, c := newCopyingStage(t)
	u, a := s.stageUpload()
	s.mustSend(a, riff)
	copies := 0
	c.before = func(string, string) error { copies++; return nil }
	_, _, err := s.CreateRecording(t.Context(), s.caller, engine.NewRecording{ObjectID: u.ID, SpaceID: "none"})
	requireCode(t, engine.CodeNotFound, err)
	require.Zero(t, copies)
	_, err = s.use(u.ID)
	require.NoError(t, err)
	require.Equal(t, 1, copies)
}

// copying are blobs that call a function before or after each copy.
type copying struct {
	*memory.Blobs
	engine.PresigningBlobs
	before, after func(from, to string) error
}

func (c *copying) Copy(ctx context.Context, from, to string) (engine.BlobInfo, error) {
	if c.before != nil {
		if err := c.before(from, to); err != nil {
			return engine.BlobInfo{}, err
		}
	}
	info, err := c.PresigningBlobs.(engine.CopyingBlobs).Copy(ctx, from, to)
	if err == nil && c.after != nil {
		err = c.after(from, to)
	}
	return info, err
}

// Both embedded stores have these methods.
func (c *copying) Create(ctx context.Context, key string, m engine.BlobMeta) (engine.BlobWriter, error) {
	return c.Blobs.Create(ctx, key, m)
}
func (c *copying) Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error) {
	return c.Blobs.Open(ctx, key, off, n)
}
func (c *copying) Stat(ctx context.Context, key string) (engine.BlobInfo, error) {
	return c.Blobs.Stat(ctx, key)
}
func (c *copying) Delete(ctx context.Context, key string) error { return c.Blobs.Delete(ctx, key) }
func (c *copying) List(ctx context.Context, prefix string, fn func(engine.BlobInfo) error) error {
	return c.Blobs.List(ctx, prefix, fn)
}

func newCopyingStage(t *testing.T) (directStage, *copying) {
	t.Helper()
	c := &copying{Blobs: memory.NewBlobs()}
	direct, err := files.NewDirect(c.Blobs, files.DirectOptions{URL: "http://example.com/media"})
	require.NoError(t, err)
	c.PresigningBlobs = direct.Blobs()
	s := newStage(t, engine.Config{Blobs: c})
	s.blobs = c.Blobs
	return directStage{s, direct}, c
}

// Bytes that are sent while the recording is created are either all in it, with their own SHA-256, or not at all.
func TestStagedUploadMeanwhile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"before the copy": otherRiff, "after the copy": riff} {
		s, c := newCopyingStage(t)
		u, a := s.stageUpload()
		s.mustSend(a, riff)
		again := func(string, string) error { s.mustSend(a, otherRiff); return nil }
		if want == riff {
			c.after = again
		} else {
			c.before = again
		}
		r, err := s.use(u.ID)
		require.NoError(t, err, name)
		require.Equal(t, want, s.content(r.ID), name)
		used, err := s.GetUpload(t.Context(), u.ID)
		require.NoError(t, err)
		require.Equal(t, sha256.Sum256([]byte(want)), used.SHA256, name)
	}
}

// A copy that the storage refuses because the bytes were replaced is made again, under another key, but not for ever.
func TestStagedUploadReplacedOften(t *testing.T) {
	t.Parallel()
	for refused, code := range map[int]engine.Code{1: "", 4: "", 1000: engine.CodeUnprocessable} {
		s, c := newCopyingStage(t)
		u, a := s.stageUpload()
		s.mustSend(a, riff)
		tried := map[string]bool{}
		c.before = func(_, to string) error {
			require.False(t, tried[to], "a key is used once")
			if tried[to] = true; len(tried) <= refused {
				return engine.Errorf(engine.CodeConflict, "", "The bytes were replaced.")
			}
			return nil
		}
		r, err := s.use(u.ID)
		require.Equal(t, code, engine.CodeOf(err), "%v", err)
		if err == nil {
			require.Equal(t, riff, s.content(r.ID))
		} else {
			require.Contains(t, engine.Message(err), "sent again")
			require.Less(t, len(tried), 10)
		}
		require.Equal(t, 1, s.blobCount())
	}
}

// An object that vanishes while it is copied is missing. A storage that fails is not an error of the bytes.
func TestStagedUploadVanished(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		s, c := newCopyingStage(t)
		u, a := s.stageUpload()
		s.mustSend(a, riff)
		remove := func(from, to string) error {
			return errors.Join(c.Delete(t.Context(), from), c.Delete(t.Context(), to))
		}
		if when == "before" {
			c.before = remove
		} else {
			c.after = remove
		}
		_, err := s.use(u.ID)
		requireCode(t, engine.CodeUnprocessable, err)
		require.Contains(t, engine.Message(err), "never arrived")
		require.Empty(t, s.keys())
	}
	s, c := newCopyingStage(t)
	u, a := s.stageUpload()
	s.mustSend(a, riff)
	c.before = func(string, string) error { return engine.Errorf(engine.CodeUnavailable, "", "The storage is down.") }
	_, err := s.use(u.ID)
	requireCode(t, engine.CodeUnavailable, err)
	require.Equal(t, []string{u.BlobKey}, s.keys())
}

// If the process is killed after the copy, before or after the commit, later calls work, and only the recording's bytes stay.
func TestStagedUploadKilled(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, c := newCopyingStage(t)
			defer s.start()()
			u, a := s.stageUpload()
			s.mustSend(a, riff)
			var left string
			c.after = func(_, to string) error { left = to; panic("killed") }
			require.Panics(t, func() { _, _ = s.use(u.ID) })
			c.after = nil
			require.ElementsMatch(t, []string{left, u.BlobKey}, s.keys())
			want := []string{}
			if again {
				r, err := s.use(u.ID)
				require.NoError(t, err)
				want = append(want, r.BlobKey)
				s.put(u.BlobKey, otherRiff) // as if it was killed before it removed what was copied
			}
			time.Sleep(25 * time.Hour)
			require.Equal(t, want, append([]string{}, s.keys()...))
			require.EqualValues(t, len(want)*len(riff), s.storageUsed())
		})
	}
}

// Nothing is left of a deleted recording, also of bytes that its address stores later, and of a copy that ends late.
func TestStagedUploadDeleted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		defer s.start()()
		u, a := s.stageUpload()
		s.mustSend(a, riff)
		r, err := s.use(u.ID)
		require.NoError(t, err)
		require.NoError(t, s.DeleteRecording(t.Context(), s.caller, r.ID))
		time.Sleep(10 * time.Minute)
		require.Zero(t, s.blobCount())
		require.Zero(t, s.storageUsed())
		s.mustSend(a, riff)
		s.put(r.BlobKey, riff)
		time.Sleep(25 * time.Hour)
		require.Zero(t, s.blobCount())
	})
}

// Uploads without a recording are removed: after 30 minutes without bytes, else after a day.
func TestStagedUploadExpires(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newDirectStage(t, engine.Config{})
		defer s.start()()
		late, _ := s.stageUpload()
		stored, a := s.stageUpload()
		s.mustSend(a, riff)
		time.Sleep(40 * time.Minute)
		require.EqualValues(t, len(riff), s.storageUsed())
		require.Equal(t, []string{stored.BlobKey}, s.keys())
		s.put(late.BlobKey, riff)
		time.Sleep(24 * time.Hour)
		require.Zero(t, s.blobCount())
		require.Zero(t, s.storageUsed())
		_, err := s.use(stored.ID)
		requireCode(t, engine.CodeUnprocessable, err)
	})
}

// signing are blobs that sign addresses, but don't copy.
type signing struct{ engine.PresigningBlobs }

// A storage that doesn't copy signs no replaceable address, and reserves nothing.
func TestStagedUploadUnavailable(t *testing.T) {
	t.Parallel()
	direct, err := files.NewDirect(memory.NewBlobs(), files.DirectOptions{URL: "http://example.com/media"})
	require.NoError(t, err)
	s := newStage(t, engine.Config{Blobs: signing{direct.Blobs()}})
	n := directWAV(3)
	n.Replaceable = true
	_, _, err = s.PresignUpload(t.Context(), s.caller, n)
	requireCode(t, engine.CodeUnavailable, err)
	require.Contains(t, engine.Message(err), "doesn't copy")
	require.Zero(t, s.storageUsed())
}
