package extract

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/soundstage-dev/soundstage/emulator/fixture"
	"github.com/soundstage-dev/soundstage/engine"
)

// Result is a fixture and what is to say about it.
type Result struct {
	YAML        []byte   `json:"-"`
	Spaces      int      `json:"spaces"`
	Recordings  int      `json:"recordings"`
	Transcripts int      `json:"transcripts"` // bound to file names and URLs
	Timelines   int      `json:"timelines"`
	Notes       []string `json:"notes"` // what was left out or changed
}

// The form of a fixture; see package fixture.
type (
	wireFixture struct {
		Version     int              `yaml:"version"`
		Spaces      []wireSpace      `yaml:"spaces,omitempty"`
		Transcripts []wireTranscript `yaml:"transcripts,omitempty"`
		Timelines   []wireTimeline   `yaml:"timelines,omitempty"`
	}
	wireSpace struct {
		ID         string          `yaml:"id"`
		Name       string          `yaml:"name,omitempty"`
		Language   string          `yaml:"language,omitempty"`
		Speakers   []wireSpeaker   `yaml:"speakers,omitempty"`
		Prompts    []wirePrompt    `yaml:"prompts,omitempty"`
		Recordings []wireRecording `yaml:"recordings,omitempty"`
	}
	wireSpeaker struct {
		ID       string `yaml:"id"`
		Name     string `yaml:"name"`
		Email    string `yaml:"email,omitempty"`
		Bio      string `yaml:"bio,omitempty"`
		Pronouns string `yaml:"pronouns,omitempty"`
		Role     string `yaml:"role,omitempty"`
		Emoji    string `yaml:"emoji,omitempty"`
		Summary  string `yaml:"ai_summary,omitempty"`
	}
	wirePrompt struct {
		ID          string `yaml:"id"`
		Name        string `yaml:"name"`
		Prompt      string `yaml:"prompt"`
		Description string `yaml:"description,omitempty"`
		Disabled    bool   `yaml:"disabled,omitempty"`
	}
	wireRecording struct {
		ID            string            `yaml:"id"`
		Title         string            `yaml:"title"`
		Language      string            `yaml:"language,omitempty"`
		CreatedAt     string            `yaml:"created_at,omitempty"`
		PublishedAt   string            `yaml:"published_at,omitempty"`
		EpisodeNumber *int64            `yaml:"episode_number,omitempty"`
		SeasonNumber  *int64            `yaml:"season_number,omitempty"`
		Transcript    *wireWords        `yaml:"transcript,omitempty"`
		Speakers      map[string]string `yaml:"speakers,omitempty"`
		Timeline      string            `yaml:"timeline,omitempty"`
		Media         map[string]string `yaml:"media,omitempty"`
	}
	wireWords struct {
		Language   string          `yaml:"language,omitempty"`
		Duration   string          `yaml:"duration,omitempty"`
		Utterances []wireUtterance `yaml:"utterances"`
	}
	wireUtterance struct {
		Speaker    string     `yaml:"speaker"`
		Text       string     `yaml:"text,omitempty"`
		Start      int64      `yaml:"start"`
		End        int64      `yaml:"end"`
		Confidence float64    `yaml:"confidence,omitempty"`
		Words      []wireWord `yaml:"words,omitempty"`
	}
	wireWord struct {
		Text       string  `yaml:"text"`
		Start      int64   `yaml:"start"`
		End        int64   `yaml:"end"`
		Confidence float64 `yaml:"confidence,omitempty"`
	}
	wireTranscript struct {
		Match     map[string]string `yaml:"match"`
		wireWords `yaml:",inline"`
	}
	wireTimeline struct {
		Of      string            `yaml:"of"`
		Match   map[string]string `yaml:"match"`
		Steps   string            `yaml:"steps"`
		Message string            `yaml:"message,omitempty"`
	}
)

// maxYAML is the longest fixture that the sandbox reads.
const maxYAML = 4 << 20

