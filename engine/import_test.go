package engine_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
)

// An import ends as a recording with the media's bytes, a number, the space's language and its storage, whose transcription goes on by itself.
func TestImport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		media := minuteOfSound()
		media.info.Video = &engine.VideoStream{Codec: "h264"}
		s := newStage(t, engine.Config{Media: media, Fetcher: serves("media bytes", "Folge 1.mp4")})
		t.Cleanup(s.start())
		german, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Deutsch", Language: "de"})
		require.NoError(t, err)
		i := s.importing(engine.NewImport{URL: "https://media.example/1?sig=x", SpaceID: german.ID})
		require.Regexp(t, `^imp_[0-9a-f]{32}$`, i.ID)
		require.Equal(t, engine.Import{
			ID: i.ID, UserID: "user", AccountID: "account", SpaceID: german.ID, URL: "https://media.example/1?sig=x", Status: engine.ImportQueued,
			CreatedAt: i.CreatedAt, UpdatedAt: i.CreatedAt,
		}, i)
		done := s.imported(i.ID)
		require.Equal(t, engine.ImportCompleted, done.Status)
		require.Equal(t, []any{1.0, int64(11), "Folge 1.mp4", ""}, []any{done.Progress, done.Size, done.Title, done.Error})
		require.Equal(t, int64(11), s.storage())

		r, err := s.WaitRecording(t.Context(), s.caller, done.RecordingID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, r.TranscriptStatus)
		require.Equal(t, engine.Recording{
			ID: r.ID, ImportID: i.ID, SpaceID: german.ID, Title: "Folge 1.mp4", Number: 1, Language: "de", TranscriptID: r.TranscriptID,
			TranscriptStatus: engine.TranscriptCompleted, Duration: time.Minute, HasVideo: true, BlobKey: r.BlobKey, Size: 11,
			CreatedAt: r.CreatedAt, PublishedAt: &r.CreatedAt,
		}, r)
		body, err := s.OpenMedia(t.Context(), s.caller, r.ID, 0, -1)
		require.NoError(t, err)
		b, err := io.ReadAll(body)
		require.NoError(t, err)
		require.NoError(t, body.Close())
		require.Equal(t, "media bytes", string(b))
		require.Equal(t, []string{r.BlobKey}, s.keys())
	})
}

// A recording's title is the given one, else the page's, else the file's name, else the host's: whatever it is, in one valid line.
func TestImportTitle(t *testing.T) {
	t.Parallel()
	const page, file = "https://www.youtube.com/watch?v=1", "https://media.example/x"
	for name, c := range map[string]struct{ url, given, resolved, filename, want string }{
		"given":                {page, " Given ", "Page", "file.mp3", "Given"},
		"of the page":          {page, "", "Page", "file.mp3", "Page"},
		"of the file":          {page, "", "", "file.mp3", "file.mp3"},
		"of a direct file":     {file, "", "Page", "file.mp3", "file.mp3"},
		"of a path":            {file, "", "", `..\..\a/b.mp3`, "b.mp3"},
		"of the host":          {file, "", "", "", "media.example"},
		"of no name":           {file, "", "", "..", "media.example"},
		"with control":         {page, "", "two\r\nlines\x00 \t end\xff", "", "two lines end\uFFFD"},
		"of nothing but space": {page, "", " \u00a0\n", "", "www.youtube.com"},
		"too long":             {page, "", strings.Repeat("ü", 2000), "", strings.Repeat("ü", 1000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, engine.Config{Fetcher: serves("media", c.filename), Resolver: resolves(
					func(context.Context, string) (engine.Resolved, error) {
						return engine.Resolved{URL: "https://cdn.example/v", Title: c.resolved}, nil
					})})
				t.Cleanup(s.start())
				i := s.imported(s.importing(engine.NewImport{URL: c.url, Title: c.given}).ID)
				require.Equal(t, c.want, i.Title)
				r, _, err := s.GetRecording(t.Context(), s.caller, i.RecordingID)
				require.NoError(t, err)
				require.Equal(t, c.want, r.Title)
			})
		})
	}
}

