package extract

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/emulator/record"
	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// Extractor collects what exchanges show. It is not safe for concurrent use.
type Extractor struct {
	spaces      map[string]*space
	spaceOrder  []string
	recordings  map[string]*recording
	order       []string // ids of recordings, as they were first seen
	uploads     map[string]upload
	urls        map[string]*job // by URL: transcripts
	urlOrder    []string
	imports     map[string]*job // by URL
	importOrder []string
	jobs        map[string]*job // by id
	leftOut     map[string]int
	most        int // longest fixture
}

type upload struct{ filename string }

// recording is a recording as it was last seen.
type recording struct {
	fields     map[string]any
	transcript map[string]any    // JSON in the language of the recording
	labels     map[string]string // label: id of a speaker
	filename   string            // of the upload
	url        string            // of the import
}

// job is asynchronous work on a URL, with the states that polls showed.
type job struct {
	url       string
	states    []seenState
	fields    map[string]any
	recording string // of an import
}

type seenState struct {
	status string
	at     time.Time
}

// New returns an Extractor that has seen nothing.
func New() *Extractor {
	return &Extractor{
		spaces: map[string]*space{}, recordings: map[string]*recording{}, uploads: map[string]upload{}, urls: map[string]*job{}, imports: map[string]*job{},
		jobs: map[string]*job{}, leftOut: map[string]int{}, most: maxYAML,
	}
}

var uuid = lazyregexp.New(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

// Add collects what an exchange shows.
func (e *Extractor) Add(x *record.Exchange) {
	if x.Error != "" || x.Status < 200 || x.Status > 299 {
		return
	}
	body := object(x.ResponseBody)
	if body == nil {
		if x.Op == "getObject" {
			e.leftOut["videos of renders"]++
		}
		return
	}
	sent := object(x.RequestBody)
	switch x.Op {
	case "listSpaces":
		for _, s := range objects(body["spaces"]) {
			e.space(s)
		}
	case "listRecordings":
		for _, r := range objects(body["recordings"]) {
			e.recording(r)
		}
	case "createUpload":
		e.uploads[text(body, "object_id")] = upload{text(sent, "filename")}
	case "createRecording", "getRecording":
		if r := e.recording(member(body, "recording")); r != nil && x.Op == "createRecording" {
			r.filename = e.uploads[text(sent, "object_id")].filename
		}
	case "getRecordingTranscript":
		if body["utterances"] != nil && !strings.Contains(x.Query, "language=") {
			e.recordingOf(x.Resource).transcript = body
		}
	case "listRecordingSpeakers":
		e.recordingOf(x.Resource).assign(objects(body["speakers"]))
	case "listSpeakers", "createSpeaker", "updateSpeaker":
		e.speakers(x, body)
	case "listPrompts", "createPrompt":
		e.prompts(sent, body)
	case "createTranscript":
		e.began(e.urls, &e.urlOrder, text(sent, "url"), text(body, "id"), body, x)
	case "getTranscript":
		e.polled(text(body, "id"), body, x)
	case "createImport":
		e.began(e.imports, &e.importOrder, text(sent, "url"), text(body, "import_id"), body, x)
	case "getImport":
		e.polled(text(body, "import_id"), body, x)
	case "getOutput", "listRecordingOutputs":
		e.leftOut["texts of outputs"]++
	case "getChat":
		e.leftOut["answers of chats"]++
	case "createWebhook":
		e.leftOut["webhooks"]++
	}
}

// recordingOf returns a recording by its id.
func (e *Extractor) recordingOf(id string) *recording {
	r := e.recordings[id]
	if r == nil {
		r = &recording{labels: map[string]string{}}
		e.recordings[id] = r
		e.order = append(e.order, id)
	}
	return r
}

func (e *Extractor) recording(fields map[string]any) *recording {
	id := text(fields, "id")
	if id == "" {
		return nil
	}
	e.space(member(fields, "space"))
	r := e.recordingOf(id)
	r.fields = fields
	return r
}

func (r *recording) assign(labels []map[string]any) {
	r.labels = map[string]string{}
	for _, l := range labels {
		if s := member(l, "speaker"); s != nil {
			r.labels[text(l, "label")] = text(s, "id")
		}
	}
}

// began notes the start of work on a URL. The last start of a URL counts.
func (e *Extractor) began(by map[string]*job, order *[]string, url, id string, body map[string]any, x *record.Exchange) {
	if url == "" || id == "" || strings.Contains(url, record.Mask) {
		if url != "" {
			e.leftOut["URLs with secrets"]++
		}
		return
	}
	if by[url] == nil {
		*order = append(*order, url)
	}
	j := &job{url: url}
	by[url], e.jobs[id] = j, j
	j.note(body, x)
}

func (e *Extractor) polled(id string, body map[string]any, x *record.Exchange) {
	if j := e.jobs[id]; j != nil {
		j.note(body, x)
	}
}

// note adds a state if it is another one than before.
func (j *job) note(body map[string]any, x *record.Exchange) {
	j.fields = body
	j.recording = text(body, "recording_id")
	status := text(body, "status")
	if n := len(j.states); status != "" && (n == 0 || j.states[n-1].status != status) {
		j.states = append(j.states, seenState{status, x.Time})
	}
}

// object returns a body's JSON object, or nil.
func object(b record.Body) map[string]any {
	if !b.Whole() || b.Text == "" {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(b.Text))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

func objects(v any) (all []map[string]any) {
	list, _ := v.([]any)
	for _, item := range list {
		if o, ok := item.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}

func member(o map[string]any, name string) map[string]any {
	m, _ := o[name].(map[string]any)
	return m
}

func text(o map[string]any, name string) string {
	s, _ := o[name].(string)
	return s
}

func whole(v any) (int64, bool) {
	n, ok := v.(json.Number)
	i, err := n.Int64()
	return i, ok && err == nil
}

func float(v any) float64 {
	n, _ := v.(json.Number)
	f, _ := n.Float64()
	return f
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
