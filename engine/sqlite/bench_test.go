package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/enginetest"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// filled returns a store with a user, a key, and recordings spread over some spaces.
func filled(b *testing.B, recordings, spaces int) (*sqlite.Store, []engine.SpaceID) {
	b.Helper()
	s := open(b)
	ids := make([]engine.SpaceID, spaces)
	update(b, s, func(tx engine.Tx) error {
		for i := range ids {
			ids[i] = engine.SpaceID(fmt.Sprintf("space%d", i))
			require.NoError(b, tx.PutSpace(engine.Space{ID: ids[i], AccountID: "account", Name: "Show", Language: "en", CreatedAt: noon}))
			require.NoError(b, tx.AddMember(ids[i], "user"))
		}
		require.NoError(b, tx.PutUser(user("user")))
		return tx.PutKey(engine.Key{ID: "key", UserID: "user", DefaultSpaceID: ids[0], Tier: engine.TierPlatform, Hash: engine.HashSecret("secret")})
	})
	for from := 0; from < recordings; from += 1000 {
		update(b, s, func(tx engine.Tx) error {
			for i := from; i < from+1000; i++ {
				if err := tx.PutRecording(recording(string(ids[i%spaces]), i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return s, ids
}

// BenchmarkRecordingsPage reads a page of 25 recordings and one more, like GET /v1/recordings.
func BenchmarkRecordingsPage(b *testing.B) {
	for _, rows := range []int{1000, 100_000} {
		for _, spaces := range []int{1, 5} {
			s, ids := filled(b, rows, spaces)
			middle := recording(string(ids[rows/2%spaces]), rows/2)
			for name, after := range map[string]*cursor.Position{
				"first": nil, "middle": {CreatedAt: middle.CreatedAt, ID: string(middle.ID)},
			} {
				q := engine.RecordingQuery{Spaces: ids, After: after, Limit: 26}
				b.Run(fmt.Sprintf("rows=%d/spaces=%d/page=%s", rows, spaces, name), func(b *testing.B) { pages(b, s, q, 26) })
			}
		}
	}
}

// BenchmarkRecordingsTitle searches for a title without matches, which reads every row of the space.
func BenchmarkRecordingsTitle(b *testing.B) {
	s, ids := filled(b, 100_000, 1)
	pages(b, s, engine.RecordingQuery{Spaces: ids, Title: "no such title", Limit: 26}, 0)
}

func pages(b *testing.B, s *sqlite.Store, q engine.RecordingQuery, want int) {
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
			page, err := tx.Recordings(q)
			if len(page) != want {
				b.Fatalf("got %d rows, want %d", len(page), want)
			}
			return err
		}))
	}
}

// BenchmarkRequest reads everything that a request for a page needs: key and user, then the spaces and the page.
func BenchmarkRequest(b *testing.B) {
	s, ids := filled(b, 100_000, 1)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
			key, err := tx.KeyByHash(engine.HashSecret("secret"))
			if err == nil {
				_, err = tx.User(key.UserID)
			}
			return err
		}))
		require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
			if _, err := tx.SpacesOf("user"); err != nil {
				return err
			}
			_, err := tx.Recordings(engine.RecordingQuery{Spaces: ids, Limit: 26})
			return err
		}))
	}
}

// BenchmarkRowAndJob writes a row and its job in one Update.
func BenchmarkRowAndJob(b *testing.B) {
	var n atomic.Int64
	one := func(s *sqlite.Store) error {
		i := int(n.Add(1))
		return s.Update(b.Context(), func(tx engine.Tx) error {
			if err := tx.PutRecording(recording("space", i)); err != nil {
				return err
			}
			return tx.Enqueue(job(fmt.Sprint(i)))
		})
	}
	for _, noSync := range []bool{false, true} {
		s, err := sqlite.OpenWith(b.Context(), newPath(b), sqlite.OpenOptions{NoSync: noSync})
		require.NoError(b, err)
		b.Run(fmt.Sprintf("nosync=%t/serial", noSync), func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, one(s))
			}
		})
		b.Run(fmt.Sprintf("nosync=%t/parallel", noSync), func(b *testing.B) {
			b.SetParallelism(16)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := one(s); err != nil {
						b.Error(err)
					}
				}
			})
		})
		require.NoError(b, s.Close())
	}
}