// What is wrong with a request for an import is said at once, and nothing is queued.
func TestImportRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{StorageHardLimit: 5, Fetcher: checked{fetchesAnything, func(url string) error {
		if strings.Contains(url, "private") {
			return engine.Errorf(engine.CodeNotPublic, "Check", "")
		}
		return nil
	}}})
	closed, err := s.CreateSpace(t.Context(), s.caller, engine.Space{Name: "Closed"})
	require.NoError(t, err)
	_, err = s.UpdateSpace(t.Context(), s.caller, closed.ID, func(sp *engine.Space) error { sp.Inactive = true; return nil })
	require.NoError(t, err)
	for name, c := range map[string]struct {
		ask  engine.NewImport
		code engine.Code
		want string
	}{
		"no url":           {engine.NewImport{}, engine.CodeInvalid, "url is required."},
		"no http url":      {engine.NewImport{URL: "file:///etc/passwd"}, engine.CodeInvalid, "url must be a valid http or https address."},
		"a broken url":     {engine.NewImport{URL: "https://a\x00"}, engine.CodeInvalid, "url must be a valid http or https address."},
		"an endless url":   {engine.NewImport{URL: "https://a/" + strings.Repeat("a", 5000)}, engine.CodeInvalid, "url must be a valid http or https address."},
		"not public":       {engine.NewImport{URL: "http://private/"}, engine.CodeNotPublic, "url must resolve to a public address"},
		"a broken title":   {engine.NewImport{URL: "http://a/", Title: "\xff"}, engine.CodeInvalid, "title is not valid UTF-8."},
		"an unknown space": {engine.NewImport{URL: "http://a/", SpaceID: "nowhere"}, engine.CodeNotFound, "No space with this id was found."},
		"a closed space":   {engine.NewImport{URL: "http://a/", SpaceID: closed.ID}, engine.CodeConflict, "The space is inactive."},
	} {
		_, err := s.CreateImport(t.Context(), s.caller, c.ask)
		require.Equal(t, c.code, engine.CodeOf(err), name)
		require.Equal(t, c.want, engine.Message(err), name)
	}
	s.upload()
	_, err = s.CreateImport(t.Context(), s.caller, engine.NewImport{URL: "http://a/"})
	requireCode(t, engine.CodeStorageLimit, err)
	require.Equal(t, "storage limit exceeded", engine.Message(err))
	require.NoError(t, s.store.View(t.Context(), func(tx engine.ReadTx) error {
		_, ok, err := tx.NextJobAt([]queue.Class{queue.ClassImport})
		require.False(t, ok)
		return err
	}))
	bare, err := engine.New(engine.Config{Store: memory.NewStore(), Blobs: memory.NewBlobs()})
	require.NoError(t, err)
	_, err = bare.CreateImport(t.Context(), s.caller, engine.NewImport{URL: "http://a/"})
	requireCode(t, engine.CodeUnavailable, err)
	_, err = bare.ImportFeed(t.Context(), s.caller, engine.NewFeedImport{URL: "http://a/"})
	requireCode(t, engine.CodeUnavailable, err)
}

// An import that can't be done ends in error with a sentence, and leaves no recording, no bytes and no reservation.
func TestImportFailures(t *testing.T) {
	t.Parallel()
	fails := func(err error) fetches {
		return func(_ context.Context, _ engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			_, _ = io.WriteString(w, "half")
			return engine.FetchInfo{}, err
		}
	}
	page := func(err error) resolves {
		return func(context.Context, string) (engine.Resolved, error) { return engine.Resolved{}, err }
	}
	silent := minuteOfSound()
	silent.info.Audio = nil
	const tube = "https://www.youtube.com/watch?v=1"
	for name, c := range map[string]struct {
		config engine.Config
		url    string
		want   string
	}{
		"the server breaks off, always": {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeDownload, "", "The download ended early.").Transient())}, "", "The download ended early."},
		"a web page":                    {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeDownload, "", "The url leads to a web page, not to media."))}, "", "The url leads to a web page, not to media."},
		"a redirect to a private address": {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeNotPublic, "", "url must resolve to a public address"))}, "",
			"url must resolve to a public address"},
		"too large":   {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeTooLarge, "", "The file is larger than 10 GB.")), StorageHardLimit: 1 << 40}, "", "The file is larger than 10 GB."},
		"not media":   {engine.Config{Media: stubMedia{err: engine.Errorf(engine.CodeBadMedia, "", "This is not media.")}}, "", "This is not media."},
		"no sound":    {engine.Config{Media: silent}, "", "The media has no audio stream."},
		"our failure": {engine.Config{Fetcher: fails(errors.New("secret"))}, "", "Something went wrong on our side."},
		"a page without a resolver": {engine.Config{}, tube,
			"The url is a video-sharing page (YouTube), which this server can't read: give the url of the media file itself, or upload the file."},
		"a page that the resolver doesn't know": {engine.Config{Resolver: page(engine.Errorf(engine.CodeUnsupported, "", "?"))}, tube,
			"The url is a video-sharing page (YouTube), which this server can't read: give the url of the media file itself, or upload the file."},
		"a page without media": {engine.Config{Resolver: page(engine.Errorf(engine.CodeDownload, "", "The video is private."))}, tube, "The video is private."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, c.config)
				t.Cleanup(s.start())
				i := s.imported(s.importing(engine.NewImport{URL: c.url}).ID)
				require.Equal(t, engine.ImportError, i.Status)
				require.Equal(t, c.want, i.Error)
				synctest.Wait()
				s.requireNothingImported(t, i)
				requireIdle(t, s.store)
			})
		})
	}
}