// Fixture returns the fixture of what was seen. CodeInvalid when the exchanges show nothing that a fixture can hold, CodeTooLarge when the fixture
// would be longer than the sandbox reads.
func (e *Extractor) Fixture() (Result, error) {
	const op = "fixtures"
	b := builder{e: e}
	f := b.build()
	if len(f.Spaces)+len(f.Transcripts)+len(f.Timelines) == 0 {
		return Result{}, engine.Errorf(engine.CodeInvalid, op, "The recorded exchanges show nothing that a fixture can hold.").
			WithHint("Record exchanges that list spaces or recordings, or that read transcripts.")
	}
	raw, err := yaml.Dump(f, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err == nil && len(raw) > e.most {
		b.note("The times of single words were left out, because the fixture would be longer than 4 MiB.")
		withoutWords(&f)
		raw, err = yaml.Dump(f, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	}
	if err != nil {
		return Result{}, err
	}
	if len(raw) > e.most {
		return Result{}, engine.Errorf(engine.CodeTooLarge, op, "The fixture would have %d bytes, but the sandbox reads at most %d.", len(raw), e.most).
			WithHint("Record fewer recordings in one folder.")
	}
	if _, err := fixture.Parse(bytes.NewReader(raw), "fixture"); err != nil {
		return Result{}, engine.Errorf(engine.CodeInvalid, op, "The recorded exchanges don't make a valid fixture: %s", engine.Message(err)).Because(err).
			WithHint("The service may have answered in a way that the sandbox doesn't know; `soundstage drift DIR` shows how.")
	}
	r := Result{YAML: raw, Spaces: len(f.Spaces), Transcripts: len(f.Transcripts), Timelines: len(f.Timelines), Notes: []string{}}
	for _, s := range f.Spaces {
		r.Recordings += len(s.Recordings)
	}
	for what, n := range e.leftOut {
		b.note(fmt.Sprintf("Fixtures can't hold %s: %s left out.", what, plural(n, "response", "responses")))
	}
	slices.Sort(b.notes)
	r.Notes = append(r.Notes, b.notes...)
	return r, nil
}

func withoutWords(f *wireFixture) {
	drop := func(w *wireWords) {
		if w == nil {
			return
		}
		for i := range w.Utterances {
			w.Utterances[i].Words = nil
		}
	}
	for i := range f.Spaces {
		for k := range f.Spaces[i].Recordings {
			drop(f.Spaces[i].Recordings[k].Transcript)
		}
	}
	for i := range f.Transcripts {
		drop(&f.Transcripts[i].wireWords)
	}
}

// builder builds a fixture and notes what it leaves out.
type builder struct {
	e     *Extractor
	notes []string
}

func (b *builder) note(s string) {
	if !slices.Contains(b.notes, s) {
		b.notes = append(b.notes, s)
	}
}

func (b *builder) build() wireFixture {
	f := wireFixture{Version: 1}
	for _, id := range b.e.spaceOrder {
		if s, ok := b.space(b.e.spaces[id]); ok {
			f.Spaces = append(f.Spaces, s)
		}
	}
	for _, j := range b.e.jobs {
		if r := b.e.recordings[j.recording]; r != nil {
			r.url = j.url
		}
	}
	for _, id := range b.e.order {
		r := b.e.recordings[id]
		if r.transcript == nil {
			continue
		}
		for name, value := range map[string]string{"filename": r.filename, "url": r.url} {
			if value != "" && !boundTo(f.Transcripts, name, value) {
				f.Transcripts = append(f.Transcripts, wireTranscript{map[string]string{name: value}, *words(r.transcript, text(r.fields, "language"))})
			}
		}
	}
	for _, url := range b.e.urlOrder {
		j := b.e.urls[url]
		if j.fields["utterances"] != nil && !boundTo(f.Transcripts, "url", url) {
			f.Transcripts = append(f.Transcripts, wireTranscript{map[string]string{"url": url}, *words(j.fields, "")})
		}
		f.Timelines = append(f.Timelines, b.timeline("transcript", j)...)
	}
	for _, url := range b.e.importOrder {
		f.Timelines = append(f.Timelines, b.timeline("import", b.e.imports[url])...)
	}
	slices.SortStableFunc(f.Transcripts, func(x, y wireTranscript) int {
		return cmp.Compare(x.Match["filename"]+x.Match["url"], y.Match["filename"]+y.Match["url"])
	})
	return f
}

func boundTo(all []wireTranscript, name, value string) bool {
	return slices.ContainsFunc(all, func(t wireTranscript) bool { return t.Match[name] == value })
}

func (b *builder) space(s *space) (wireSpace, bool) {
	w := wireSpace{ID: s.id, Name: cmp.Or(s.name, s.id), Language: s.language}
	if !uuid.MatchString(s.id) {
		b.note(fmt.Sprintf("The space %s has the content of the default space, because its id is not a UUID.", s.id))
		w.ID, w.Name = "default", ""
	}
	for _, id := range s.speakerOrder {
		p := s.speakers[id]
		if uuid.MatchString(id) && text(p, "name") != "" {
			w.Speakers = append(w.Speakers, wireSpeaker{id, text(p, "name"), text(p, "email"), text(p, "bio"), text(p, "pronouns"), text(p, "role"), text(p, "emoji"), text(p, "ai_summary")})
		} else {
			b.note("Speakers without a UUID or a name were left out.")
		}
	}
	for _, id := range s.promptOrder {
		p := s.prompts[id]
		if uuid.MatchString(id) {
			disabled, _ := p["disabled"].(bool)
			w.Prompts = append(w.Prompts, wirePrompt{id, text(p, "name"), text(p, "prompt"), text(p, "description"), disabled})
		} else {
			b.note("Prompts without a UUID were left out.")
		}
	}
	for _, id := range b.e.order {
		r := b.e.recordings[id]
		if text(member(r.fields, "space"), "id") != s.id {
			continue
		}
		if !uuid.MatchString(id) || strings.TrimSpace(text(r.fields, "title")) == "" {
			b.note("Recordings without a UUID or a title were left out.")
			continue
		}
		w.Recordings = append(w.Recordings, b.recording(id, r, s))
	}
	return w, true
}

func (b *builder) recording(id string, r *recording, s *space) wireRecording {
	f := r.fields
	w := wireRecording{ID: id, Title: text(f, "title"), Language: text(f, "language"), CreatedAt: instant(f, "created_at"), PublishedAt: instant(f, "published_at")}
	for name, to := range map[string]**int64{"episode_number": &w.EpisodeNumber, "season_number": &w.SeasonNumber} {
		if n, ok := whole(f[name]); ok {
			*to = &n
		}
	}
	switch status := text(f, "transcript_status"); {
	case r.transcript != nil:
		w.Transcript = words(r.transcript, w.Language)
		labels := map[string]bool{}
		for _, u := range w.Transcript.Utterances {
			labels[u.Speaker] = true
		}
		for label, speaker := range r.labels {
			if name := s.speakerName(speaker); name != "" && labels[label] {
				if w.Speakers == nil {
					w.Speakers = map[string]string{}
				}
				w.Speakers[label] = speaker
			}
		}
	case status == "error":
		w.Timeline = "queued → processing → error"
	default:
		b.note("Recordings whose transcript was not read get an invented one.")
		if minutes, ok := whole(f["duration_minutes"]); ok && minutes > 0 && minutes <= 120 {
			w.Media = map[string]string{"speech": fmt.Sprintf("%dm", minutes)}
		}
	}
	return w
}

// instant returns a time that the sandbox reads, or "".
func instant(f map[string]any, name string) string {
	t, err := time.Parse(time.RFC3339, text(f, name))
	if err != nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// words returns a transcript of the service as one of a fixture.
func words(t map[string]any, language string) *wireWords {
	w := &wireWords{Language: cmp.Or(text(t, "language"), language), Utterances: []wireUtterance{}}
	if seconds := float(t["audio_duration"]); seconds > 0 {
		w.Duration = (time.Duration(seconds) * time.Second).String()
	}
	for _, u := range objects(t["utterances"]) {
		out := wireUtterance{Speaker: text(u, "speaker"), Confidence: float(u["confidence"])}
		out.Start, _ = whole(u["start"])
		out.End, _ = whole(u["end"])
		for _, word := range objects(u["words"]) {
			one := wireWord{Text: text(word, "text"), Confidence: float(word["confidence"])}
			one.Start, _ = whole(word["start"])
			one.End, _ = whole(word["end"])
			if one.Text != "" && one.End > one.Start {
				out.Words = append(out.Words, one)
			}
		}
		out.Text = text(u, "text")
		if out.End > out.Start && strings.TrimSpace(out.Text) != "" {
			w.Utterances = append(w.Utterances, out)
		}
	}
	return w
}

// timeline returns the course of work on a URL, if polls showed its end.
func (b *builder) timeline(of string, j *job) []wireTimeline {
	if len(j.states) < 2 {
		return nil
	}
	last := j.states[len(j.states)-1].status
	if !slices.Contains([]string{"completed", "error", "canceled"}, last) || j.states[0].status != "queued" {
		return nil
	}
	var steps []string
	for i, s := range j.states[:len(j.states)-1] {
		if length := j.states[i+1].at.Sub(s.at).Round(100 * time.Millisecond); length > 0 {
			steps = append(steps, s.status+" "+length.String())
		} else {
			steps = append(steps, s.status)
		}
	}
	if last == "completed" && !slices.ContainsFunc(j.states, func(s seenState) bool { return s.status == "processing" }) {
		steps = append(steps, "processing") // no poll saw it
	}
	w := wireTimeline{Of: of, Match: map[string]string{"url": j.url}, Steps: strings.Join(append(steps, last), " → ")}
	if last == "error" {
		w.Message = text(j.fields, "error")
	}
	return []wireTimeline{w}
}
