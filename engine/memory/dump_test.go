package memory_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/slow"
)

// filler fills every field of a value, at any depth, with random content; sometimes it leaves one empty.
type filler struct{ *rand.Rand }

func (f filler) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text())
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(f.Int64() >> f.IntN(63) >> (64 - v.Type().Bits()))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(f.Uint64() >> (64 - v.Type().Bits()))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(f.NormFloat64())
	case reflect.Pointer:
		if f.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Slice:
		if n := f.IntN(5); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n-1, n-1))
			f.elements(v)
		}
	case reflect.Array:
		f.elements(v)
	case reflect.Map:
		if n := f.IntN(5); n > 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n - 1 {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				f.fill(key)
				f.fill(value)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			if f.IntN(8) > 0 {
				v.Set(reflect.ValueOf(time.UnixMicro(f.Int64N(200_000_000_000_000_000)).UTC()))
			}
			return
		}
		for i := range v.NumField() {
			f.fill(v.Field(i)) // panics on an unexported field, because a dump would lose it
		}
	default:
		panic("a row has a " + v.Type().String() + ", which a dump would lose")
	}
}

func (f filler) elements(v reflect.Value) {
	for i := range v.Len() {
		f.fill(v.Index(i))
	}
}

// text returns a string that is not always valid UTF-8.
func (f filler) text() string {
	all := []string{"", "plain", "<b>&amp;", "\x00\n\"\\", "Zoë 東京 🎙", "\u2028\ufffd", `\ufffd`, "cut \xe6\x9d", "\xff", "é\xe9"}
	return fmt.Sprint(f.Uint32()) + all[f.IntN(len(all))]
}

// filled returns a store with rows in every table.
func filled(t *testing.T, seed uint64) *memory.Store {
	t.Helper()
	s, f := memory.NewStore(), filler{rand.New(rand.NewPCG(seed, 7))}
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		v := reflect.ValueOf(tx)
		for i := range v.NumMethod() {
			m := v.Method(i)
			if name := v.Type().Method(i).Name; !strings.HasPrefix(name, "Put") && name != "AddMember" && name != "AppendEvent" {
				continue
			}
			for range 5 {
				args := make([]reflect.Value, m.Type().NumIn())
				for n := range args {
					args[n] = reflect.New(m.Type().In(n)).Elem()
					f.fill(args[n])
				}
				results := m.Call(args)
				if err, _ := results[len(results)-1].Interface().(error); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	return s
}

func dump(t *testing.T, s *memory.Store) []byte {
	t.Helper()
	var w bytes.Buffer
	require.NoError(t, s.Dump(&w))
	return w.Bytes()
}

// A loaded dump has every field of every row of every table, and dumping it again gives the same bytes.
func TestDumpKeepsEverything(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it dumps 200 stores")
	require.Len(t, memory.DumpTables(), memory.Tables())
	for seed := range uint64(200) {
		s := filled(t, seed)
		rows := s.Rows()
		require.Len(t, rows, memory.Tables())
		written := dump(t, s)
		loaded, err := memory.Load(iotest.OneByteReader(bytes.NewReader(written)))
		require.NoError(t, err, "%s", written)
		require.Equal(t, rows, loaded.Rows())
		require.Equal(t, string(written), string(dump(t, loaded)))
	}
}

// Lists, the queue, and search work in a loaded store, because Load rebuilds the indexes.
func TestLoadMakesIndexes(t *testing.T) {
	t.Parallel()
	s := memory.NewStore()
	require.NoError(t, s.Update(t.Context(), func(tx engine.Tx) error {
		return errors.Join(
			tx.PutRecording(engine.Recording{ID: "r", SpaceID: "s", Title: "ÉTÉ"}),
			tx.Enqueue(queue.Job{ID: "j", Key: "k", Class: "c", Status: queue.Queued}),
			tx.PutDocument(search.Document{ID: "d", SpaceID: "s", Kind: search.DocumentRecording}, map[string][]int{"ete": {0, 3}}),
		)
	}))
	loaded, err := memory.Load(bytes.NewReader(dump(t, s)))
	require.NoError(t, err)
	require.NoError(t, loaded.Update(t.Context(), func(tx engine.Tx) error {
		rows, err := tx.Recordings(engine.RecordingQuery{Spaces: []engine.SpaceID{"s"}, Title: transcript.Fold("été"), Limit: 5})
		require.NoError(t, err)
		require.Len(t, rows, 1)
		j, err := tx.DueJob("c", time.Now(), nil)
		require.NoError(t, err)
		require.Equal(t, queue.ID("j"), j.ID)
		found, err := tx.Postings(search.PostingQuery{Spaces: []string{"s"}, Kind: search.DocumentRecording, Term: "ete"})
		require.Equal(t, []int{0, 3}, found[0].Parts)
		return err
	}))
}

// The dump of an empty store has two lines.
func TestDumpEmpty(t *testing.T) {
	t.Parallel()
	written := dump(t, memory.NewStore())
	require.Equal(t, `{"format":"soundstage-rows","version":4}`+"\n"+`{"end":true,"rows":0}`+"\n", string(written))
	s, err := memory.Load(bytes.NewReader(written))
	require.NoError(t, err)
	require.Empty(t, s.Rows())
}

// Load rejects an invalid dump with the line and what is wrong with it.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	const head, end = `{"format":"soundstage-rows","version":4}` + "\n", `{"end":true,"rows":1}` + "\n"
	const user = `{"table":"users","row":{"ID":"u"}}` + "\n"
	key := func(id string) string {
		return fmt.Sprintf(`{"table":"keys","row":{"ID":%q}}`+"\n", id)
	}
	for given, want := range map[string]string{
		"":                                      "truncated after line 0",
		"{}\n":                                  "Line 1: the file is not a Soundstage dump",
		"RIFF\n":                                "Line 1: the file is not a Soundstage dump",
		`{"format":"other","version":1}` + "\n": "Line 1: the file is not a Soundstage dump",
		`{"format":"soundstage-rows","version":5}` + "\n": "Line 1: the dump has version 5, but this program reads only up to version 4",
		`{"format":"soundstage-rows","version":0}` + "\n": "Line 1: unknown dump version 0",
		head:                                               "truncated after line 1",
		head + user:                                        "truncated after line 2",
		head + user + `{"end":true,"ro`:                    "truncated after line 2",
		head + user + strings.TrimSpace(end):               "truncated after line 2",
		head + end:                                         "Line 2: the end announces 1 rows, but the dump has 0",
		head + user + end + "\n":                           "Line 4: unexpected data after the end",
		head + user + end + "x":                            "Line 4: unexpected data after the end",
		head + user + user + end:                           "Line 3: duplicate id in table users",
		head + key("a") + key("b") + end:                   "Line 3: invalid row of table keys: Another key has the same secret.",
		head + "\n" + end:                                  "Line 2: invalid line: unexpected end of JSON",
		head + "{]\n" + end:                                "Line 2: invalid line: invalid character",
		head + "{}{}\n" + end:                              "Line 2: invalid line: more than one JSON value",
		head + "[]\n" + end:                                "Line 2: invalid line: it must not be a JSON array",
		head + `{"tabel":"users"}` + "\n":                  `Line 2: invalid line: json: unknown field "tabel"`,
		head + `{"table":"songs","row":{}}` + "\n":         `Line 2: unknown table "songs"`,
		head + `{"table":"users"}` + "\n":                  "Line 2: row must be an object of table users",
		head + `{"table":"users","row":null}` + "\n":       "Line 2: row must be an object of table users",
		head + `{"table":"users","row":{"ID":7}}` + "\n":   "Line 2: invalid row of table users: ID must not be a JSON number",
		head + `{"table":"users","row":{"Nose":7}}` + "\n": `Line 2: invalid row of table users: json: unknown field "Nose"`,
		head + `{"table":"users","bytes":true,"row":{"ID":"東"}}` + "\n":   "a string of a row with bytes has a character above U+00FF",
		head + `{"table":"users","row":{},"end":true}` + "\n":             "Line 2: the line is both a row and the end",
		head + `{"table":"users","row":{"CreatedAt":"yesterday"}}` + "\n": "Line 2: invalid row of table users: parsing time",
	} {
		_, err := memory.Load(strings.NewReader(given))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "%q: %v", given, err)
		require.Contains(t, engine.Message(err), want, "%q", given)
	}
}