// A download that breaks off is tried again, eight times at most; progress never falls on the way, and the storage is taken once.
func TestImportRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		s := newStage(t, engine.Config{Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			tries++
			r.Progress(int64(900/tries), 1000)
			if tries < 8 {
				return engine.FetchInfo{}, engine.Errorf(engine.CodeDownload, "", "The download ended early.").Transient()
			}
			return fetchesAnything(ctx, r, w)
		})})
		t.Cleanup(s.start())
		i := s.importing(engine.NewImport{})
		last := 0.0
		for last < 1 {
			now, err := s.GetImport(t.Context(), s.caller, i.ID)
			require.NoError(t, err)
			require.GreaterOrEqual(t, now.Progress, last)
			require.Equal(t, now.Progress == 1, now.Status == engine.ImportCompleted)
			last = now.Progress
			time.Sleep(time.Second)
		}
		require.Equal(t, 8, tries)
		require.Equal(t, int64(5), s.storage())
		require.Len(t, s.recordings(), 1)
		require.Len(t, s.keys(), 1)
	})
}

// counting counts the transactions that write an import.
type counting struct {
	engine.Store
	n *atomic.Int32
}

func (c counting) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return c.Store.Update(ctx, func(tx engine.Tx) error { return fn(countingTx{tx, c.n}) })
}

type countingTx struct {
	engine.Tx
	n *atomic.Int32
}

func (c countingTx) PutImport(i engine.Import) error {
	c.n.Add(1)
	return c.Tx.PutImport(i)
}

// Progress is written at most four times a second, however often it is told, and stays a fraction when the server lies about the length.
func TestImportProgressIsThrottled(t *testing.T) {
	t.Parallel()
	for name, total := range map[string]int64{"right": 10_000, "unknown": -1, "nothing": 0, "a lie": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var n atomic.Int32
				s := newStage(t, engine.Config{Store: counting{memory.NewStore(), &n}, Fetcher: fetches(
					func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
						for done := range int64(10_000) {
							r.Progress(done*1000, total*1000)
							time.Sleep(time.Millisecond)
						}
						return fetchesAnything(ctx, r, w)
					})})
				t.Cleanup(s.start())
				i := s.importing(engine.NewImport{})
				last := -1.0
				for range 9 {
					time.Sleep(time.Second)
					now, err := s.GetImport(t.Context(), s.caller, i.ID)
					require.NoError(t, err)
					require.GreaterOrEqual(t, now.Progress, last)
					require.Less(t, now.Progress, 1.0)
					require.Positive(t, now.Progress)
					last = now.Progress
				}
				require.Equal(t, engine.ImportCompleted, s.imported(i.ID).Status)
				require.LessOrEqual(t, n.Load(), int32(45), "ten seconds")
			})
		})
	}
}

// The fraction of a download of unknown size grows with its bytes and never becomes all; the others are cut to one.
func TestFraction(t *testing.T) {
	t.Parallel()
	for _, total := range []int64{-1, 0, 1_000_000} {
		last := 0.0
		for done := int64(0); done < 1<<60; done = done*2 + 1 {
			f := engine.Fraction(done, total)
			require.GreaterOrEqual(t, f, last)
			require.LessOrEqual(t, f, 1.0)
			last = f
		}
		require.Greater(t, last, 0.99)
	}
	require.InDelta(t, 0.5, engine.Fraction(500, 1000), 1e-9)
	require.Zero(t, engine.Fraction(-5, 1000))
}

