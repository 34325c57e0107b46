package engine

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine/blob"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/media"
	"github.com/soundstage-dev/soundstage/engine/podcast"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The ports, in reading order: state (Store in store.go, and Blobs), determinism (Clock, IDs), and work (Media, Transcriber, Diarizer,
// Renderer, Fetcher, Resolver, FeedReader, LLM, Translator, Sender). All except Clock, IDs, Media, and Renderer have conformance suites
// in engine/enginetest that every implementation runs.

// Blobs stores bytes under keys.
type Blobs = blob.Store

// BlobWriter receives the bytes of one blob.
type BlobWriter = blob.Writer

// LocalBlobs is an optional ability of Blobs that store each blob as one file of this machine.
type LocalBlobs = blob.LocalStore

// PinningBlobs is an optional ability of Blobs on another machine: readers of several ranges get bytes of one version of a blob, and
// programs that need a file share a local copy. CollectingBlobs remove what writers left behind that died, see engine/sweep.
type (
	PinningBlobs    = blob.Pinner
	CollectingBlobs = blob.Collector
)

// PresigningBlobs is an optional ability of Blobs whose bytes clients can send and read themselves, by a signed address. A BlobPut and a
// BlobGet say what to sign, and an Address is what to send.
type (
	PresigningBlobs = blob.PresigningStore
	BlobPut         = blob.Put
	BlobGet         = blob.Get
	Address         = blob.Address
)

// CopyingBlobs is an optional ability of Blobs that copy blobs themselves. CreateRecording copies uploads that were replaceable with it.
type CopyingBlobs = blob.Copier

// BlobMeta is stored with the bytes, and BlobInfo describes a committed blob.
type (
	BlobMeta = blob.Meta
	BlobInfo = blob.Info
)

// Clock returns the time and makes timers. The default is the system's.
type Clock = queue.Clock

// Timer is the part of time.Timer that the engine uses.
type Timer = queue.Timer

// IDs makes unique identifiers.
type IDs interface {
	// NewID returns a new lower-case UUID for a kind of resource: "upload", "recording", "job", ….
	NewID(kind string) string
}

// DerivedIDs is an optional ability of IDs that are the same in each run. Jobs run concurrently, so that the ids of what they create can't
// follow from the order of calls.
type DerivedIDs interface {
	// DerivedID returns the lower-case UUID of a resource that follows from its kind and what it belongs to, and from nothing else. The
	// caller passes the same arguments for one resource only.
	DerivedID(kind string, of ...string) string
}

// Source is a piece of media that can be read any number of times.
type Source = media.Source

// LocalSource is an optional ability of a Source that is a file of this machine.
type LocalSource = media.LocalSource

// HeldSource is an optional ability of a Source that can be copied to a file of this machine.
type HeldSource = media.HeldSource

// Media reads media files.
type Media = media.Reader

// StereoMedia is an optional ability of a Media. See media.StereoReader.
type StereoMedia = media.StereoReader

// MediaInfo is the result of Media.Probe, with the first audio and video stream.
type (
	MediaInfo   = media.Info
	AudioStream = media.Audio
	VideoStream = media.Video
)

// Transcriber turns media into words.
type Transcriber interface {
	// Transcribe returns the words in order of their start. Silence is an empty Transcription, not an error. The Diarizer adds missing
	// Speakers. Errors that another attempt may not meet are Retryable.
	Transcribe(ctx context.Context, req TranscribeRequest) (Transcription, error)
}

// TranscribeRequest is one piece of media and what is known about it.
type TranscribeRequest struct {
	Source           Source
	Info             MediaInfo
	Language         transcript.Language // "" to detect it
	BoostedWords     []string
	Spellings        []transcript.Spelling
	SpeakersExpected int                // a hint; 0 when unknown
	ContextPrompt    string             // what the media is about, in the user's words
	Origin           Origin             // where the media came from
	Checkpoints      Checkpoints        // checkpoints of this transcription; nil when none are kept
	Progress         func(done float64) // fraction of the work, 0 to 1; may be nil
}

// Checkpoints store what a Transcriber saves during a transcription, so that a retry doesn't pay for the same work again. Examples are
// the id of a job on a server and the words of one part. Checkpoints are durable if the engine's Blobs are, and are deleted when the
// transcription ends. Another version of the program may have saved a checkpoint, so a Transcriber ignores those it can't read.
type Checkpoints interface {
	// Load returns the checkpoint with a name, or nil.
	Load(ctx context.Context, name string) ([]byte, error)
	// Save saves a checkpoint durably, replacing the one of the same name. A name has at most 100 letters, digits, '-', '_', and '.'.
	Save(ctx context.Context, name string, value []byte) error
}

// Transcription is the result of Transcribe.
type Transcription struct {
	Language transcript.Language
	Words    []transcript.Word
	Duration time.Duration // of the media, if words go beyond the end that Probe found; else 0
	// Turns are the speaker turns that the transcriber detected, if any. Words without a Speaker are then labelled from them, and
	// the Diarizer isn't called.
	Turns []transcript.Turn
	// Model names what listened, for messages: "whisper.cpp", "Deepgram (nova-3)". It is "" if nothing did, because the media is silent.
	Model string
}

// Diarizer detects who spoke when.
type Diarizer interface {
	// Diarize returns the turns in order of their start. pcm has the format of Media.Decode.
	Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error)
}