// Load rejects a dump truncated at any byte.
func TestLoadRefusesEveryCut(t *testing.T) {
	t.Parallel()
	written := dump(t, filled(t, 1))
	for n := 0; n < len(written); n += 1 + n/50 {
		_, err := memory.Load(bytes.NewReader(written[:n]))
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), "cut at byte %d", n)
	}
	_, err := memory.Load(bytes.NewReader(written[:len(written)-1]))
	require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
}

// Load and Dump return the errors of their reader and writer.
func TestDumpErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := memory.Load(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(broken)))
	require.ErrorIs(t, err, broken)
	require.ErrorIs(t, filled(t, 1).Dump(brokenWriter{broken}), broken)
	require.ErrorIs(t, memory.NewStore().Dump(brokenWriter{broken}), broken)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// FuzzLoad checks that Load returns a store or an error with a message, and that a store survives Dump and Load.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"format":"soundstage-rows","version":4}` + "\n" + `{"table":"users","row":{"ID":"u"}}` + "\n" + `{"end":true,"rows":1}` + "\n"))
	f.Add([]byte(`{"format":"soundstage-rows","version":4}` + "\n" + `{"table":"documents","row":{"Parts":{"a":[1]}}}` + "\n" + `{"end":true,"rows":1}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := memory.Load(bytes.NewReader(data))
		if err != nil {
			require.Equal(t, engine.CodeInvalid, engine.CodeOf(err))
			require.NotEmpty(t, engine.Message(err))
			return
		}
		again, err := memory.Load(bytes.NewReader(dump(t, s)))
		require.NoError(t, err)
		require.Equal(t, s.Rows(), again.Rows())
	})
}

// Load sets Recording.ImportID from the imports of a version 1 dump; later versions are loaded unchanged.
func TestLoadFirstVersion(t *testing.T) {
	t.Parallel()
	for version, want := range map[int]engine.ImportID{1: "imp_1", 2: "", 3: "", 4: ""} {
		dump := fmt.Sprintf(`{"format":"soundstage-rows","version":%d}`, version) + `
{"table":"recordings","row":{"ID":"imported","BlobKey":"imports/imp_1/media-1"}}
{"table":"recordings","row":{"ID":"uploaded","UploadID":"obj_1"}}
{"table":"imports","row":{"ID":"imp_1","RecordingID":"imported"}}
{"table":"imports","row":{"ID":"imp_2"}}
{"table":"imports","row":{"ID":"imp_3","RecordingID":"gone"}}
{"end":true,"rows":5}
`
		s, err := memory.Load(strings.NewReader(dump))
		require.NoError(t, err)
		require.NoError(t, s.View(t.Context(), func(tx engine.ReadTx) error {
			imported, err := tx.Recording("imported")
			require.Equal(t, want, imported.ImportID, "version %d", version)
			uploaded, err2 := tx.Recording("uploaded")
			require.Empty(t, uploaded.ImportID)
			return errors.Join(err, err2)
		}))
	}
}
