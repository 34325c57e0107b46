package engine

import (
	"context"
	"io"
	"time"

	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// The ports, in reading order: where state lives (Store, in store.go, and Blobs), what makes it deterministic (Clock, IDs), and who does
// the work (Media, Transcriber, Diarizer, Renderer, Fetcher, Resolver, FeedReader, LLM, Translator, Sender). All but Clock,
// IDs, Media and Renderer have conformance suites in engine/enginetest that every implementation runs.

// Blobs keeps bytes under keys that blob.ValidKey lets through; another one is CodeInvalid.
type Blobs interface {
	// Create starts a blob. It is invisible until Commit, and replaces an earlier one of the same key then.
	Create(ctx context.Context, key string, meta BlobMeta) (BlobWriter, error)
	// Open reads n bytes from off; n < 0 reads to the end. CodeNotFound when there is no such blob, CodeInvalid when
	// off lies outside it.
	Open(ctx context.Context, key string, off, n int64) (io.ReadCloser, error)
	// Stat describes a blob, or fails with CodeNotFound.
	Stat(ctx context.Context, key string) (BlobInfo, error)
	// Delete removes a blob; removing what isn't there is no error.
	Delete(ctx context.Context, key string) error
	// List calls fn for each blob whose key begins with prefix, in order of their keys, until fn returns an error. fn may
	// delete the blob it is called with.
	List(ctx context.Context, prefix string, fn func(BlobInfo) error) error
}

// BlobWriter receives the bytes of one blob. After Commit or Abort it is done; Abort after Commit does nothing.
type BlobWriter interface {
	io.Writer
	// Commit makes the blob durable and visible, or returns an error and leaves nothing.
	Commit() (BlobInfo, error)
	Abort() error
}

// LocalBlobs is an optional ability of Blobs that keep each blob as one file of this machine. The path is to be read
// only, and only while the blob exists. Whoever needs a file and doesn't have this ability copies the blob to one.
type LocalBlobs interface {
	Path(key string) (string, error)
}

// BlobMeta is what is stored beside the bytes.
type BlobMeta struct {
	ContentType string
	MaxSize     int64 // a Write beyond it fails with CodeTooLarge; 0 means no limit
}

// BlobInfo describes a committed blob.
type BlobInfo struct {
	Key         string
	Size        int64
	SHA256      [32]byte
	ContentType string
	ModTime     time.Time
}

// Clock tells the time and makes timers. The zero Config uses the system's.
type Clock = queue.Clock

// Timer is the part of time.Timer that the engine uses.
type Timer = queue.Timer

// IDs makes identifiers that were never made before.
type IDs interface {
	// NewID returns a fresh lower-case UUID for a kind of resource: "upload", "recording", "job", ….
	NewID(kind string) string
}

// Source is a piece of media that can be read any number of times.
type Source interface {
	// Open reads n bytes from off; n < 0 reads to the end.
	Open(ctx context.Context, off, n int64) (io.ReadCloser, error)
	Size() int64
}

// LocalSource is an optional ability of a Source that is one file of this machine.
type LocalSource interface {
	Path() (string, error)
}

// Media looks into media files.
type Media interface {
	// Probe says what is in the media. CodeBadMedia when it isn't media that can be read.
	Probe(ctx context.Context, src Source) (MediaInfo, error)
	// Decode streams the first audio stream as 16 kHz mono signed 16-bit little-endian PCM. The caller closes it; Close
	// reports an error of the decoder that ended the stream early. CodeBadMedia when there is no audio.
	Decode(ctx context.Context, src Source) (io.ReadCloser, error)
}

// MediaInfo is what Probe found.
type MediaInfo struct {
	Format   string        // the demuxer's name: "wav", "mov,mp4,m4a,3gp,3g2,mj2"
	Duration time.Duration // of the longest stream; 0 when unknown
	Language string        // ISO 639 tag of the audio stream, as written in the file; "" when there is none
	Title    string        // the title tag, "" when there is none
	Audio    *AudioStream  // nil when there is no audio
	Video    *VideoStream  // nil when there is no video; cover art is no video
}

// AudioStream describes the first audio stream.
type AudioStream struct {
	Codec      string
	SampleRate int // samples per second
	Channels   int
	Duration   time.Duration // 0 when unknown
}

// VideoStream describes the first video stream.
type VideoStream struct {
	Codec         string
	Width, Height int     // pixels, as stored
	FrameRate     float64 // frames per second
}

// Transcriber turns media into words.
type Transcriber interface {
	// Transcribe returns the words in order of their start. Silence is an empty Transcription, not an error. Words that
	// have no Speaker are given one by the Diarizer. Errors that a later try may not meet are Retryable.
	Transcribe(ctx context.Context, req TranscribeRequest) (Transcription, error)
}

// TranscribeRequest is one piece of media and what is known of it.
type TranscribeRequest struct {
	Source           Source
	Info             MediaInfo
	Language         transcript.Language // "" asks the transcriber to detect it
	BoostedWords     []string
	Spellings        []transcript.Spelling
	SpeakersExpected int                // a hint; 0 when nothing is known
	ContextPrompt    string             // what the media is about, in the user's words
	Origin           Origin             // where the media came from
	Notes            Notes              // of this transcription; nil where nothing is kept
	Progress         func(done float64) // fraction of the work, 0 to 1; may be nil
}

// Notes are what a Transcriber keeps of one transcription from one try to the next, so that nothing is paid for twice: the id of
// what a server works at, the words of a part. They outlive the process where the engine's Blobs do, and are gone when the
// transcription is over. They are the engine's own bytes, but a program of another version may have written them: whoever can't
// read one does without it.
type Notes interface {
	// Note returns what is kept under a name, or nil.
	Note(ctx context.Context, name string) ([]byte, error)
	// Keep keeps something durably under a name of at most 100 letters, digits, '-', '_' and '.', in place of what is there.
	Keep(ctx context.Context, name string, note []byte) error
}

// Transcription is what a Transcriber heard.
type Transcription struct {
	Language transcript.Language
	Words    []transcript.Word
	Duration time.Duration // of the media, where words are known to reach beyond the end that Probe found; else 0
}

// Diarizer finds out who spoke when.
type Diarizer interface {
	// Diarize returns the turns in order of their start. pcm is as Media.Decode gives it.
	Diarize(ctx context.Context, pcm io.Reader, o transcript.DiarizeOptions) ([]transcript.Turn, error)
}

// WordAssigner is an optional ability of a Diarizer that gives words to speakers by more than overlap alone.
type WordAssigner interface {
	// Assign returns the words, which are in order of their start, each with the label of who said it.
	Assign(words []transcript.Word, turns []transcript.Turn) []transcript.Word
}

// Renderer makes videos.
type Renderer interface {
	// Render writes an MP4 file to req.Output and returns what a user should know of it, "" for nothing: characters that
	// could not be drawn, for example. CodeBadMedia when the media can't be used, CodeUnavailable when a tool or a font is
	// missing; the sentence says which.
	Render(ctx context.Context, req RenderRequest) (message string, err error)
}

// RenderRequest is one video to make.
type RenderRequest struct {
	Source      Source
	Info        MediaInfo
	Words       []transcript.Word // of the window, sorted by start; times are those of the media
	Language    transcript.Language
	Window      transcript.Window // inside the media
	Style       RenderStyle
	AspectRatio AspectRatio
	Title       string // overlay, untrusted; "" for none
	MediaTitle  string // of the recording, untrusted
	Output      io.Writer
	Progress    func(done float64, message string) // fraction of the work, 0 to 1; may be nil
}

// PosterRenderer is an optional ability of a Renderer: a picture that stands for a video that it made.
type PosterRenderer interface {
	// Poster writes a JPEG of the video's loudest moment that has a caption, or of its middle where it has none. Errors are
	// those of Render.
	Poster(ctx context.Context, req PosterRequest) error
}

// PosterRequest is one picture to make.
type PosterRequest struct {
	Video       Source            // as Render made it
	Words       []transcript.Word // that it has captions of, sorted by start; times are those of the video
	Language    transcript.Language
	Style       RenderStyle // of the video, as AspectRatio
	AspectRatio AspectRatio
	Output      io.Writer
}

// Fetcher downloads public URLs.
type Fetcher interface {
	// Check says whether a URL may be downloaded at all, without asking its server: CodeInvalid when it is not a usable
	// http(s) address, CodeNotPublic when it does not resolve to a public address. A name that can't be resolved now is nil:
	// Fetch will tell.
	Check(ctx context.Context, url string) error
	// Fetch writes the resource to w, from its first byte to its last; a download that breaks off is resumed where the server
	// lets it. Links to files of cloud drives are followed to the file. CodeInvalid when the URL is not a usable http(s)
	// address, CodeNotPublic when it does not resolve to a public address, CodeDownload when it can't be had, CodeTooLarge
	// beyond its size limit.
	Fetch(ctx context.Context, req FetchRequest, w io.Writer) (FetchInfo, error)
}

// FetchRequest is one download.
type FetchRequest struct {
	URL      string
	Header   map[string]string       // headers that the server wants, from a Resolver; may be nil
	MaxSize  int64                   // bytes; 0 for the Fetcher's own limit
	Progress func(done, total int64) // bytes; total is -1 when it isn't known; done never falls; may be nil
}

// FetchInfo describes a download.
type FetchInfo struct {
	URL         string // where it came from in the end, after redirects
	ContentType string
	Filename    string // from Content-Disposition, else from the path
	Size        int64
}

// Resolver finds the media behind a page of a site: a video-sharing site, a short-video site, an audio-streaming page.
type Resolver interface {
	// Resolve returns where the page's media is. CodeUnsupported when it doesn't know the site, CodeDownload when the page has no
	// media that can be had.
	Resolve(ctx context.Context, page string) (Resolved, error)
}

// Resolved is the media behind a page.
type Resolved struct {
	URL    string            // of the media, itself untrusted
	Title  string            // "" when unknown
	Header map[string]string // headers that the media's server wants; nil for none
}

// FeedReader reads podcast feeds: RSS 2.0 with iTunes tags, and Atom.
type FeedReader interface {
	// ReadFeed downloads and parses a feed. Its items come in the feed's order. CodeInvalid, CodeNotPublic and CodeDownload as
	// Fetcher has them; CodeUnprocessable when it is no feed.
	ReadFeed(ctx context.Context, url string) (Feed, error)
}

// Feed is a podcast feed.
type Feed struct {
	Title string
	Items []FeedItem
}

// FeedItem is an episode of a feed. Items without media are not among those of a Feed.
type FeedItem struct {
	GUID          string // the item's own, else its media's URL; never ""
	Title         string
	URL           string // of the media
	PublishedAt   *time.Time
	EpisodeNumber *int
	SeasonNumber  *int
}

// LLM writes texts that are grounded in transcripts. Whatever it returns is untrusted.
type LLM interface {
	// Write carries a request out and returns markdown. Errors that a later try may not meet are Retryable.
	Write(ctx context.Context, req WriteRequest) (string, error)
	// ContextTokens is how many tokens a request and its answer may have together; see EstimateTokens.
	ContextTokens() int
}

// Task says what a WriteRequest is for.
type Task string

const (
	TaskGenerate Task = "generate" // do what the prompt says with one recording
	TaskChat     Task = "chat"     // answer a question; cite the labels of passages as [label], and nothing else; NoSupport
	TaskSpeaker  Task = "speaker"  // describe the person that the prompt names, from what that person says
)

// NoSupport ends an answer of TaskChat that says that nothing in the passages answers the question. It isn't shown.
const NoSupport = "[none]"

// WriteRequest is a text to write. All of its texts are untrusted.
type WriteRequest struct {
	Task     Task
	Type     OutputType           // of TaskGenerate: which built-in, or OutputDynamic
	Prompt   string               // the instruction, the question, or the speaker's name
	Language transcript.Language  // in which to write
	Context  string               // what the media is about, in the user's words; may be ""
	Passages []transcript.Passage // what to write from, in order; never empty
}

// Suggester is an optional ability of an LLM: it finds the parts of a transcript that would make good clips. What it
// suggests is checked against the transcript.
type Suggester interface {
	// Suggest returns at most max suggestions. Errors that a later try may not meet are Retryable.
	Suggest(ctx context.Context, t Transcript, max int) ([]clips.Suggestion, error)
}

// Translator translates texts.
type Translator interface {
	// Translate returns the translation of each text, in the same order. Terms of the form [[T0]] must come back unchanged.
	// Errors that a later try may not meet are Retryable.
	Translate(ctx context.Context, req TranslateRequest) ([]string, error)
}

// TranslateRequest is some texts to translate, which follow one another.
type TranslateRequest struct {
	From, To transcript.Language
	Texts    []string
}

// Sender delivers webhooks.
type Sender interface {
	// Check says whether a URL may be sent to at all, like Fetcher's.
	Check(ctx context.Context, url string) error
	// Send posts the body and returns the answer, whatever its status is. Redirects are not followed. An error says in its
	// sentence why no answer came.
	Send(ctx context.Context, req SendRequest) (SendResponse, error)
}

// DeliveryGate is an optional ability of a Sender: it decides when an attempt of a delivery may begin.
type DeliveryGate interface {
	// Pass returns when the attempt may begin, with what is to be called when it is over. The time that Pass takes is not the attempt's:
	// the job keeps its lease, nothing is signed yet, and no attempt is logged. It returns an error only when ctx is done.
	Pass(ctx context.Context, d Delivery) (done func(), err error)
}

// SendRequest is one try of a delivery. Delivery, Webhook and Event say which one it is; they are not sent.
type SendRequest struct {
	URL     string
	Header  map[string]string
	Body    []byte
	Timeout time.Duration

	Delivery DeliveryID
	Webhook  WebhookID
	Event    EventType
}

// SendResponse is how the receiver answered.
type SendResponse struct {
	Status     int
	Body       []byte              // its first 2 KiB
	RetryAfter time.Duration       // 0 when it asked for none
	Header     map[string][]string // of the answer; nil where the Sender doesn't tell
}
