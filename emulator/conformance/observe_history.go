package conformance

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// maxRemembered limits each kind of thing that a history remembers.
const maxRemembered = 100_000

// maxEarlier is the number of ids of earlier pages that a cursor remembers.
const maxEarlier = 300

// history is what earlier exchanges have shown.
type history struct {
	ids      map[string]bool // of everything that a response showed
	uploads  map[string]uploaded
	used     map[string]time.Time       // objects that have a recording, and since when
	statuses map[string]state           // the last state of a recording, transcript, render, output, import, or chat
	media    map[string]string          // content type of a recording's media
	numbers  map[string]string          // space and number of a recording: its id
	labels   map[string]map[string]bool // labels of a recording's transcript
	prompts  map[string]string          // types of prompts
	pages    map[string]page            // by the cursor that they gave
	deleted  map[string]time.Time       // webhooks
	imports  map[string][]string        // members of an import when it started
	listed   []string                   // members of a listed recording
}

// state is a status and when a response showed it.
type state struct {
	status string
	at     time.Time
}

type uploaded struct {
	filename, contentType, title, space string
	size                                float64
	put                                 bool // its bytes arrived
}

type page struct {
	filter string
	ids    []string
}

func newHistory() history {
	return history{
		ids: map[string]bool{}, uploads: map[string]uploaded{}, used: map[string]time.Time{}, statuses: map[string]state{}, media: map[string]string{},
		numbers: map[string]string{}, labels: map[string]map[string]bool{}, prompts: map[string]string{}, pages: map[string]page{},
		deleted: map[string]time.Time{}, imports: map[string][]string{},
	}
}

// put remembers a value unless there are too many.
func put[V any](m map[string]V, key string, v V) {
	if _, known := m[key]; key != "" && (known || len(m) < maxRemembered) {
		m[key] = v
	}
}

func (h *history) knows(id string) bool { return h.ids[id] }

// learn remembers what a successful exchange shows.
func (h *history) learn(o *observed) {
	if !o.ok() {
		return
	}
	h.learnIDs(o.value, 0)
	for _, r := range recordingsIn(o.value) {
		h.learnRecording(r, o.ended())
	}
	switch o.Op {
	case "createUpload":
		size, _ := o.askedNumber("content_size")
		put(h.uploads, o.text("object_id"), uploaded{
			filename: o.asked("filename"), contentType: o.asked("content_type"), title: o.asked("title"), space: o.text("space_id"), size: size,
		})
	case "putObject":
		if u, ok := h.uploads[o.objectID()]; ok {
			u.put = true
			h.uploads[o.objectID()] = u
		}
	case "createRecording":
		put(h.used, o.asked("object_id"), o.ended())
		put(h.media, o.text("recording.id"), h.uploads[o.asked("object_id")].contentType)
	case "listRecordings":
		ids := slices.Concat(h.pages[o.query.Get("cursor")].ids, idsOf(o.list("recordings")))
		put(h.pages, o.text("next_cursor"), page{o.filter(), ids[max(0, len(ids)-maxEarlier):]})
		if items := o.list("recordings"); len(items) > 0 {
			h.listed = keys(items[0])
		}
	case "listRecordingSpeakers":
		known := map[string]bool{}
		for _, l := range o.list("speakers") {
			label, _ := member(l, "label")
			known[fmt.Sprint(label)] = true
		}
		put(h.labels, o.Resource, known)
	case "deleteWebhook":
		put(h.deleted, o.Resource, o.ended())
	case "createImport":
		put(h.imports, o.text("import_id"), keys(o.value))
	}
	for _, list := range [][]any{o.list("prompts"), {first(answer{value: o.value}, "prompt")}} {
		for _, p := range list {
			id, _ := member(p, "id")
			kind, _ := member(p, "type")
			if text, ok := id.(string); ok {
				put(h.prompts, text, fmt.Sprint(kind))
			}
		}
	}
	for _, at := range [][2]string{{"id", "status"}, {"render.id", "render.status"}, {"output_id", "status"}, {"import_id", "status"}, {"chat_id", "status"}} {
		if status := o.text(at[1]); status != "" {
			put(h.statuses, o.text(at[0]), state{status, o.ended()})
		}
	}
}

// learnIDs remembers the ids in a value.
func (h *history) learnIDs(v any, depth int) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if id, ok := inner.(string); ok && (name == "id" || strings.HasSuffix(name, "_id")) {
				put(h.ids, id, true)
			}
			if depth < 6 {
				h.learnIDs(inner, depth+1)
			}
		}
	case []any:
		for _, item := range v[:min(len(v), 200)] {
			h.learnIDs(item, depth+1)
		}
	}
}

func (h *history) learnRecording(r map[string]any, at time.Time) {
	id, _ := r["id"].(string)
	status, _ := r["transcript_status"].(string)
	put(h.statuses, id, state{status, at})
	put(h.numbers, placeOf(r), id)
}

// placeOf returns the space and the number of a recording, "" unless it has both.
func placeOf(r map[string]any) string {
	space, _ := member(r, "space.id")
	if space == nil || r["number"] == nil {
		return ""
	}
	return fmt.Sprint(space, " ", r["number"])
}

// recordingsIn returns the recordings in a response.
func recordingsIn(v any) (all []map[string]any) {
	body, _ := v.(map[string]any)
	list, _ := body["recordings"].([]any)
	for _, item := range append(list[:len(list):len(list)], body["recording"]) {
		if r, ok := item.(map[string]any); ok && r["transcript_status"] != nil {
			all = append(all, r)
		}
	}
	return all
}

// filter returns a list's query without the cursor.
func (o *observed) filter() string {
	q := o.query
	return q.Get("space_id") + "\n" + q.Get("query")
}

// objectID returns the object of a signed URL: a part of its path that an upload has named.
func (o *observed) objectID() string {
	for part := range strings.SplitSeq(o.Path, "/") {
		if strings.HasPrefix(part, "obj_") {
			return part
		}
	}
	return ""
}

// unfinished reports whether a recording was last seen with a transcript that wasn't completed.
func (h *history) unfinished(recording string) bool {
	s, known := h.statuses[recording]
	return known && s.status != "" && s.status != "completed"
}

// ended returns when the exchange ended. Responses of concurrent requests say nothing about their order.
func (o *observed) ended() time.Time {
	return o.Time.Add(time.Duration(o.DurationMS * float64(time.Millisecond)))
}

// wrongMethod reports whether the contract has the path of a request with other methods only.
func (o *observed) wrongMethod() bool {
	return o.Op == "" && o.Method != http.MethodHead &&
		slices.ContainsFunc(api.Operations(), func(op api.Operation) bool { return api.PathMatches(op.Path, o.Path) })
}