// Of twenty imports at once into storage for ten, ten are done and ten are refused, to the byte; of the others nothing is left.
func TestImportStorageUnderConcurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{StorageHardLimit: 54, Workers: map[queue.Class]int{
			queue.ClassImport: 20, queue.ClassTranscribe: 2, queue.ClassMaintain: 1,
		}, Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			time.Sleep(time.Second) // all see the same room
			return fetchesAnything(ctx, r, w)
		})})
		var ids []engine.ImportID
		for range 20 {
			ids = append(ids, s.importing(engine.NewImport{}).ID)
		}
		t.Cleanup(s.start())
		done := map[engine.ImportStatus]int{}
		for _, id := range ids {
			i := s.imported(id)
			done[i.Status]++
			if i.Status == engine.ImportError {
				require.Equal(t, "storage limit exceeded", i.Error)
			}
		}
		require.Equal(t, map[engine.ImportStatus]int{engine.ImportCompleted: 10, engine.ImportError: 10}, done)
		synctest.Wait()
		require.Equal(t, int64(50), s.storage())
		require.Len(t, s.keys(), 10)
		numbers := map[int]bool{}
		for _, r := range s.recordings() {
			numbers[r.Number] = true
		}
		require.Len(t, numbers, 10)
		require.True(t, numbers[1] && numbers[10], "without gaps")
	})
}

// No more is downloaded than there is storage for, whoever would have stopped it.
func TestImportLargerThanTheRoom(t *testing.T) {
	t.Parallel()
	for name, fetch := range map[string]fetches{
		"the fetcher stops": func(_ context.Context, r engine.FetchRequest, _ io.Writer) (engine.FetchInfo, error) {
			return engine.FetchInfo{}, engine.Errorf(engine.CodeTooLarge, "", "The file is larger than %d bytes.", r.MaxSize)
		},
		"the blob stops": func(_ context.Context, _ engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			_, err := w.Write(make([]byte, 1001))
			return engine.FetchInfo{}, err
		},
		"the fetcher hides it": func(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			_, _ = w.Write(make([]byte, 1001))
			return engine.FetchInfo{URL: r.URL, Size: 7}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, engine.Config{StorageHardLimit: 1000, Fetcher: fetches(
					func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
						if r.MaxSize != 1000 {
							return engine.FetchInfo{}, errors.New("another limit")
						}
						return fetch(ctx, r, w)
					})})
				t.Cleanup(s.start())
				i := s.imported(s.importing(engine.NewImport{}).ID)
				require.Equal(t, "storage limit exceeded", i.Error)
				synctest.Wait()
				s.requireNothingImported(t, i)
			})
		})
	}
}

// Storage that was used up while an import waited ends it without a download.
func TestImportWithoutRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{StorageHardLimit: 5, Fetcher: fetches(
			func(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
				return engine.FetchInfo{}, errors.New("asked")
			})})
		i := s.importing(engine.NewImport{})
		s.upload()
		t.Cleanup(s.start())
		require.Equal(t, "storage limit exceeded", s.imported(i.ID).Error)
	})
}

// A canceled import ends as canceled, waiting or running, and leaves nothing; one that is over can't be canceled.
func TestCancelImport(t *testing.T) {
	t.Parallel()
	for name, running := range map[string]bool{"waiting": false, "running": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newStage(t, engine.Config{Fetcher: fetches(func(ctx context.Context, _ engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
					_, _ = io.WriteString(w, "half")
					<-ctx.Done()
					return engine.FetchInfo{}, ctx.Err()
				})})
				i := s.importing(engine.NewImport{})
				if running {
					t.Cleanup(s.start())
					synctest.Wait()
				}
				require.NoError(t, s.CancelImport(t.Context(), i.ID))
				began := time.Now()
				i = s.imported(i.ID)
				require.Zero(t, time.Since(began))
				require.Equal(t, engine.ImportCanceled, i.Status)
				require.Equal(t, "The operation was canceled.", i.Error)
				synctest.Wait()
				s.requireNothingImported(t, i)
				requireCode(t, engine.CodeConflict, s.CancelImport(t.Context(), i.ID))
				requireCode(t, engine.CodeNotFound, s.CancelImport(t.Context(), "imp_nothing"))
			})
		})
	}
}

// interrupted is a store that calls a function after a View, once it has one.
type interrupted struct {
	engine.Store
	after func()
}

func (s *interrupted) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	err := s.Store.View(ctx, fn)
	if after := s.after; after != nil {
		s.after = nil
		after()
	}
	return err
}

