package engine

import (
	"context"
	"time"

	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Store stores every row of the engine and is the queue of its jobs.
type Store interface {
	// View calls fn with one consistent snapshot.
	View(ctx context.Context, fn func(ReadTx) error) error
	// Update calls fn in one serialisable write transaction. When Update returns nil, everything that fn wrote is durable. When fn or
	// Update returns an error, nothing is written. fn may be called more than once, so it must change only the Tx. ctx is checked before
	// the transaction starts; a started transaction runs to its end. fn must not wait until another Update returns: a Store may commit
	// several together.
	Update(ctx context.Context, fn func(Tx) error) error
}

// ExclusiveStore is an optional ability of a Store that only one Engine can open. Its jobs need no leases: Run immediately takes over the
// jobs of an earlier process, and nothing polls for changes of other processes.
type ExclusiveStore interface {
	Exclusive() bool
}

// CountingStore is an optional ability of a Store that counts its rows by noun: "recordings", "uploads", "transcripts", "jobs"
// (unfinished ones).
type CountingStore interface {
	Counts(ctx context.Context) (map[string]int, error)
}

// StatusCountingStore is an optional ability of a Store that counts its rows by noun and status: "recordings", "uploads", "imports",
// "transcripts", "outputs", "renders", "chats", "webhooks", "deliveries", and "jobs" in any status. Rows without a status count under "".
// It may read every row: it is meant for operators.
type StatusCountingStore interface {
	CountsByStatus(ctx context.Context) (map[string]map[string]int, error)
}

// ClockStore is an optional ability of a Store that several processes share: a clock on which all of them agree.
type ClockStore interface {
	Clock() Clock
}

// JoiningStore is an optional ability of a Store that reads what most requests need in one step, where a View costs more.
type JoiningStore interface {
	// KeyOwner returns the key whose secret has this SHA-256, its user, and the user's account. CodeNotFound if one of them is missing.
	KeyOwner(ctx context.Context, hash [32]byte) (Key, User, Account, error)
	// MemberRecording returns a recording and its space. CodeNotFound if there is none, or if the user doesn't belong to the space.
	MemberRecording(ctx context.Context, id RecordingID, user UserID) (Recording, Space, error)
}

// AbilityOf returns the ability T of a transaction, if it or the store's own transaction inside it has it.
func AbilityOf[T any](tx ReadTx) (T, bool) {
	for {
		if able, ok := tx.(T); ok {
			return able, true
		}
		inner, ok := tx.(interface{ Unwrap() Tx })
		if !ok {
			return *new(T), false
		}
		tx = inner.Unwrap()
	}
}

// NotifyingStore is an optional ability of a Store that several processes share: it calls fn soon after changes that other processes commit.
// A call may be missing; fn must return at once.
type NotifyingStore interface {
	OnChange(fn func())
}

// ReadTx reads rows of one snapshot. "Oldest first" means by CreatedAt, then by ID; labels are sorted by their number. A missing row is
// an *Error with CodeNotFound in every store. Returned values belong to the caller: changing one doesn't change the store.
type ReadTx interface {
	// Accounts and their users.

	Account(AccountID) (Account, error)
	// Accounts returns at most limit accounts by id, after one; "" starts with the first.
	Accounts(after AccountID, limit int) ([]Account, error)
	User(UserID) (User, error)
	// Users returns the users of an account, oldest first.
	Users(AccountID) ([]User, error)

	// API keys.

	// KeyByHash returns the key whose secret has this SHA-256.
	KeyByHash(hash [32]byte) (Key, error)
	// Keys returns a user's keys, oldest first.
	Keys(UserID) ([]Key, error)

	// Spaces and their members.

	Space(SpaceID) (Space, error)
	// SpacesOf returns every space that the user belongs to, oldest first, including inactive ones.
	SpacesOf(UserID) ([]Space, error)
	// Members returns the users of the space, by id.
	Members(SpaceID) ([]UserID, error)

	// Uploads.

	Upload(UploadID) (Upload, error)

	// Recordings.

	Recording(RecordingID) (Recording, error)
	// Recordings returns at most q.Limit recordings of the spaces in q, newest first: by CreatedAt, then by ID, both descending, after
	// q.After. Recordings of inactive spaces are included.
	Recordings(q RecordingQuery) ([]Recording, error)
	// AllRecordings returns at most q.Limit recordings of all spaces whose TranscriptStatus is among q.Statuses, in the order of Recordings. It is
	// meant for operators: a store for one process may read every recording.
	AllRecordings(q StatusQuery[TranscriptStatus]) ([]Recording, error)
	// RecordingByExternalID returns the recording of a space with an external id. id is not "".
	RecordingByExternalID(space SpaceID, id string) (Recording, error)
	// RecordingsBefore returns at most limit recordings of a space with CreatedAt before a time, oldest first.
	RecordingsBefore(space SpaceID, before time.Time, limit int) ([]Recording, error)
	Deletion(DeletionID) (Deletion, error)
	// DeletionOf returns the deletion of a recording.
	DeletionOf(RecordingID) (Deletion, error)

	// Transcripts.

	Transcript(TranscriptID) (Transcript, error)
	// Edits returns the edits of a recording's transcript, by Revision.
	Edits(RecordingID) ([]Edit, error)
	// TranscriptsOf returns the ids of a recording's transcripts, sorted.
	TranscriptsOf(RecordingID) ([]TranscriptID, error)

	// Speakers and roles of a space, and the labels of a recording.

	Speaker(SpeakerID) (Speaker, error)
	// Speakers returns a space's speakers, oldest first.
	Speakers(SpaceID) ([]Speaker, error)
	// Roles returns a space's roles, oldest first.
	Roles(SpaceID) ([]Role, error)
	// Assignments returns the assigned labels of a recording, by label.
	Assignments(RecordingID) ([]Assignment, error)
	// AssignmentsOf returns the labels that are assigned to a speaker, by recording, then by label.
	AssignmentsOf(SpeakerID) ([]Assignment, error)

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
	// Chats returns the chats that use a recording, oldest first.
	Chats(RecordingID) ([]Chat, error)

	// Clip suggestions.

	Suggestion(SuggestionID) (Suggestion, error)
	// Suggestions returns a recording's suggestions, the highest Score first, then by ID.
	Suggestions(RecordingID) ([]Suggestion, error)

	// Imports.

	Import(ImportID) (Import, error)
	// ImportsOfItem returns the imports into a space whose FeedItem is item, oldest first. item is not "".
	ImportsOfItem(space SpaceID, item string) ([]Import, error)
	// ImportsOfExternalID returns the imports into a space with an external id, oldest first. id is not "".
	ImportsOfExternalID(space SpaceID, id string) ([]Import, error)

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
	// AllDeliveries returns at most q.Limit deliveries of all webhooks whose Status is among q.Statuses, in the same order. It is meant
	// for operators: a store for one process may read every delivery.
	AllDeliveries(q StatusQuery[DeliveryStatus]) ([]Delivery, error)

	// Renders.

	Render(RenderID) (Render, error)
	// Renders returns a recording's renders, oldest first.
	Renders(RecordingID) ([]Render, error)

	// The log of events.

	// Events returns at most limit events whose Number is greater than after, by Number.
	Events(after int64, limit int) ([]Event, error)
	// EventRange returns the lowest and the highest Number of the log, or 0 and 0 if it never had an event.
	EventRange() (first, last int64, err error)

	// Jobs.

	queue.Reader
	// JobsOf returns the jobs in any status whose Ref is ref, or begins with ref and "/", by id.
	JobsOf(ref string) ([]queue.Job, error)
	// Jobs returns at most q.Limit jobs in any status, newest first: by CreatedAt, then by ID, both descending, after q.After. It is meant for
	// operators: a store for one process may read every job.
	Jobs(q JobQuery) ([]queue.Job, error)
}

// Tx reads and writes rows. A Put stores the whole row: it inserts the id or replaces its row. fn must return every error of a write, so
// that nothing is committed.
type Tx interface {
	ReadTx

	// Accounts and their users.

	PutAccount(Account) error
	PutUser(User) error
	// DeleteUser removes a user. Removing a missing one is not an error.
	DeleteUser(UserID) error

	// API keys.

	PutKey(Key) error
	DeleteKey(KeyID) error

	// Spaces and their members.

	PutSpace(Space) error
	// AddMember adds the user to the space. Adding twice is not an error.
	AddMember(SpaceID, UserID) error
	// RemoveMember removes the user from the space. Removing a user who doesn't belong to it is not an error.
	RemoveMember(SpaceID, UserID) error

	// Uploads.

	PutUpload(Upload) error
	// DeleteUpload removes an upload. Removing a missing one is not an error.
	DeleteUpload(UploadID) error

	// Recordings.

	PutRecording(Recording) error
	// DeleteRecording removes the row of a recording, and its documents from the results of Postings. The rows about it stay for
	// DeleteRecordingRows. Removing a missing one is not an error.
	DeleteRecording(RecordingID) error
	// DeleteRecordingRows removes at most limit rows about a recording, and returns how many it removed: its transcripts with
	// translations, its renders, outputs, suggestions, and assignments, the chats that use it, and its documents.
	DeleteRecordingRows(id RecordingID, limit int) (int, error)
	PutDeletion(Deletion) error
	// DeleteDeletion removes a deletion. Removing a missing one is not an error.
	DeleteDeletion(DeletionID) error

	// Transcripts.

	PutTranscript(Transcript) error
	// DeleteTranscript removes a transcript. Removing a missing one is not an error.
	DeleteTranscript(TranscriptID) error
	PutEdit(Edit) error
	// DeleteEdits removes the edits of a recording.
	DeleteEdits(RecordingID) error

	// Speakers and roles of a space, and the labels of a recording.

	PutSpeaker(Speaker) error
	// DeleteSpeaker removes a speaker and its assignments. Removing a missing one is not an error.
	DeleteSpeaker(SpeakerID) error
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
	// DeleteSuggestions removes the suggestions of a recording.
	DeleteSuggestions(RecordingID) error

	// Imports.

	PutImport(Import) error
	// DeleteImport removes an import. Removing a missing one is not an error.
	DeleteImport(ImportID) error

	// Translations.

	PutTranslation(Translation) error
	// DeleteTranslations removes the translations of a transcript, into any language.
	DeleteTranslations(TranscriptID) error

	// The search index. The engine decides what the terms of a text are, and how documents are ranked.

	// PutDocument indexes a document. parts has, for each term, the numbers of the parts that contain it, as in Posting. It replaces
	// everything indexed under the document's id; without terms, only the document is stored.
	PutDocument(d search.Document, parts map[string][]int) error
	// PatchDocument is PutDocument for some terms: it replaces the document, and the parts of these terms. A term without parts is
	// removed; other terms stay.
	PatchDocument(d search.Document, parts map[string][]int) error

	// Webhooks and their deliveries.

	PutWebhook(Webhook) error
	// DeleteWebhook removes a webhook and its deliveries. Removing a missing one is not an error.
	DeleteWebhook(WebhookID) error
	PutDelivery(Delivery) error
	// DeleteDeliveries removes at most limit deliveries, of any webhook, whose Status is Over and whose UpdatedAt is before a time,
	// oldest UpdatedAt first. It returns how many it removed.
	DeleteDeliveries(before time.Time, limit int) (int, error)

	// Renders.

	PutRender(Render) error

	// The log of events.

	// AppendEvent stores an event under the next Number, which it returns: the highest plus one. It ignores the event's own.
	AppendEvent(Event) (int64, error)
	// DeleteEvents removes at most limit events from the beginning of the log: those before the last keep ones, and all before the first
	// one whose At is not before a time. It never removes the last event. It returns how many it removed.
	DeleteEvents(before time.Time, keep, limit int) (int, error)

	// Jobs.

	queue.Writer
	// DeleteJob removes a job. Removing a missing one is not an error.
	DeleteJob(queue.ID) error
}
