package memory

import (
	"errors"
	"reflect"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// dumpCodec dumps and loads the rows of one table.
type dumpCodec interface {
	table() string
	count(tx *readTx) int
	// each calls fn with copies of all rows, sorted by id.
	each(tx *readTx, fn func(row any) error) error
	// put parses a row and writes it. With bytes, each character of its strings stands for one byte.
	put(tx *writeTx, row []byte, bytes bool) error
}

// dumpCodecs lists every table in the order of a dump.
var dumpCodecs = []dumpCodec{
	plainCodec("accounts", schema.accounts, (*writeTx).PutAccount),
	plainCodec("users", schema.users, (*writeTx).PutUser),
	plainCodec("keys", schema.keys, (*writeTx).PutKey),
	plainCodec("spaces", schema.spaces, (*writeTx).PutSpace),
	rowCodec[member, member, memberJSON]{"members", schema.members,
		func(m member) memberJSON { return memberJSON{m.user, m.space} },
		func(tx *writeTx, m memberJSON) error { return tx.AddMember(m.SpaceID, m.UserID) }},
	plainCodec("uploads", schema.uploads, (*writeTx).PutUpload),
	rowCodec[engine.RecordingID, recordingRow, engine.Recording]{"recordings", schema.recordings,
		func(r recordingRow) engine.Recording { return r.Recording }, (*writeTx).PutRecording},
	plainCodec("deletions", schema.deletions, (*writeTx).PutDeletion),
	plainCodec("transcripts", schema.transcripts, (*writeTx).PutTranscript),
	plainCodec("edits", schema.edits, (*writeTx).PutEdit),
	plainCodec("speakers", schema.speakers, (*writeTx).PutSpeaker),
	plainCodec("roles", schema.roles, (*writeTx).PutRole),
	plainCodec("assignments", schema.assignments, (*writeTx).PutAssignment),
	plainCodec("prompts", schema.prompts, (*writeTx).PutPrompt),
	plainCodec("outputs", schema.outputs, (*writeTx).PutOutput),
	plainCodec("chats", schema.chats, (*writeTx).PutChat),
	plainCodec("suggestions", schema.suggestions, (*writeTx).PutSuggestion),
	plainCodec("imports", schema.imports, (*writeTx).PutImport),
	plainCodec("translations", schema.translations, (*writeTx).PutTranslation),
	rowCodec[search.DocumentID, documentRow, documentJSON]{"documents", schema.documents, documentToJSON,
		func(tx *writeTx, d documentJSON) error { return tx.PutDocument(d.Document, d.Parts) }},
	plainCodec("webhooks", schema.webhooks, (*writeTx).PutWebhook),
	plainCodec("deliveries", schema.deliveries, (*writeTx).PutDelivery),
	plainCodec("renders", schema.renders, (*writeTx).PutRender),
	plainCodec("events", schema.events, (*writeTx).putEvent),
	plainCodec("jobs", schema.jobs, (*writeTx).PutJob),
}

// memberJSON is a member in a dump.
type memberJSON struct {
	UserID  engine.UserID
	SpaceID engine.SpaceID
}

// documentJSON is a document in a dump. Parts is as in PutDocument.
type documentJSON struct {
	Document search.Document
	Parts    map[string][]int
}

func documentToJSON(d documentRow) documentJSON {
	parts := make(map[string][]int, len(d.postings))
	for _, p := range d.postings {
		parts[p.term] = p.parts
	}
	return documentJSON{d.Document, parts}
}

// rowCodec is a dumpCodec whose rows have the type V in the table and J in a dump.
type rowCodec[K, V, J any] struct {
	name   string
	rows   *table[K, V]
	toJSON func(V) J
	store  func(*writeTx, J) error
}

// plainCodec returns a dumpCodec whose rows have the same type in the table and in a dump.
func plainCodec[K, V any](name string, rows *table[K, V], store func(*writeTx, V) error) dumpCodec {
	return rowCodec[K, V, V]{name, rows, func(v V) V { return v }, store}
}

func (d rowCodec[K, V, J]) table() string        { return d.name }
func (d rowCodec[K, V, J]) count(tx *readTx) int { return d.rows.rows.in(tx.current).Len() }

func (d rowCodec[K, V, J]) each(tx *readTx, fn func(any) error) (err error) {
	d.rows.rows.in(tx.current).Scan(func(i item) bool {
		row := d.toJSON(d.rows.copyOf(i.row.(*V)))
		err = fn(&row)
		return err == nil
	})
	return err
}

func (d rowCodec[K, V, J]) put(tx *writeTx, data []byte, bytes bool) error {
	var row J
	if err := strict(data, &row); err != nil {
		return err
	}
	if !bytes {
		return d.store(tx, row)
	}
	var bad bool
	replaceStrings(&row, func(s string) string {
		b, ok := runesToBytes(s)
		bad = bad || !ok
		return b
	})
	if bad {
		return errors.New("a string of a row with bytes has a character above U+00FF")
	}
	return d.store(tx, row)
}

// replaceStrings replaces each string reachable from row, a pointer, by the result of fn, and returns row. It replaces maps by new
// ones and changes everything else in place.
func replaceStrings(row any, fn func(string) string) any {
	mapStrings(reflect.ValueOf(row).Elem(), fn)
	return row
}

func mapStrings(v reflect.Value, fn func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fn(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			mapStrings(v.Elem(), fn)
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k >= reflect.Bool && k <= reflect.Complex128 {
			return // numbers have no strings
		}
		for i := range v.Len() {
			mapStrings(v.Index(i), fn)
		}
	case reflect.Map:
		mapMap(v, fn)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			mapStrings(v.Field(i), fn)
		}
	}
}

func mapMap(v reflect.Value, fn func(string) string) {
	if v.IsNil() {
		return
	}
	now := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		key.Set(it.Key())
		value.Set(it.Value())
		mapStrings(key, fn)
		mapStrings(value, fn)
		now.SetMapIndex(key, value)
	}
	v.Set(now)
}

// bytesToRunes converts each byte to the character with that code point, so that the result is valid UTF-8.
func bytesToRunes(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// runesToBytes is the inverse of bytesToRunes. ok is false if s has a character above U+00FF.
func runesToBytes(s string) (bytes string, ok bool) {
	var b []byte
	for _, r := range s {
		if r > 0xff {
			return "", false
		}
		b = append(b, byte(r))
	}
	return string(b), true
}