// Who cancels an import that ends at that moment is told that it is over, and not that it was canceled.
func TestCancelImportThatEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		goOn := make(chan struct{})
		store := memory.NewStore()
		s := newStage(t, engine.Config{Store: store, Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			<-goOn
			return fetchesAnything(ctx, r, w)
		})})
		t.Cleanup(s.start())
		i := s.importing(engine.NewImport{})
		synctest.Wait()
		operator := newStage(t, engine.Config{Store: &interrupted{store, func() {
			close(goOn)
			synctest.Wait()
		}}})
		requireCode(t, engine.CodeConflict, operator.CancelImport(t.Context(), i.ID))
		require.Equal(t, engine.ImportCompleted, s.imported(i.ID).Status)
	})
}

// An import that a process takes up which was started without what imports need fails with a sentence that says so.
func TestImportWithoutFetcher(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{})
		i := s.importing(engine.NewImport{})
		bare, err := engine.New(engine.Config{Store: s.store, Blobs: s.blobs})
		require.NoError(t, err)
		s.Engine = bare
		t.Cleanup(s.start())
		require.Equal(t, "Imports are not configured.", s.imported(i.ID).Error)
	})
}

// Somebody else's import looks like a missing one.
func TestImportIsolation(t *testing.T) {
	t.Parallel()
	s := newStage(t, engine.Config{})
	i := s.importing(engine.NewImport{})
	other, err := s.CreateAccount(t.Context(), engine.NewAccount{Name: "Other"})
	require.NoError(t, err)
	_, theirs := s.GetImport(t.Context(), other, i.ID)
	requireCode(t, engine.CodeNotFound, theirs)
	_, missing := s.GetImport(t.Context(), other, "imp_nothing")
	require.Equal(t, engine.Message(missing), engine.Message(theirs))
	_, err = s.CreateImport(t.Context(), other, engine.NewImport{URL: "http://a/", SpaceID: "space"})
	requireCode(t, engine.CodeNotFound, err)
}

// When a process dies during a download, or lives on as a zombie that doesn't hear that its lease is lost, another does the import,
// once: there is one recording with the bytes of the other, and no other bytes.
func TestImportSurvivesItsWorker(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]bool{"it is dead": false, "it comes back": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store, blobs := memory.NewStore(), memory.NewBlobs()
				cut := &cuttable{Store: store}
				a := newStage(t, engine.Config{Store: cut, Blobs: blobs, Fetcher: fetches(
					func(context.Context, engine.FetchRequest, io.Writer) (engine.FetchInfo, error) {
						time.Sleep(10 * time.Minute)
						return engine.FetchInfo{}, nil
					})})
				b := newStage(t, engine.Config{Store: store, Blobs: blobs, Fetcher: serves("of b", "b.mp3")})
				b.blobs = blobs
				t.Cleanup(a.start())
				i := a.importing(engine.NewImport{})
				synctest.Wait()
				cut.cut.Store(true)
				t.Cleanup(b.start())
				done := b.imported(i.ID)
				require.Equal(t, engine.ImportCompleted, done.Status)
				require.Equal(t, "b.mp3", done.Title)
				cut.cut.Store(!back)
				time.Sleep(time.Hour)
				require.Len(t, b.recordings(), 1)
				require.Equal(t, []string{b.recordings()[0].BlobKey}, b.keys())
				require.Equal(t, int64(4), b.storage())
				require.Equal(t, done, b.imported(i.ID))
			})
		})
	}
}

// freezes is a store that a process can stop at: once it has written that an import is processed, it comes back from that after
// ten minutes, and from everything else that it asks meanwhile a minute later.
type freezes struct {
	engine.Store
	frozen atomic.Bool
}

func (f *freezes) Update(ctx context.Context, fn func(engine.Tx) error) error {
	if f.frozen.Load() {
		time.Sleep(11 * time.Minute)
	}
	began := false
	err := f.Store.Update(ctx, func(tx engine.Tx) error { return fn(tellsStart{tx, &began}) })
	if began && f.frozen.CompareAndSwap(false, true) {
		time.Sleep(10 * time.Minute)
	}
	return err
}

type tellsStart struct {
	engine.Tx
	began *bool
}

func (tx tellsStart) PutImport(i engine.Import) error {
	*tx.began = i.Status == engine.ImportProcessing
	return tx.Tx.PutImport(i)
}