// StereoListener is an optional ability of a Diarizer: it hears two channels apart, such as the parties of a call.
type StereoListener interface {
	// HearsStereo reports whether Diarize takes DiarizeOptions.Stereo.
	HearsStereo() bool
}

// WordAssigner is an optional ability of a Diarizer that assigns words to speakers by more than overlap.
type WordAssigner interface {
	// Assign returns the words with speaker labels. The words are in order of their start.
	Assign(words []transcript.Word, turns []transcript.Turn, language transcript.Language) []transcript.Word
}

// VoicePrinter is an optional ability of a Diarizer: prints of voices, to suggest who speaks in a recording.
type VoicePrinter interface {
	// PrintVoices returns a print of each speaker of the turns, by its number; nil for one who speaks too little. pcm has the format of
	// Media.Decode.
	PrintVoices(ctx context.Context, pcm io.Reader, turns []transcript.Turn) ([][]byte, error)
	// NearestVoice returns the index of the print that is likely of the same voice, and its distance; -1 if none is. CodeInvalid for
	// what is no print.
	NearestVoice(print []byte, known [][]byte) (index int, distance float64, err error)
}

// Renderer renders videos.
type Renderer interface {
	// Render writes an MP4 file to req.Output. It returns a note for the user, such as characters that could not be drawn, or "".
	// CodeBadMedia when the media can't be used, CodeUnavailable when a tool or a font is missing; the message names it.
	Render(ctx context.Context, req RenderRequest) (message string, err error)
}

// RenderRequest describes one video to render.
type RenderRequest struct {
	Source      Source
	Info        MediaInfo
	Words       []transcript.Word // in the window, sorted by start; times are the media's
	Language    transcript.Language
	Window      transcript.Window // inside the media
	Style       RenderStyle
	Look        string // replaces Style if not ""; see NewRender
	AspectRatio AspectRatio
	Target      Target            // where it is posted; "" for nowhere in particular
	Focus       Focus             // what stays in the frame of a cropped picture; "" for the whole picture
	Quiet       transcript.Window // Window with the silence around it, into which the sound of a styled clip may reach
	Names       map[string]string // of speakers, by the label of their words; labels without a name are missing
	Title       string            // overlay, untrusted; "" for none
	MediaTitle  string            // of the recording, untrusted: the title of the file if there is no Title
	Chapters    []Chapter         // of the recording, sorted by start, untrusted; times are the media's; nil for those that the media have
	Output      io.Writer
	Progress    func(done float64, message string) // fraction of the work, 0 to 1; may be nil
}

// LookChecker is an optional ability of a Renderer: styles as data.
type LookChecker interface {
	// CheckLook returns a look in the form in which it is stored and given to Render, or CodeInvalid with what is wrong with it.
	CheckLook(look string) (string, error)
}

// PosterRenderer is an optional ability of a Renderer: a still picture of a rendered video.
type PosterRenderer interface {
	// Poster writes a JPEG of the video's loudest moment that has a caption, or of its middle if it has no captions. Errors are those of
	// Render.
	Poster(ctx context.Context, req PosterRequest) error
}

// PosterRequest describes one picture to render.
type PosterRequest struct {
	Video       Source            // as Render wrote it
	Words       []transcript.Word // of its captions, sorted by start; times are the video's
	Language    transcript.Language
	Style       RenderStyle // the video's, like Look and AspectRatio
	Look        string
	AspectRatio AspectRatio
	Output      io.Writer
}

// Fetcher downloads public URLs.
type Fetcher interface {
	// Check reports whether a URL may be downloaded, without a request to its server. CodeInvalid when it is not a usable http(s)
	// address, CodeNotPublic when it does not resolve to a public address. A name that can't be resolved now is nil, because Fetch checks
	// again.
	Check(ctx context.Context, url string) error
	// Fetch writes the whole resource to w. A broken download is resumed if the server allows it. Links to files of cloud drives are
	// followed to the file. Errors: CodeInvalid (not a usable http(s) address), CodeNotPublic (it does not resolve to a public address),
	// CodeDownload (the download failed), CodeTooLarge (beyond the size limit).
	Fetch(ctx context.Context, req FetchRequest, w io.Writer) (FetchInfo, error)
}

