package enginetest

import (
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Texts and numbers that expose faults of stores.
const (
	sampleText = "Zoë 🎙️ naïve Ωmega — 日本語 «العربية» e\u0301 \"double\" 'single' `back` 100% _ \\ ; -- \t\nline"
	sampleLong = 106*time.Hour + 7*time.Millisecond
	sampleSum  = 0.1 + 0.2 // needs all 17 digits
)

var sampleHash = [32]byte{0, 1, 2, 0, 0x80, 0xff, '\'', 31: 0}

// row describes one noun of a Store: how to write and read it, and two rows with one id. bare is the emptiest valid row;
// whole has every field set.
type row struct {
	noun        string
	bare, whole any
	put         func(engine.Tx, any) error
	get         func(engine.ReadTx) (any, error)
}

// newRow returns a noun. It fills empty texts, numbers, and flags of whole, so that a new column needs no sample.
func newRow[T any](noun string, bare, whole T, put func(engine.Tx, T) error, get func(engine.ReadTx) (T, error)) row {
	return row{
		noun: noun, bare: bare, whole: filled(whole),
		put: func(tx engine.Tx, v any) error { return put(tx, v.(T)) },
		get: func(tx engine.ReadTx) (any, error) { return get(tx) },
	}
}

// filled returns v with its empty texts, numbers, and flags set.
func filled[T any](v T) T {
	fields := reflect.ValueOf(&v).Elem()
	for i := range fields.NumField() {
		f := fields.Field(i)
		if !f.IsZero() {
			continue
		}
		switch f.Interface().(type) {
		case string:
			f.SetString(sampleText)
		case int, int64:
			f.SetInt(7)
		case bool:
			f.SetBool(true)
		}
	}
	return v
}

// rows returns every noun of a Store.
func rows() []row { return slices.Concat(baseRows(), contentRows(), []row{postingRow()}) }

// baseRows returns the nouns from accounts to jobs.
func baseRows() []row {
	return []row{
		newRow("account", engine.Account{ID: "account"}, engine.Account{
			ID: "account", Name: sampleText, StorageUsed: math.MaxInt64, StorageSoftLimit: math.MaxInt64 - 1, StorageHardLimit: 1<<53 + 1,
			SpeechUsed: sampleLong, SpeechLimit: 300 * time.Hour, Tier: engine.TierCore, PeriodStart: at(-1e6), CreatedAt: at(1),
		}, engine.Tx.PutAccount, func(tx engine.ReadTx) (engine.Account, error) { return tx.Account("account") }),

		newRow("user", engine.User{ID: "user"}, engine.User{ID: "user", AccountID: "account", Name: sampleText, CreatedAt: at(2)},
			engine.Tx.PutUser, func(tx engine.ReadTx) (engine.User, error) { return tx.User("user") }),

		newRow("key", engine.Key{ID: "key", Tier: engine.TierNone, Hash: sampleHash}, engine.Key{
			ID: "key", UserID: "user", DefaultSpaceID: "space", Tier: engine.TierPlatform, Name: sampleText, Hash: sampleHash, Last4: "é%_'", CreatedAt: at(3),
		}, engine.Tx.PutKey, func(tx engine.ReadTx) (engine.Key, error) { return tx.KeyByHash(sampleHash) }),

		newRow("space", engine.Space{ID: "space"}, engine.Space{
			ID: "space", AccountID: "account", Name: sampleText, Language: "uk", AutoGenerate: true, BoostedWords: []string{sampleText, "", "b"},
			Spellings: sampleSpellings(), Inactive: true, LastNumber: math.MaxInt32, CreatedAt: at(4), Owners: []engine.UserID{"user", ""}, Retention: sampleLong,
		}, engine.Tx.PutSpace, func(tx engine.ReadTx) (engine.Space, error) { return tx.Space("space") }),

		newRow("upload", engine.Upload{ID: "upload", Status: engine.UploadReserved}, engine.Upload{
			ID: "upload", UserID: "user", AccountID: "account", SpaceID: "space", Filename: sampleText, ContentType: "audio/x; a=\"b\"",
			Size: engine.MaxUploadSize, Title: sampleText, Status: engine.UploadUsed, StoredSize: math.MaxInt64, BlobKey: "uploads/upload/a",
			SHA256: sampleHash, CreatedAt: at(5), ExpiresAt: at(6),
		}, engine.Tx.PutUpload, func(tx engine.ReadTx) (engine.Upload, error) { return tx.Upload("upload") }),

		newRow("recording", engine.Recording{ID: "recording", TranscriptStatus: engine.TranscriptQueued}, sampleRecording(),
			engine.Tx.PutRecording, func(tx engine.ReadTx) (engine.Recording, error) { return tx.Recording("recording") }),

		newRow("deletion", engine.Deletion{ID: "deletion"}, engine.Deletion{
			ID: "deletion", RecordingID: "recording", SpaceID: "space", AccountID: "account", UploadID: "upload",
			ImportID: "import", BlobKey: "uploads/upload/a", Size: math.MaxInt64, CreatedAt: at(17),
		}, engine.Tx.PutDeletion, func(tx engine.ReadTx) (engine.Deletion, error) { return tx.Deletion("deletion") }),

		newRow("transcript", engine.Transcript{ID: "transcript", Status: engine.TranscriptQueued}, sampleTranscript(),
			engine.Tx.PutTranscript, func(tx engine.ReadTx) (engine.Transcript, error) { return tx.Transcript("transcript") }),

		newRow("speaker", engine.Speaker{ID: "speaker"}, engine.Speaker{
			ID: "speaker", SpaceID: "space", Name: sampleText, Email: "ü@example.org", Bio: sampleText, Pronouns: "they/them", RoleID: "role",
			AISummary: sampleText, Emoji: "👩🏽‍🚀", CreatedAt: at(7),
		}, engine.Tx.PutSpeaker, func(tx engine.ReadTx) (engine.Speaker, error) { return tx.Speaker("speaker") }),

		newRow("role", engine.Role{ID: "role", SpaceID: "space"}, engine.Role{ID: "role", SpaceID: "space", Name: sampleText, CreatedAt: at(8)},
			engine.Tx.PutRole, func(tx engine.ReadTx) (engine.Role, error) { return only(tx.Roles("space")) }),

		newRow("assignment", engine.Assignment{RecordingID: "recording", Label: "Speaker 0"},
			engine.Assignment{RecordingID: "recording", Label: "Speaker 0", SpeakerID: "speaker"},
			engine.Tx.PutAssignment, func(tx engine.ReadTx) (engine.Assignment, error) { return only(tx.Assignments("recording")) }),

		newRow("render", engine.Render{ID: "render", Status: engine.RenderRendering}, engine.Render{
			ID: "render", UserID: "user", RecordingID: "recording", Status: engine.RenderCompleted, Style: engine.StyleBars,
			Look: sampleText, AspectRatio: engine.AspectPortrait, Target: engine.TargetReels, Focus: engine.FocusAt(0.25, 1), Title: sampleText, Window: transcript.Window{Start: time.Millisecond, End: 3 * time.Minute},
			Progress: 0.123456789, Message: sampleText, ErrorCode: engine.CodeNoSpeech, ErrorHint: sampleText, ErrorRule: "sample.rule", BlobKey: "renders/render/1.mp4", Size: math.MaxInt64, CreatedAt: at(14), UpdatedAt: at(15),
		}, engine.Tx.PutRender, func(tx engine.ReadTx) (engine.Render, error) { return tx.Render("render") }),

		newRow("job", queue.Job{ID: "job", Key: "key", Status: queue.Queued}, queue.Job{
			ID: "job", Key: sampleText, Kind: "kind", Class: queue.ClassImport, Ref: sampleText, Tenant: "account", Status: queue.Running,
			Generation: math.MaxInt32, Attempt: 7, RunAt: at(9), LeaseOwner: sampleText, LeaseUntil: at(10), CancelRequested: true,
			LastError: sampleText, CreatedAt: at(11), UpdatedAt: at(12),
		}, engine.Tx.PutJob, func(tx engine.ReadTx) (queue.Job, error) { return tx.Job("job") }),
	}
}

func sampleSpellings() []transcript.Spelling {
	return []transcript.Spelling{{From: []string{sampleText, "b"}, To: sampleText}, {From: []string{"c"}, To: "C"}}
}

func sampleRecording() engine.Recording {
	published, episode, season, rssEpisode := at(13), math.MaxInt32, -1, 7
	return engine.Recording{
		ID: "recording", SpaceID: "space", UploadID: "upload", ImportID: "import", Title: sampleText, Number: math.MaxInt32, Language: "zh", TranscriptID: "transcript", NextTranscriptID: "next",
		TranscriptStatus: engine.TranscriptCompleted, Duration: sampleLong, HasVideo: true, BlobKey: "uploads/upload/a", Size: math.MaxInt64,
		CreatedAt: at(14), PublishedAt: &published, EpisodeNumber: &episode, SeasonNumber: &season,
		RSS:  &engine.RSS{GUID: sampleText, PublishedAt: at(-1e9), EpisodeNumber: &rssEpisode},
		Tags: sampleTags(),
	}
}

func sampleTranscript() engine.Transcript {
	word := transcript.Word{Text: sampleText, Start: time.Millisecond, End: sampleLong, Confidence: sampleSum, Speaker: "Speaker 10", Estimated: true}
	return engine.Transcript{
		ID: "transcript", UserID: "user", RecordingID: "recording", URL: "https://example.org/?a=b&c=%20", Status: engine.TranscriptError,
		Error: sampleText, ErrorCode: engine.CodeNoSpeech, ErrorHint: sampleText, ErrorRule: "sample.rule", DetectLanguage: true, BoostedWords: []string{"a", sampleText}, Spellings: sampleSpellings(),
		SpeakersExpected: engine.MaxSpeakersExpected, ContextPrompt: sampleText,
		Transcript: transcript.Transcript{Language: "ja", Duration: sampleLong, Utterances: []transcript.Utterance{
			{Speaker: "Speaker 10", Text: sampleText, Start: time.Millisecond, End: sampleLong, Confidence: sampleSum, Words: []transcript.Word{word, word}},
			{Speaker: "Speaker 2", Start: sampleLong, End: sampleLong},
		}},
		BlobKey: "transcripts/transcript/media-1", WordsKey: "transcripts/transcript/words-1.json", CreatedAt: at(15), UpdatedAt: at(16),
	}
}

// only returns the single row of a list. An empty list is CodeNotFound.
func only[T any](rows []T, err error) (v T, _ error) {
	switch {
	case err != nil:
		return v, err
	case len(rows) == 0:
		return v, engine.NotFound("", "row")
	case len(rows) > 1:
		return v, engine.Errorf(engine.CodeInternal, "", "got %d rows, want 1: %v", len(rows), rows)
	}
	return rows[0], nil
}

func sampleTags() engine.Tags {
	return engine.Tags{ExternalID: sampleText, Metadata: map[string]string{sampleText: sampleText, "": "", "b": "c"}}
}