// BenchmarkClaim claims and requeues a job among 10,000 queued and 100,000 finished ones.
func BenchmarkClaim(b *testing.B) {
	s := open(b)
	for _, status := range []queue.Status{queue.Queued, queue.Completed} {
		for from := range map[queue.Status]int{queue.Queued: 10, queue.Completed: 100}[status] {
			update(b, s, func(tx engine.Tx) error {
				for i := range 1000 {
					j := job(fmt.Sprintf("%s-%d-%d", status, from, i))
					j.Status, j.Tenant = status, fmt.Sprintf("tenant%d", i%10)
					if err := tx.PutJob(j); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	for b.Loop() {
		require.NoError(b, s.Update(b.Context(), func(tx engine.Tx) error {
			j, err := tx.DueJob(queue.ClassImport, noon.Add(time.Hour), nil)
			if err != nil {
				return err
			}
			j.Status = queue.Running
			if err := tx.PutJob(j); err != nil {
				return err
			}
			j.Status = queue.Queued
			return tx.PutJob(j)
		}))
	}
}

// BenchmarkTranscript writes and reads a transcript of three hours: 30,000 words in 600 utterances.
func BenchmarkTranscript(b *testing.B) {
	t := engine.Transcript{ID: "t", Status: engine.TranscriptCompleted, Transcript: transcript.Transcript{Duration: 3 * time.Hour}}
	for i := range 600 {
		u := transcript.Utterance{Speaker: transcript.SpeakerLabel(i % 3), Text: "text"}
		for k := range 50 {
			start := time.Duration(i*50+k) * 360 * time.Millisecond
			u.Words = append(u.Words, transcript.Word{Text: "wordly,", Start: start, End: start + 321*time.Millisecond, Confidence: 0.987, Speaker: u.Speaker})
		}
		u.Text = transcript.JoinWords(u.Words, "en")
		t.Utterances = append(t.Utterances, u)
	}
	s := open(b)
	b.Run("put", func(b *testing.B) {
		for b.Loop() {
			update(b, s, func(tx engine.Tx) error { return tx.PutTranscript(t) })
		}
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			require.NoError(b, s.View(b.Context(), func(tx engine.ReadTx) error {
				_, err := tx.Transcript("t")
				return err
			}))
		}
	})
}

// BenchmarkOpen opens a new store. Closing it is not measured.
func BenchmarkOpen(b *testing.B) {
	for _, noSync := range []bool{false, true} {
		b.Run(fmt.Sprintf("nosync=%t", noSync), func(b *testing.B) {
			folder := b.TempDir()
			for n := 0; b.Loop(); n++ {
				s, err := sqlite.OpenWith(b.Context(), filepath.Join(folder, fmt.Sprintf("%d.db", n)), sqlite.OpenOptions{NoSync: noSync})
				require.NoError(b, err)
				b.StopTimer()
				require.NoError(b, s.Close())
				b.StartTimer()
			}
		})
	}
}

// BenchmarkSearch indexes transcripts and reads postings, with and without waiting for the disk.
func BenchmarkSearch(b *testing.B) {
	for _, noSync := range []bool{false, true} {
		b.Run(fmt.Sprintf("nosync=%t", noSync), func(b *testing.B) {
			enginetest.BenchmarkSearch(b, func(b *testing.B) engine.Store {
				path := newPath(b)
				s, err := sqlite.OpenWith(b.Context(), path, sqlite.OpenOptions{NoSync: noSync})
				require.NoError(b, err)
				b.Cleanup(func() { require.NoError(b, s.Close()) })
				return s
			})
		})
	}
}

// BenchmarkDurable compares durable rows with jobs, one at a time and from 16 goroutines, with the syncs that the disk can do: in turns, a file of
// the same folder gets as many bytes as an Update writes, and is synced. 1.00 means that only the sync costs time.
func BenchmarkDurable(b *testing.B) {
	const turns, each = 10, 320
	path := newPath(b)
	s, err := sqlite.Open(b.Context(), path)
	require.NoError(b, err)
	var n atomic.Int64
	one := func() error {
		i := int(n.Add(1))
		return s.Update(b.Context(), func(tx engine.Tx) error {
			if err := tx.PutRecording(recording("space", i)); err != nil {
				return err
			}
			return tx.Enqueue(job(fmt.Sprint(i)))
		})
	}
	before := fileSize(b, path+"-wal")
	for range 20 {
		require.NoError(b, one())
	}
	bytes := make([]byte, (fileSize(b, path+"-wal")-before)/20)
	bare, err := os.Create(filepath.Join(filepath.Dir(path), "bare"))
	require.NoError(b, err)
	defer func() { _ = bare.Close() }()
	timed := func(run func()) time.Duration {
		began := time.Now()
		run()
		return time.Since(began)
	}
	var serial, parallel, syncs time.Duration
	for b.Loop() {
		for range turns {
			syncs += timed(func() {
				for i := range each {
					_, err := bare.WriteAt(bytes, int64(i*len(bytes)))
					require.NoError(b, errors.Join(err, bare.Sync()))
				}
			})
			serial += timed(func() {
				for range each {
					require.NoError(b, one())
				}
			})
			parallel += timed(func() {
				var all errgroup.Group
				for range 16 {
					all.Go(func() error {
						for range each / 16 {
							if err := one(); err != nil {
								return err
							}
						}
						return nil
					})
				}
				require.NoError(b, all.Wait())
			})
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(turns*each*b.N)/syncs.Seconds(), "syncs/s")
	b.ReportMetric(syncs.Seconds()/serial.Seconds(), "of-syncs-serial")
	b.ReportMetric(syncs.Seconds()/parallel.Seconds(), "of-syncs-16")
	b.ReportMetric(float64(len(bytes)), "B/update")
	require.NoError(b, s.Close())
}

// fileSize returns the size of a file, 0 if there is none.
func fileSize(b *testing.B, path string) int64 {
	b.Helper()
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(b, err)
	return info.Size()
}
