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

// An import becomes a recording with the media's bytes, a number, the space's language, and reserved storage. Its transcription
// starts automatically.
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

// A recording's title is the requested one, else the page's, else the file name, else the host. Any text becomes one valid line.
func TestImportTitle(t *testing.T) {
	t.Parallel()
	const page, file = "https://www.youtube.com/watch?v=1", "https://media.example/x"
	for name, c := range map[string]struct{ url, given, resolved, filename, want string }{
		"given":                       {page, " Given ", "Page", "file.mp3", "Given"},
		"page title":                  {page, "", "Page", "file.mp3", "Page"},
		"file name of a page's media": {page, "", "", "file.mp3", "file.mp3"},
		"file name":                   {file, "", "Page", "file.mp3", "file.mp3"},
		"file name with folders":      {file, "", "", `..\..\a/b.mp3`, "b.mp3"},
		"host":                        {file, "", "", "", "media.example"},
		"file without a name":         {file, "", "", "..", "media.example"},
		"control characters":          {page, "", "two\r\nlines\x00 \t end\xff", "", "two lines end\uFFFD"},
		"only spaces":                 {page, "", " \u00a0\n", "", "www.youtube.com"},
		"too long":                    {page, "", strings.Repeat("ü", 2000), "", strings.Repeat("ü", 1000)},
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

// A recording of AddURL has the title of its page, else the file name without its extension, as one of AddFile.
func TestAddURLTitle(t *testing.T) {
	t.Parallel()
	for filename, want := range map[string]string{"Folge 1.mp3": "Folge 1", "a/b.tar.gz": "b.tar", "plain": "plain", ".mp3": ".mp3", "": "media.example"} {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t, engine.Config{Fetcher: serves("media", filename)})
			t.Cleanup(s.start())
			i, err := s.AddURL(t.Context(), s.caller, "https://media.example/x", engine.NewImport{})
			require.NoError(t, err)
			require.Equal(t, want, s.imported(i.ID).Title)
		})
	}
}

// An invalid import request is refused immediately, and nothing is queued.
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
		"no url":            {engine.NewImport{}, engine.CodeInvalid, "url is required."},
		"not an http url":   {engine.NewImport{URL: "file:///etc/passwd"}, engine.CodeInvalid, "url must be a valid http or https address."},
		"a broken url":      {engine.NewImport{URL: "https://a\x00"}, engine.CodeInvalid, "url must be a valid http or https address."},
		"url too long":      {engine.NewImport{URL: "https://a/" + strings.Repeat("a", 5000)}, engine.CodeInvalid, "url must be a valid http or https address."},
		"not public":        {engine.NewImport{URL: "http://private/"}, engine.CodeNotPublic, "url must resolve to a public address"},
		"a broken title":    {engine.NewImport{URL: "http://a/", Title: "\xff"}, engine.CodeInvalid, "title is not valid UTF-8."},
		"an unknown space":  {engine.NewImport{URL: "http://a/", SpaceID: "nowhere"}, engine.CodeNotFound, "No space with this id was found."},
		"an inactive space": {engine.NewImport{URL: "http://a/", SpaceID: closed.ID}, engine.CodeConflict, "The space is inactive."},
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
		_, ok, err := tx.NextJobAt([]queue.Class{queue.ClassImport}, nil)
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

// A failed import has an error message and leaves no recording, bytes, or reservation.
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
		"every download breaks": {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeDownload, "", "The download ended early.").Transient())}, "", "The download ended early."},
		"a web page":            {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeDownload, "", "The url leads to a web page, not to media."))}, "", "The url leads to a web page, not to media."},
		"a redirect to a private address": {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeNotPublic, "", "url must resolve to a public address"))}, "",
			"url must resolve to a public address"},
		"too large":      {engine.Config{Fetcher: fails(engine.Errorf(engine.CodeTooLarge, "", "The file is larger than 10 GB.")), StorageHardLimit: 1 << 40}, "", "The file is larger than 10 GB."},
		"not media":      {engine.Config{Media: stubMedia{err: engine.Errorf(engine.CodeBadMedia, "", "This is not media.")}}, "", "This is not media."},
		"no audio":       {engine.Config{Media: silent}, "", "The media has no audio stream."},
		"internal error": {engine.Config{Fetcher: fails(errors.New("secret"))}, "", "Something went wrong on our side."},
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

// A broken download is retried, up to eight attempts. Progress never falls, and storage is reserved once.
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

// Progress is written at most four times a second, however often it is reported, and stays below 1 when the server declares a
// wrong length.
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
				require.LessOrEqual(t, n.Load(), int32(45), "writes in ten seconds")
			})
		})
	}
}

// Of twenty concurrent imports with storage for ten, exactly ten succeed; the others leave nothing.
func TestImportStorageUnderConcurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, engine.Config{StorageHardLimit: 54, Workers: map[queue.Class]int{
			queue.ClassImport: 20, queue.ClassTranscribe: 2, queue.ClassMaintain: 1,
		}, Fetcher: fetches(func(ctx context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			time.Sleep(time.Second) // all see the same free storage
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
		require.True(t, numbers[1] && numbers[10], "numbers must have no gaps")
	})
}

// A download stops when the account's storage is used up, whatever the Fetcher does.
func TestImportLargerThanStorage(t *testing.T) {
	t.Parallel()
	for name, fetch := range map[string]fetches{
		"the fetcher stops": func(_ context.Context, r engine.FetchRequest, _ io.Writer) (engine.FetchInfo, error) {
			return engine.FetchInfo{}, engine.Errorf(engine.CodeTooLarge, "", "The file is larger than %d bytes.", r.MaxSize)
		},
		"the blob stops": func(_ context.Context, _ engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
			_, err := w.Write(make([]byte, 1001))
			return engine.FetchInfo{}, err
		},
		"the fetcher hides the error": func(_ context.Context, r engine.FetchRequest, w io.Writer) (engine.FetchInfo, error) {
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

// An import fails without a download if the storage was used up while it waited.
func TestImportWithoutStorage(t *testing.T) {
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

// A canceled import ends as canceled, waiting or running, and leaves nothing. A finished import can't be canceled.
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

// interrupted is a store that calls a function once, after a View.
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

// Canceling an import that ends at the same time returns that it is over, not that it was canceled.
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

// An import fails with a message about the missing port if the process that runs it lacks one.
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

// Another user's import looks missing.
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

// If a process dies during a download, or continues without noticing that it lost its lease, another process imports once. There is one
// recording with the bytes of the second process, and no other bytes.
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

// freezes is a store in which a process can pause. After it has moved an import to processing, that call returns ten minutes later, and
// every later call a minute later.
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

// A process that pauses at the start of an import, and continues after another process has finished it, doesn't delete the recording's
// media. It removes only blobs of earlier generations.
func TestImportKeepsLaterGenerations(t *testing.T) {
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

// The next attempt removes bytes that were stored before a process died.
func TestImportRemovesEarlierGenerations(t *testing.T) {
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

// probes is a Media whose Probe is implemented by a function.
type probes func(context.Context) (engine.MediaInfo, error)

func (p probes) Probe(ctx context.Context, _ engine.Source) (engine.MediaInfo, error) { return p(ctx) }

func (p probes) Decode(context.Context, engine.Source) (io.ReadCloser, error) {
	return nil, errors.New("not needed")
}

// If Run ends during a download, the attempt doesn't count as failed, and the next Run starts it again.
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

// Imports and URL transcriptions resolve a page before they download it. The resolved URL is fetched with its headers and within
// the limit; the page's URL is checked first.
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