// FetchRequest is one download.
type FetchRequest struct {
	URL      string
	Header   map[string]string       // that the server requires, from a Resolver; may be nil
	MaxSize  int64                   // bytes; 0 for the Fetcher's own limit
	Progress func(done, total int64) // bytes; total is -1 when unknown; done never falls; may be nil
}

// FetchInfo describes a download.
type FetchInfo struct {
	URL         string // after redirects
	ContentType string // in lower case, without parameters; "" when unknown
	Charset     string // that the Content-Type names; "" for none
	Filename    string // from Content-Disposition, else from the URL's path
	Size        int64
}

// Resolver finds the media of a page: of a video-sharing, short-video, or audio-streaming site.
type Resolver interface {
	// Resolve returns the URL of the page's media. CodeUnsupported for an unknown site, CodeDownload when the page has no media that can
	// be downloaded.
	Resolve(ctx context.Context, page string) (Resolved, error)
}

// Resolved is the media of a page.
type Resolved struct {
	URL    string            // of the media, itself untrusted
	Title  string            // "" when unknown
	Header map[string]string // that the media's server requires; nil for none
}

// FeedReader reads podcast feeds: RSS 2.0 with iTunes tags, and Atom.
type FeedReader interface {
	// ReadFeed downloads and parses a feed. Its items keep the feed's order. CodeInvalid, CodeNotPublic, and CodeDownload as for Fetcher;
	// CodeUnprocessable when it is not a feed.
	ReadFeed(ctx context.Context, url string) (podcast.Feed, error)
}

// LLM writes texts grounded in transcripts. What it returns is untrusted.
type LLM interface {
	// Write returns markdown for a request. Errors that another attempt may not meet are Retryable.
	Write(ctx context.Context, req WriteRequest) (string, error)
	// ContextTokens returns how many tokens a request and its answer may have together; see transcript.EstimateTokens.
	ContextTokens() int
}

// Task is the purpose of a WriteRequest.
type Task string

const (
	TaskGenerate Task = "generate" // follow the prompt, for one recording
	TaskChat     Task = "chat"     // answer a question; cite passages by label as [label], nothing else; may end with NoSupport
	TaskSpeaker  Task = "speaker"  // describe the person whom the prompt names, from what that person says
)

// NoSupport ends an answer to TaskChat when no passage answers the question. Users don't see it.
const NoSupport = "[none]"

// WriteRequest asks for a text. All its texts are untrusted.
type WriteRequest struct {
	Task     Task
	Type     OutputType           // for TaskGenerate: the built-in prompt, or OutputDynamic
	Prompt   string               // instruction, question, or speaker's name
	Language transcript.Language  // of the answer
	Context  string               // what the media is about, in the user's words; may be ""
	Passages []transcript.Passage // the source material, in order; never empty
}

// Suggester is an optional ability of an LLM: it suggests parts of a transcript that make good clips. The engine checks its suggestions
// against the transcript.
type Suggester interface {
	// Suggest returns at most max suggestions. Errors that another attempt may not meet are Retryable.
	Suggest(ctx context.Context, t Transcript, max int) ([]clips.Suggestion, error)
}

// Translator translates texts.
type Translator interface {
	// Translate returns the translation of each text, in the same order. Tokens of the form [[T0]] must come back unchanged. Errors that
	// another attempt may not meet are Retryable.
	Translate(ctx context.Context, req TranslateRequest) ([]string, error)
}

// TranslateRequest asks for the translation of consecutive texts.
type TranslateRequest struct {
	From, To transcript.Language
	Texts    []string
}

// Sender delivers webhooks.
type Sender interface {
	// Check reports whether a URL may be sent to, like Fetcher's.
	Check(ctx context.Context, url string) error
	// Send posts the body and returns the response, whatever its status. It follows no redirects. An error means that no response came;
	// its message says why.
	Send(ctx context.Context, req SendRequest) (SendResponse, error)
}

// DeliveryLimiter is an optional ability of a Sender: it decides when an attempt of a delivery may begin.
type DeliveryLimiter interface {
	// Acquire returns when the attempt may begin, with a function to call when it has ended. Waiting is not part of the attempt: the job
	// keeps its lease, and nothing is signed or logged yet. Acquire returns an error only when ctx is done.
	Acquire(ctx context.Context, d Delivery) (done func(), err error)
}

// SendRequest is one attempt of a delivery. Delivery, Webhook, and Event identify it; they are not sent.
type SendRequest struct {
	URL     string
	Header  map[string]string
	Body    []byte
	Timeout time.Duration

	Delivery DeliveryID
	Webhook  WebhookID
	Event    EventType
}

// SendResponse is the receiver's response.
type SendResponse struct {
	Status     int
	Body       []byte              // its first 2 KiB
	RetryAfter time.Duration       // 0 when the receiver sent none
	Header     map[string][]string // nil when the Sender doesn't return headers
	Private    bool                // whether the receiver's address is not public
}
