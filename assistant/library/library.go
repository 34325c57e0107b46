// Package library has the tools, resources, and prompts with which an assistant uses a library of recordings: it finds what was said, quotes
// it with times, says who said it, and exports and clips it. Start with New:
//
//	server := library.New(library.Options{Use: open, Roots: []string{"/media"}, Output: "/clips"})
//	err := assistant.Serve(ctx, server, os.Stdin, os.Stdout)
package library

import (
	"context"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
)

// Need is what a call needs of a library.
type Need int

const (
	Reading   Need = iota // rows
	Working               // its jobs run, such as the one that suggests clips
	Rendering             // its jobs run, and ffmpeg is there
)

// Open is an open library.
type Open struct {
	*engine.Engine
	Me  engine.Caller
	Add func(context.Context, Addition) (Added, error)
}

// Addition is media to add.
type Addition struct {
	Path     string // absolute, without symbolic links; or
	URL      string
	Settings engine.NewRecording
	Progress func(done float64, message string)
}

// Added is what became of an addition.
type Added struct {
	Recording engine.Recording
	Known     bool // it was there before
	Changed   bool // it was there before, and the file has changed since
}

// Options describe a library to its tools.
type Options struct {
	// Use opens the library for the time of fn.
	Use     func(ctx context.Context, need Need, fn func(context.Context, Open) error) error
	Version string
	// Roots are the folders whose files may be added. Without any, none may.
	Roots []string
	// Output is the folder of exports and clips. It is made when it is needed. Without it, there are none.
	Output string
	// URLs allows to add from URLs. It is off by default: a text can talk a model into fetching a URL that tells a stranger something.
	URLs bool
	// ReadOnly leaves out the tools that change or write something.
	ReadOnly bool
	Log      *slog.Logger // default none
}

const instructions = `Tools for a library of recordings (audio and video) with transcripts. Times are milliseconds from the start of a recording. A recording is
named by its id, or by its number such as 12. Start with search or list_recordings. Before you quote, call quote: it returns the exact words with
their times. Read long transcripts in pages: pass next_cursor as cursor. Unnamed speakers have labels such as "Speaker 0".`

// New returns a server for a library.
func New(o Options) *mcp.Server {
	s := assistant.New(assistant.Options{Title: "Soundstage library", Version: o.Version, Instructions: instructions, Log: o.Log})
	t := &tools{o}
	t.addReading(s)
	if !o.ReadOnly {
		t.addWriting(s)
	}
	t.addResources(s)
	addPrompts(s, !o.ReadOnly)
	return s
}

// tools has the tools' handlers.
type tools struct{ Options }

// use opens the library for a tool that returns a result.
func use[Out any](ctx context.Context, t *tools, need Need, fn func(context.Context, Open) (Out, error)) (out Out, err error) {
	err = t.Use(ctx, need, func(ctx context.Context, l Open) error {
		out, err = fn(ctx, l)
		return err
	})
	return out, err
}

// Limits of arguments.
var (
	aRecording = namesRecording(1)
	aCursor    = assistant.Length(0, 1000)
	aTime      = assistant.Between(0, 1e9) // 11 days
	aQuery     = assistant.Length(1, 500)
)

func (t *tools) addReading(s *mcp.Server) {
	assistant.Add(s, assistant.Tool[listIn, listOut]{
		Name: "list_recordings", Title: "List recordings", Run: t.list, Log: t.Log,
		Description: "Lists recordings, newest first, with title, length, language, tags, and status.",
		Limits: assistant.Limits{
			"title": assistant.Length(0, 200), "tags": assistant.Entries(20), "cursor": aCursor, "limit": assistant.Default(20, assistant.Between(1, 100)),
		},
	})
	assistant.Add(s, assistant.Tool[searchIn, searchOut]{
		Name: "search", Title: "Search recordings", Run: t.search, Log: t.Log,
		Description: "Finds texts that have all the words, best first, with the time at which they are spoken: transcripts, then titles, then generated content. Case and accents don't matter.",
		Limits: assistant.Limits{
			"query": aQuery, "limit": assistant.Default(10, assistant.Between(1, engine.MaxSearchLimit)),
			"in": assistant.Default(engine.SearchAll, assistant.OneOf(engine.SearchAll, engine.SearchTranscripts, engine.SearchRecordings, engine.SearchContent)),
		},
	})
	assistant.Add(s, assistant.Tool[transcriptIn, transcriptOut]{
		Name: "get_transcript", Title: "Read a transcript", Run: t.transcript, Log: t.Log,
		Description: "Returns a page of a recording's transcript: who says what, when. Choose a range of time or one speaker to read less.",
		Limits: assistant.Limits{
			"recording": aRecording, "cursor": aCursor, "from_ms": aTime, "to_ms": aTime, "speaker": assistant.Length(0, 200),
			"limit": assistant.Default(50, assistant.Between(1, maxPassages)),
		},
	})
	assistant.Add(s, assistant.Tool[quoteIn, quoteOut]{
		Name: "quote", Title: "Quote exactly", Run: t.quote, Log: t.Log,
		Description: "Returns the exact words of a recording with their times and speakers: where a text is spoken, or what is spoken in a range of time. Set either text, or start_ms and end_ms.",
		Limits: assistant.Limits{
			"recording": aRecording, "text": assistant.Length(0, 1000), "start_ms": aTime, "end_ms": aTime, "limit": assistant.Default(5, assistant.Between(1, 20)),
		},
	})
	assistant.Add(s, assistant.Tool[whoIn, whoOut]{
		Name: "who_said", Title: "Find who said something", Run: t.whoSaid, Log: t.Log,
		Description: "Finds who said something: speakers, times, and their words, in one recording or in all of them. All the words must be in one passage.",
		Limits: assistant.Limits{
			"text": aQuery, "recording": namesRecording(0), "speaker": assistant.Length(0, 200), "limit": assistant.Default(10, assistant.Between(1, engine.MaxSearchLimit)),
		},
	})
	assistant.Add(s, assistant.Tool[recordingIn, speakersOut]{
		Name: "speakers", Title: "List speakers", Run: t.speakers, Log: t.Log,
		Description: "Lists the speakers of a recording: label, name, how long and how often they speak.",
		Limits:      assistant.Limits{"recording": aRecording},
	})
	assistant.Add(s, assistant.Tool[suggestIn, suggestOut]{
		Name: "suggest_clips", Title: "Suggest clips", Run: t.suggest, Log: t.Log,
		Description: "Suggests the parts of a recording that would make the best clips, best first, with times, scores, and titles.",
		Limits:      assistant.Limits{"recording": aRecording, "limit": assistant.Default(5, assistant.Between(1, 20))},
	})
}
