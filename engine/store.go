package engine

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Store keeps every row of the engine and is the queue of its jobs.
type Store interface {
	// View runs fn on one consistent snapshot.
	View(ctx context.Context, fn func(ReadTx) error) error
	// Update runs fn as one serialisable write: everything fn wrote is durable when Update returns nil, and nothing of
	// it is there when fn or Update returns an error. fn may be run again, so it must not act on anything but the Tx.
	// ctx is checked before the transaction starts; once started it runs to its end.
	Update(ctx context.Context, fn func(Tx) error) error
}

// ExclusiveStore is an optional ability of a Store that only one Engine can have open. Its jobs need no leases: Run takes over at once
// what an earlier process left, and nothing looks for changes of others.
type ExclusiveStore interface {
	Exclusive() bool
}

// CountingStore is an optional ability of a Store that can tell how many rows it has, by noun: "recordings", "uploads",
// "transcripts", "jobs" (those that are not over).
type CountingStore interface {
	Counts(ctx context.Context) (map[string]int, error)
}

// ReadTx reads rows of one snapshot. Lists that are "oldest first" go by CreatedAt, then by ID; labels go by their number.
// A row that isn't there is an *Error with CodeNotFound, whatever the store. Values are the caller's own: changing one
// changes nothing in the store.
type ReadTx interface {
	// Accounts and their users.

	Account(AccountID) (Account, error)
	User(UserID) (User, error)

	// API keys.

	// KeyByHash returns the key whose secret has this SHA-256.
	KeyByHash(hash [32]byte) (Key, error)
	// Keys returns a user's keys, oldest first.
	Keys(UserID) ([]Key, error)

	// Spaces and who belongs to them.

	Space(SpaceID) (Space, error)
	// SpacesOf returns every space that the user belongs to, oldest first, inactive ones too.
	SpacesOf(UserID) ([]Space, error)
	// Members returns who belongs to the space, by id.
	Members(SpaceID) ([]UserID, error)

	// Uploads.

	Upload(UploadID) (Upload, error)

	// Recordings.

	Recording(RecordingID) (Recording, error)
	// Recordings returns at most q.Limit recordings of the spaces in q, newest first: by CreatedAt, then by ID, both
	// descending, beginning after q.After. Recordings of inactive spaces are among them.
	Recordings(q RecordingQuery) ([]Recording, error)

	// Transcripts.

	Transcript(TranscriptID) (Transcript, error)

	// Speakers and roles of a space, and the labels of a recording.

	Speaker(SpeakerID) (Speaker, error)
	// Speakers returns a space's speakers, oldest first.
	Speakers(SpaceID) ([]Speaker, error)
	// Roles returns a space's roles, oldest first.
	Roles(SpaceID) ([]Role, error)
	// Assignments returns which labels of a recording are assigned to whom, by label.
	Assignments(RecordingID) ([]Assignment, error)

	// Prompts.

	Prompt(PromptID) (Prompt, error)
	// Prompts returns a space's prompts, oldest first.
	Prompts(SpaceID) ([]Prompt, error)

	// Generated content.

	Output(OutputID) (Output, error)
	// Outputs returns a recording's outputs, oldest first.
	Outputs(RecordingID) ([]Output, error)

	// Chats.

	Chat(ChatID) (Chat, error)

	// Clip suggestions.

	Suggestion(SuggestionID) (Suggestion, error)
	// Suggestions returns a recording's suggestions, the highest Score first, then by ID.
	Suggestions(RecordingID) ([]Suggestion, error)

	// Imports.

	Import(ImportID) (Import, error)
	// ImportsOfItem returns the imports into a space whose FeedItem is item, oldest first. item is not "".
	ImportsOfItem(space SpaceID, item string) ([]Import, error)

	// Translations.

	Translation(TranscriptID, transcript.Language) (Translation, error)

	// The search index. The engine decides what the terms of a text are, and how documents are ranked.

	// Postings returns where a term occurs, by document id.
	Postings(search.PostingQuery) ([]search.Posting, error)

	// Webhooks and their deliveries.

	Webhook(WebhookID) (Webhook, error)
	// Webhooks returns a user's webhooks, oldest first.
	Webhooks(UserID) ([]Webhook, error)
	Delivery(DeliveryID) (Delivery, error)
	// Deliveries returns at most limit deliveries of a webhook, newest first: by CreatedAt, then by ID, both descending.
	Deliveries(id WebhookID, limit int) ([]Delivery, error)

	// Renders.

	Render(RenderID) (Render, error)

	// Jobs.

	queue.Reader
}

// Tx reads and writes rows. A Put stores the whole row: it inserts the id or replaces the row that has it. Whoever gets an
// error of a write returns it from fn, so that nothing is committed.
type Tx interface {
	ReadTx

	// Accounts and their users.

	PutAccount(Account) error
	PutUser(User) error

	// API keys.

	PutKey(Key) error
	DeleteKey(KeyID) error

	// Spaces and who belongs to them.

	PutSpace(Space) error
	// AddMember makes the user belong to the space; adding twice is no error.
	AddMember(SpaceID, UserID) error

	// Uploads.

	PutUpload(Upload) error

	// Recordings.

	PutRecording(Recording) error

	// Transcripts.

	PutTranscript(Transcript) error

	// Speakers and roles of a space, and the labels of a recording.

	PutSpeaker(Speaker) error
	PutRole(Role) error
	// PutAssignment assigns a label, replacing the label's earlier assignment.
	PutAssignment(Assignment) error
	DeleteAssignment(RecordingID, string) error

	// Prompts.

	PutPrompt(Prompt) error

	// Generated content.

	PutOutput(Output) error

	// Chats.

	PutChat(Chat) error

	// Clip suggestions.

	PutSuggestion(Suggestion) error

	// Imports.

	PutImport(Import) error

	// Translations.

	PutTranslation(Translation) error

	// The search index. The engine decides what the terms of a text are, and how documents are ranked.

	// PutDocument indexes a document: parts has, for each term, the numbers of the parts that have it, as Posting has them.
	// It replaces all that was indexed under the document's id; without terms, there is only the document left.
	PutDocument(d search.Document, parts map[string][]int) error

	// Webhooks and their deliveries.

	PutWebhook(Webhook) error
	// DeleteWebhook removes a webhook and its deliveries; removing what isn't there is no error.
	DeleteWebhook(WebhookID) error
	PutDelivery(Delivery) error
	// DeleteDeliveries removes at most limit deliveries whose Status is Over and whose UpdatedAt is before a time, of whatever
	// webhook, those of the oldest UpdatedAt first, and returns how many it removed.
	DeleteDeliveries(before time.Time, limit int) (int, error)

	// Renders.

	PutRender(Render) error

	// Jobs.

	queue.Writer
}
