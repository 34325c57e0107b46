package enginetest

import (
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/clips"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/signature"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// contentRows returns the nouns of generated content, imports, and webhooks.
func contentRows() []row {
	return []row{
		newRow("edit", engine.Edit{ID: "edit", RecordingID: "recording"}, engine.Edit{
			ID: "edit", RecordingID: "recording", UserID: "user", Revision: 3, CreatedAt: at(16), Operations: []engine.EditOperation{
				{
					Kind: engine.EditSetText, Utterance: 7, Text: sampleText, Window: transcript.Window{Start: time.Millisecond, End: sampleLong},
					Changes: []transcript.Change{{Start: time.Millisecond, End: sampleLong, Old: sampleText, New: sampleText}, {}}, Dropped: true,
				},
				{Kind: engine.EditSplit, Word: 9, Speaker: sampleText},
			},
		}, engine.Tx.PutEdit, func(tx engine.ReadTx) (engine.Edit, error) { return only(tx.Edits("recording")) }),

		newRow("prompt", engine.Prompt{ID: "prompt"}, engine.Prompt{
			ID: "prompt", SpaceID: "space", Name: sampleText, Type: engine.OutputKeyTopics, Description: sampleText, Text: sampleText,
			Disabled: true, CreatedAt: at(17),
		}, engine.Tx.PutPrompt, func(tx engine.ReadTx) (engine.Prompt, error) { return tx.Prompt("prompt") }),

		newRow("output", engine.Output{ID: "output", Status: engine.OutputQueued}, engine.Output{
			ID: "output", RecordingID: "recording", SpaceID: "space", UserID: "user", PromptID: "prompt", Type: engine.OutputDynamic,
			Name: sampleText, Prompt: sampleText, Status: engine.OutputCanceled, Text: sampleText, Error: sampleText, ErrorCode: engine.CodeNoSpeech,
			ErrorHint: sampleText, ErrorRule: "sample.rule", CreatedAt: at(18), UpdatedAt: at(19),
		}, engine.Tx.PutOutput, func(tx engine.ReadTx) (engine.Output, error) { return tx.Output("output") }),

		newRow("chat", engine.Chat{ID: "chat", Status: engine.ChatQueued}, engine.Chat{
			ID: "chat", UserID: "user", Message: sampleText, RecordingIDs: []engine.RecordingID{"recording", "another", ""},
			Status: engine.ChatCompleted, Answer: sampleText, CreatedAt: at(20), UpdatedAt: at(21),
		}, engine.Tx.PutChat, func(tx engine.ReadTx) (engine.Chat, error) { return tx.Chat("chat") }),

		newRow("suggestion", engine.Suggestion{ID: "suggestion"}, engine.Suggestion{
			ID: "suggestion", RecordingID: "recording", CreatedAt: at(22), Suggestion: clips.Suggestion{
				Kind: clips.KindCarousel, Title: sampleText, Excerpt: sampleText, Score: 100, Window: transcript.Window{Start: time.Millisecond, End: sampleLong},
			},
		}, engine.Tx.PutSuggestion, func(tx engine.ReadTx) (engine.Suggestion, error) { return tx.Suggestion("suggestion") }),

		newRow("import", engine.Import{ID: "import", Status: engine.ImportQueued}, sampleImport(),
			engine.Tx.PutImport, func(tx engine.ReadTx) (engine.Import, error) { return tx.Import("import") }),

		newRow("translation", engine.Translation{TranscriptID: "transcript", Language: "no"}, engine.Translation{
			TranscriptID: "transcript", Language: "no", Glossary: sampleText, Utterances: sampleTranscript().Utterances, CreatedAt: at(23),
		}, engine.Tx.PutTranslation, func(tx engine.ReadTx) (engine.Translation, error) { return tx.Translation("transcript", "no") }),

		newRow("webhook", engine.Webhook{ID: "webhook"}, sampleWebhook(),
			engine.Tx.PutWebhook, func(tx engine.ReadTx) (engine.Webhook, error) { return tx.Webhook("webhook") }),

		newRow("delivery", engine.Delivery{ID: "delivery", Status: engine.DeliveryPending}, sampleDelivery(),
			engine.Tx.PutDelivery, func(tx engine.ReadTx) (engine.Delivery, error) { return tx.Delivery("delivery") }),
	}
}

func sampleImport() engine.Import {
	published, episode, season, rssEpisode := at(-2e9), -1, math.MaxInt32, 0
	return engine.Import{
		ID: "import", UserID: "user", AccountID: "account", SpaceID: "space", URL: "https://example.org/?a=b&c=%20", Title: sampleText,
		Status: engine.ImportError, Progress: sampleSum, Error: sampleText, ErrorCode: engine.CodeDownload, ErrorHint: sampleText, ErrorRule: "sample.rule",
		RecordingID: "recording", Size: math.MaxInt64, FeedItem: sampleText,
		RSS:           &engine.RSS{GUID: sampleText, PublishedAt: at(-1e9), EpisodeNumber: &rssEpisode},
		EpisodeNumber: &episode, SeasonNumber: &season, PublishedAt: &published, Language: "uk", Tags: sampleTags(), CreatedAt: at(24), UpdatedAt: at(25),
	}
}

func sampleWebhook() engine.Webhook {
	expires := at(26)
	return engine.Webhook{
		ID: "webhook", UserID: "user", AccountID: "account", SpaceID: "space", URL: "https://example.org/?a=b&c=%20",
		Events: []engine.EventType{engine.EventOutputCompleted, ""}, Description: sampleText, Disabled: true,
		Secrets:   signature.Secrets{{Value: "whsec_+/=="}, {Value: sampleText, ExpiresAt: &expires}},
		CreatedAt: at(27), UpdatedAt: at(28),
	}
}

func sampleDelivery() engine.Delivery {
	return engine.Delivery{
		ID: "delivery", WebhookID: "webhook", EventID: sampleText, Event: engine.EventTranscriptCompleted, Body: []byte("\x00\xff{}\xc3"),
		Status: engine.DeliveryRetrying,
		Attempts: []engine.Attempt{
			// A receiver's response may be cut anywhere and need not be text.
			{At: at(29), Duration: 7 * time.Nanosecond, Request: map[string]string{"webhook-id": sampleText, "": ""}, Status: 599, Response: "\x00\xff\xe2\x82"},
			{At: at(30), Duration: sampleLong, Request: map[string]string{}, Error: sampleText},
			{},
		},
		CreatedAt: at(31), UpdatedAt: at(32),
	}
}

// postingRow returns the noun of a document, read by its one term.
func postingRow() row {
	return newRow("posting", search.Posting{Document: search.Document{ID: "document", Kind: search.DocumentTranscript}, Parts: []int{0}},
		search.Posting{Document: search.Document{
			ID: "document", Kind: search.DocumentContent, SpaceID: "space", RecordingID: "recording", OutputID: "output", Length: math.MaxInt32,
		}, Parts: []int{0, 0, 1, 127, 128, 16_384, math.MaxInt32}},
		func(tx engine.Tx, p search.Posting) error {
			return tx.PutDocument(p.Document, map[string][]int{sampleText: p.Parts})
		},
		func(tx engine.ReadTx) (search.Posting, error) { return only(samplePostings(tx)) })
}

// samplePostings returns the postings of the sample's term for each kind that the sample can have.
func samplePostings(tx engine.ReadTx) (found []search.Posting, _ error) {
	for _, kind := range []search.DocumentKind{search.DocumentTranscript, search.DocumentContent} {
		some, err := tx.Postings(search.PostingQuery{Spaces: []string{"space", ""}, Kind: kind, Term: sampleText})
		if err != nil {
			return nil, err
		}
		found = append(found, some...)
	}
	return found, nil
}
