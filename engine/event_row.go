package engine

import (
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine/input"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// EventKind says what an Event is about.
type EventKind string

// The kinds of events. A changed event has the new Status; the first one of each row has its initial status.
const (
	KindRecordingCreated   EventKind = "recording.created"
	KindRecordingDeleted   EventKind = "recording.deleted"
	KindTranscriptChanged  EventKind = "transcript.changed"  // Status is a TranscriptStatus
	KindTranscriptProgress EventKind = "transcript.progress" // may fall when another attempt begins
	KindImportChanged      EventKind = "import.changed"      // Status is an ImportStatus
	KindImportProgress     EventKind = "import.progress"     // never falls
	KindRenderChanged      EventKind = "render.changed"      // Status is a RenderStatus
	KindRenderProgress     EventKind = "render.progress"     // never falls
	KindOutputChanged      EventKind = "output.changed"      // Status is an OutputStatus
	KindChatChanged        EventKind = "chat.changed"        // Status is a ChatStatus
	KindSuggestionsMade    EventKind = "suggestions.made"    // the recording has suggestions
	KindTranslationMade    EventKind = "translation.made"    // the transcript is translated into Language
)

// EventKinds returns every kind.
func EventKinds() []EventKind {
	return []EventKind{
		KindRecordingCreated, KindRecordingDeleted, KindTranscriptChanged, KindTranscriptProgress, KindImportChanged, KindImportProgress,
		KindRenderChanged, KindRenderProgress, KindOutputChanged, KindChatChanged, KindSuggestionsMade, KindTranslationMade,
	}
}

// Progress reports whether events of the kind are reports of progress. They aren't stored: a subscriber gets only the latest of each row.
func (k EventKind) Progress() bool { return strings.HasSuffix(string(k), ".progress") }

func (k EventKind) check(op string) error {
	if slices.Contains(EventKinds(), k) {
		return nil
	}
	return Errorf(CodeInvalid, op, "There is no kind of event %q.", k).WithHint("The kinds are " + strings.Join(input.Strings(EventKinds()), ", ") + ".")
}

// Event says what happened to a recording, or to something made from one. The ids that concern it are set, the others are "".
type Event struct {
	// Number is the event's place in the log: from 1, in the order of the commits, without gaps. A progress event has that of the stored
	// event before it.
	Number int64
	Kind   EventKind
	At     time.Time // UTC, microseconds

	UserID       UserID  // who requested it; "" for automatic work, and for events of a whole recording
	SpaceID      SpaceID // "" for transcripts of URLs, and for chats
	RecordingID  RecordingID
	TranscriptID TranscriptID
	ImportID     ImportID
	RenderID     RenderID
	OutputID     OutputID
	ChatID       ChatID
	Language     transcript.Language // of a translation

	Status    string  // the new status; "" for kinds without one
	Progress  float64 // 0 to 1; of progress events
	Message   string  // the current step of a render; of its progress events
	Error     string  // one sentence; only when the row failed or was canceled, as are the next three
	ErrorCode Code
	ErrorHint string // what to do about the error; "" when unknown
	ErrorRule Rule   // "" when the code is enough
}

// Cursor returns the place after the event, for EventFilter.After.
func (v Event) Cursor() EventCursor { return cursorOf(v.Number) }

// Over reports whether the event says that its row has a final status.
func (v Event) Over() bool {
	switch v.Kind {
	case KindTranscriptChanged:
		return TranscriptStatus(v.Status).Over()
	case KindImportChanged:
		return ImportStatus(v.Status).Over()
	case KindRenderChanged:
		return RenderStatus(v.Status).Over()
	case KindOutputChanged:
		return OutputStatus(v.Status).Over()
	case KindChatChanged:
		return ChatStatus(v.Status).Over()
	}
	return !v.Kind.Progress()
}

// Err returns the error of a row that failed or was canceled, as its Wait method does, else nil.
func (v Event) Err() error {
	if v.Error == "" {
		return nil
	}
	return &Error{Code: v.ErrorCode, Rule: v.ErrorRule, Op: string(v.Kind), Msg: v.Error, Hint: v.ErrorHint}
}

// subject returns the id of the row that the event is about, typed, so that ids of two nouns differ.
func (v Event) subject() any {
	switch v.Kind {
	case KindTranscriptChanged, KindTranscriptProgress:
		return v.TranscriptID
	case KindImportChanged, KindImportProgress:
		return v.ImportID
	case KindRenderChanged, KindRenderProgress:
		return v.RenderID
	case KindOutputChanged:
		return v.OutputID
	case KindChatChanged:
		return v.ChatID
	}
	return v.RecordingID
}