// A process that stops as it begins an import, and goes on after another has done it, doesn't take away the media of the recording
// that was made: what it would tidy up is an earlier try's, and that of the other is a later one.
func TestImportLeavesLaterTriesAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, blobs := memory.NewStore(), memory.NewBlobs()
		a := newStage(t, engine.Config{Store: &freezes{Store: store}, Blobs: blobs})
		b := newStage(t, engine.Config{Store: store, Blobs: blobs, Fetcher: serves("of b", "b.mp3")})
		b.blobs = blobs
		i := a.importing(engine.NewImport{})
		t.Cleanup(a.start())
		synctest.Wait()
		t.Cleanup(b.start())
		require.Equal(t, engine.ImportCompleted, b.imported(i.ID).Status)
		time.Sleep(time.Hour)
		require.Equal(t, []string{b.recordings()[0].BlobKey}, b.keys())
	})
}

// The bytes of a try that was stored before its process died are removed by the next one.
func TestImportSweepsEarlierTries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store, blobs := memory.NewStore(), memory.NewBlobs()
		cut := &cuttable{Store: store}
		a := newStage(t, engine.Config{Store: cut, Blobs: blobs, Media: probes(func(context.Context) (engine.MediaInfo, error) {
			cut.cut.Store(true)
			return minuteOfSound().info, nil
		})})
		i := a.importing(engine.NewImport{})
		t.Cleanup(a.start())
		synctest.Wait()
		a.blobs = blobs
		left := a.keys()
		require.Len(t, left, 1)
		b := newStage(t, engine.Config{Store: store, Blobs: blobs})
		b.blobs = blobs
		t.Cleanup(b.start())
		require.Equal(t, engine.ImportCompleted, b.imported(i.ID).Status)
		require.Len(t, b.keys(), 1)
		require.NotEqual(t, left, b.keys())
	})
}

// probes is a Media whose Probe is a function.
type probes func(context.Context) (engine.MediaInfo, error)

func (p probes) Probe(ctx context.Context, _ engine.Source) (engine.MediaInfo, error) { return p(ctx) }

func (p probes) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return nil, errors.New("not needed")
}

// The end of Run during a download is no failed try: the next Run begins it anew.
func TestShutdownDuringImport(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tries := 0
		s := newStage(t, engine.Config{Retry: queue.RetryPolicy{Max: 1}, Fetcher: fetches(
			func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
				if tries++; tries < 5 {
					<-ctx.Done()
					return engine.FetchInfo{}, ctx.Err()
				}
				return fetchesAnything(ctx, r, w)
			})})
		i := s.importing(engine.NewImport{})
		for range 4 {
			stop := s.start()
			synctest.Wait()
			stop()
		}
		t.Cleanup(s.start())
		require.Equal(t, engine.ImportCompleted, s.imported(i.ID).Status)
	})
}

// A page is resolved before it is downloaded, by imports and by transcriptions of URLs alike: what the resolver says is fetched, with
// its headers and within the limit; the page itself is checked first.
func TestPagesAreResolved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const page = "https://youtu.be/abc"
		var mu sync.Mutex
		var log []string
		note := func(s string) {
			mu.Lock()
			defer mu.Unlock()
			log = append(log, s)
		}
		fetch := fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			note("fetch " + r.URL + " as " + r.Header["Referer"])
			if r.MaxSize != engine.MaxUploadSize {
				return engine.FetchInfo{}, errors.New("another limit")
			}
			return fetchesAnything(ctx, r, w)
		})
		s := newStage(t, engine.Config{
			Fetcher: checked{fetch, func(url string) error { note("check " + url); return nil }},
			Resolver: resolves(func(_ context.Context, url string) (engine.Resolved, error) {
				note("resolve " + url)
				return engine.Resolved{URL: "https://cdn.example/v", Header: map[string]string{"Referer": page}}, nil
			}),
		})
		t.Cleanup(s.start())
		require.Equal(t, engine.ImportCompleted, s.imported(s.importing(engine.NewImport{URL: page}).ID).Status)
		tr, err := s.CreateTranscript(t.Context(), s.caller, engine.NewTranscript{URL: page})
		require.NoError(t, err)
		tr, err = s.WaitTranscript(t.Context(), s.caller, tr.ID)
		require.NoError(t, err)
		require.Equal(t, engine.TranscriptCompleted, tr.Status, tr.Error)
		job := []string{"check " + page, "resolve " + page, "fetch https://cdn.example/v as " + page}
		require.Equal(t, append(append([]string{"check " + page}, job...), job...), log)
	})
}
