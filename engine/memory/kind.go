package memory

import (
	"errors"
	"reflect"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// kind is how the rows of a table are dumped and loaded.
type kind interface {
	table() string
	count(tx *readTx) int
	// each calls fn with the caller's own copies of all rows, by id.
	each(tx *readTx, fn func(row any) error) error
	// put parses a row, whose strings stand for bytes or are text, and puts it.
	put(tx *writeTx, row []byte, bytes bool) error
}

// kinds is every table, in the order of a dump.
var kinds = []kind{
	plain("accounts", schema.accounts, (*writeTx).PutAccount),
	plain("users", schema.users, (*writeTx).PutUser),
	plain("keys", schema.keys, (*writeTx).PutKey),
	plain("spaces", schema.spaces, (*writeTx).PutSpace),
	dumped[member, member, memberJSON]{"members", schema.members,
		func(m member) memberJSON { return memberJSON{m.user, m.space} },
		func(tx *writeTx, m memberJSON) error { return tx.AddMember(m.SpaceID, m.UserID) }},
	plain("uploads", schema.uploads, (*writeTx).PutUpload),
	dumped[engine.RecordingID, recordingRow, engine.Recording]{"recordings", schema.recordings,
		func(r recordingRow) engine.Recording { return r.Recording }, (*writeTx).PutRecording},
	plain("transcripts", schema.transcripts, (*writeTx).PutTranscript),
	plain("speakers", schema.speakers, (*writeTx).PutSpeaker),
	plain("roles", schema.roles, (*writeTx).PutRole),
	plain("assignments", schema.assignments, (*writeTx).PutAssignment),
	plain("prompts", schema.prompts, (*writeTx).PutPrompt),
	plain("outputs", schema.outputs, (*writeTx).PutOutput),
	plain("chats", schema.chats, (*writeTx).PutChat),
	plain("suggestions", schema.suggestions, (*writeTx).PutSuggestion),
	plain("imports", schema.imports, (*writeTx).PutImport),
	plain("translations", schema.translations, (*writeTx).PutTranslation),
	dumped[search.DocumentID, documentRow, documentJSON]{"documents", schema.documents, documentToJSON,
		func(tx *writeTx, d documentJSON) error { return tx.PutDocument(d.Document, d.Parts) }},
	plain("webhooks", schema.webhooks, (*writeTx).PutWebhook),
	plain("deliveries", schema.deliveries, (*writeTx).PutDelivery),
	plain("renders", schema.renders, (*writeTx).PutRender),
	plain("jobs", schema.jobs, (*writeTx).PutJob),
}

// memberJSON is a member in a dump.
type memberJSON struct {
	UserID  engine.UserID
	SpaceID engine.SpaceID
}

// documentJSON is a document in a dump: its parts as PutDocument has them.
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

// dumped is a kind whose rows are a J in a dump.
type dumped[K, V, J any] struct {
	name   string
	rows   *table[K, V]
	toJSON func(V) J
	store  func(*writeTx, J) error
}

// plain is a kind whose rows are in a dump what they are in the table.
func plain[K, V any](name string, rows *table[K, V], store func(*writeTx, V) error) kind {
	return dumped[K, V, V]{name, rows, func(v V) V { return v }, store}
}

func (d dumped[K, V, J]) table() string        { return d.name }
func (d dumped[K, V, J]) count(tx *readTx) int { return d.rows.rows.in(tx.now).Len() }

func (d dumped[K, V, J]) each(tx *readTx, fn func(any) error) (err error) {
	d.rows.rows.in(tx.now).Scan(func(i item) bool {
		row := d.toJSON(d.rows.own(i.row.(*V)))
		err = fn(&row)
		return err == nil
	})
	return err
}

func (d dumped[K, V, J]) put(tx *writeTx, data []byte, bytes bool) error {
	var row J
	if err := strict(data, &row); err != nil {
		return err
	}
	if !bytes {
		return d.store(tx, row)
	}
	var bad bool
	mapped(&row, func(s string) string {
		b, ok := runesToBytes(s)
		bad = bad || !ok
		return b
	})
	if bad {
		return errors.New("its strings stand for bytes, but one has a character that stands for none")
	}
	return d.store(tx, row)
}

// mapped puts fn's result in the place of each string that row, a pointer, leads to, and returns row. It makes new maps of those
// that it finds, and changes everything else where it is.
func mapped(row any, fn func(string) string) any {
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
			return // numbers: bytes, for example
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

// bytesToRunes makes a character of each byte: text, whatever the bytes are.
func bytesToRunes(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// runesToBytes is the inverse of bytesToRunes; ok is false for what that can't have made.
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
