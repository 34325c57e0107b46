package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/cursor"
	"github.com/soundstage-dev/soundstage/engine/internal/sample"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/postgres"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/turns"
)

// BenchmarkList reads pages of 25 recordings from 1,000 and from 1,000,000 of them, in turns. It reports the medians, and their ratio.
func BenchmarkList(b *testing.B) {
	var libraries []library
	for _, n := range []int{1_000, 1_000_000} {
		l := newLibrary(b, database(b))
		l.recording(b, 0, nil)
		l.copies(b, n)
		libraries = append(libraries, l)
	}
	first := func(l library) error {
		page, err := l.ListRecordings(b.Context(), l.caller, engine.ListRecordings{Limit: 25})
		require.Len(b, page.Recordings, 25)
		return err
	}
	middle := func(l library) error {
		return l.store.View(b.Context(), func(tx engine.ReadTx) error {
			found, err := tx.Recordings(engine.RecordingQuery{Spaces: []engine.SpaceID{"space"}, After: &cursor.Position{CreatedAt: l.middle}, Limit: 25})
			require.Len(b, found, 25)
			return err
		})
	}
	for name, read := range map[string]func(library) error{"first": first, "middle": middle} {
		b.Run(name, func(b *testing.B) {
			var ways []turns.Way
			for i, name := range []string{"1000", "1000000"} {
				ways = append(ways, turns.Way{Name: name, Cost: turns.Wall(func() { require.NoError(b, read(libraries[i])) })})
			}
			compared := turns.Compare(ways...)
			for b.Loop() {
				compared.Round()
			}
			for _, w := range ways {
				b.ReportMetric(1e6*compared.Cost(w.Name).Median, w.Name+"-p50-µs")
			}
			compared.Ratio("1000000", "1000").Report(b, "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkSearch searches 100,000 recordings of 2 minutes with titles and transcripts: 100 different ones, and copies of them. One has the
// rare word. All have the common one.
func BenchmarkSearch(b *testing.B) {
	const different, all = 100, 100_000
	l := newLibrary(b, database(b))
	l.fill(b, different, all)
	for _, c := range []struct{ name, query string }{{"rare", "lighthouse"}, {"common", "w0"}, {"three", "w0 w1 w2"}, {"rare and common", "lighthouse w0"}, {"none", "nowhere"}} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				found, err := l.Search(b.Context(), l.caller, engine.SearchRequest{Query: c.query})
				took = append(took, time.Since(start))
				require.NoError(b, err)
				require.Equal(b, c.name != "none", len(found) > 0)
			}
			reportPercentiles(b, took)
		})
	}
}

// fill adds recordings, of which some differ. The last has the rare word.
func (l *library) fill(b *testing.B, different, all int) {
	dice := rand.New(rand.NewPCG(1, 2))
	for i := range different {
		l.recording(b, i, sample.Chatter(dice, 2*time.Minute))
	}
	l.copies(b, all-1)
	said := sample.Chatter(dice, 2*time.Minute)
	said[7].Text += " lighthouse"
	l.recording(b, all-1, said)
}

// library is a space with many recordings.
type library struct {
	*engine.Engine
	caller engine.Caller
	store  *postgres.Store
	url    string
	middle time.Time
}

func newLibrary(b *testing.B, url string) library {
	store := openAt(b, url)
	e, err := engine.New(engine.Config{Store: store, Blobs: memory.NewBlobs()})
	require.NoError(b, err)
	caller, err := e.CreateAccount(b.Context(), engine.NewAccount{SpaceID: "space"})
	require.NoError(b, err)
	return library{e, caller, store, url, time.Time{}}
}

// recording adds a recording with a number, and what was said in it.
func (l library) recording(b *testing.B, n int, said []transcript.Utterance) {
	at := time.Unix(int64(n), 0)
	id := fmt.Sprintf("%032d", n)
	t := engine.Transcript{ID: engine.TranscriptID(id), RecordingID: engine.RecordingID(id), Status: engine.TranscriptCompleted, CreatedAt: at, Transcript: transcript.Transcript{Language: "en", Utterances: said}}
	r := engine.Recording{ID: t.RecordingID, SpaceID: "space", TranscriptID: t.ID, TranscriptStatus: engine.TranscriptCompleted, Title: fmt.Sprint("Episode ", n), CreatedAt: at}
	texts := []string{}
	for _, u := range said {
		texts = append(texts, u.Text)
	}
	require.NoError(b, l.store.Update(b.Context(), func(tx engine.Tx) error {
		for _, err := range []error{
			tx.PutRecording(r), tx.PutTranscript(t), put(tx, search.DocumentRecording, r, []string{r.Title}), put(tx, search.DocumentTranscript, r, texts),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

func put(tx engine.Tx, kind search.DocumentKind, r engine.Recording, texts []string) error {
	parts, length := search.IndexTerms(texts)
	return tx.PutDocument(search.Document{
		ID: search.NewDocumentID(kind, r.CreatedAt.UnixMicro(), string(r.ID)), Kind: kind, SpaceID: string(r.SpaceID), RecordingID: string(r.ID), Length: length,
	}, parts)
}

// copies copies the recordings until there are all of them. A copy has its own number and documents, and the transcript of the original.
func (l *library) copies(b *testing.B, all int) {
	l.middle = time.Unix(int64(all/2), 0)
	conn, err := pgx.Connect(b.Context(), l.url)
	require.NoError(b, err)
	defer func() { require.NoError(b, conn.Close(b.Context())) }()
	for _, sql := range []string{
		"SET maintenance_work_mem = '512MB'",
		"CREATE TABLE copies AS SELECT n, n % had AS original FROM (SELECT count(*) AS had FROM recordings) AS r, generate_series(had, " + fmt.Sprint(all-1) + ") AS n",
		copyRecordings, copyDocuments, "ALTER TABLE postings DROP CONSTRAINT postings_pkey", "DROP INDEX postings_by_document", copyPostings,
		"ALTER TABLE postings ADD PRIMARY KEY (term, kind, document)", "CREATE INDEX postings_by_document ON postings (document)",
		"VACUUM (ANALYZE) recordings, documents, postings",
	} {
		_, err := conn.Exec(b.Context(), sql)
		require.NoError(b, err, sql)
	}
}

const (
	copyRecordings = `DO $$ DECLARE list text; BEGIN
		SELECT string_agg(CASE column_name WHEN 'id' THEN 'lpad(n::text, 32, ''0'')' WHEN 'created_at' THEN 'n * 1000000' ELSE quote_ident(column_name) END, ', ' ORDER BY ordinal_position)
			INTO list FROM information_schema.columns WHERE table_name = 'recordings';
		EXECUTE 'INSERT INTO recordings SELECT ' || list || ' FROM copies JOIN recordings ON id = lpad(original::text, 32, ''0'') ORDER BY n';
	END $$`
	copyDocuments = `INSERT INTO documents (id, space_id, recording_id, output_id, length)
		SELECT lpad(to_hex(n * 1000000), 16, '0') || '/' || split_part(id, '/', 2) || '/' || lpad(n::text, 32, '0'), space_id, lpad(n::text, 32, '0'), output_id, length
			FROM copies JOIN documents ON recording_id = lpad(original::text, 32, '0') ORDER BY n`
	copyPostings = `INSERT INTO postings SELECT term, kind, made.key, parts
		FROM copies JOIN documents AS made ON made.recording_id = lpad(n::text, 32, '0')
			JOIN documents AS old ON old.recording_id = lpad(original::text, 32, '0') AND split_part(old.id, '/', 2) = split_part(made.id, '/', 2)
			JOIN postings ON document = old.key`
)
