package memory

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
)

var errOver = errors.New("memory: the transaction is over")

// tables is every table of a store, and the indexes that its lists and its queue are read from. It has no rows: it says where
// they are in a snapshot.
type tables struct {
	places int // trees in a snapshot

	accounts     *table[engine.AccountID, engine.Account]
	users        *table[engine.UserID, engine.User]
	keys         *table[engine.KeyID, engine.Key]
	spaces       *table[engine.SpaceID, engine.Space]
	members      *table[member, member]
	uploads      *table[engine.UploadID, engine.Upload]
	recordings   *table[engine.RecordingID, recordingRow]
	transcripts  *table[engine.TranscriptID, engine.Transcript]
	speakers     *table[engine.SpeakerID, engine.Speaker]
	roles        *table[engine.RoleID, engine.Role]
	assignments  *table[label, engine.Assignment]
	prompts      *table[engine.PromptID, engine.Prompt]
	outputs      *table[engine.OutputID, engine.Output]
	chats        *table[engine.ChatID, engine.Chat]
	suggestions  *table[engine.SuggestionID, engine.Suggestion]
	imports      *table[engine.ImportID, engine.Import]
	translations *table[translated, engine.Translation]
	documents    *table[search.DocumentID, documentRow]
	webhooks     *table[engine.WebhookID, engine.Webhook]
	deliveries   *table[engine.DeliveryID, engine.Delivery]
	renders      *table[engine.RenderID, engine.Render]
	jobs         *table[queue.ID, queue.Job]

	keysByHash         *sorted[[32]byte, engine.Key]
	keysByUser         *sorted[engine.UserID, engine.Key]
	membersByUser      *sorted[engine.UserID, member]
	membersBySpace     *sorted[engine.SpaceID, member]
	recordingsByAge    *sorted[engine.SpaceID, recordingRow] // oldest first
	speakersByAge      *sorted[engine.SpaceID, engine.Speaker]
	rolesByAge         *sorted[engine.SpaceID, engine.Role]
	labels             *sorted[engine.RecordingID, engine.Assignment]
	promptsByAge       *sorted[engine.SpaceID, engine.Prompt]
	outputsByAge       *sorted[engine.RecordingID, engine.Output]
	suggestionsByScore *sorted[engine.RecordingID, engine.Suggestion] // best first
	importsByItem      *sorted[feedItem, engine.Import]               // those of feeds
	documentsByTerm    *terms
	webhooksByAge      *sorted[engine.UserID, engine.Webhook]
	deliveriesByAge    *sorted[engine.WebhookID, engine.Delivery] // oldest first
	deliveriesOver     *sorted[struct{}, engine.Delivery]         // those that are over, the first to end first
	jobsByKey          *sorted[string, queue.Job]                 // those that are not over
	jobsWaiting        *sorted[tenantJobs, queue.Job]             // the next to run first
	jobsRunning        *sorted[tenantJobs, queue.Job]
	jobsLeased         *sorted[struct{}, queue.Job] // all that are running, oldest lease first
}

// schema is the tables of every store: their rows are in its snapshots.
var schema = newTables()

func newTables() *tables {
	places := 0
	n := &places
	t := &tables{
		keysByHash:         newSorted(n, hashName, everything(keyHash), byKeyAge),
		keysByUser:         newSorted(n, same, everything(keyUser), byKeyAge),
		membersByUser:      newSorted(n, same, everything(memberUser), byMemberSpace),
		membersBySpace:     newSorted(n, same, everything(memberSpace), byMemberUser),
		recordingsByAge:    newSorted(n, same, everything(recordingSpace), byRecordingAge),
		speakersByAge:      newSorted(n, same, everything(speakerSpace), bySpeakerAge),
		rolesByAge:         newSorted(n, same, everything(roleSpace), byRoleAge),
		labels:             newSorted(n, same, everything(assignmentRecording), byLabel),
		promptsByAge:       newSorted(n, same, everything(promptSpace), byPromptAge),
		outputsByAge:       newSorted(n, same, everything(outputRecording), byOutputAge),
		suggestionsByScore: newSorted(n, same, everything(suggestionRecording), byScore),
		importsByItem:      newSorted(n, feedItemName, importItem, byImportAge),
		documentsByTerm:    newTerms(n),
		webhooksByAge:      newSorted(n, same, everything(webhookUser), byWebhookAge),
		deliveriesByAge:    newSorted(n, same, everything(deliveryWebhook), byDeliveryAge),
		deliveriesOver:     newSorted(n, single, overDelivery, byDeliveryEnd),
		jobsByKey:          newSorted(n, same, liveJob, byJobID),
		jobsWaiting:        newSorted(n, tenantJobsName, waitingJob, byRunAt),
		jobsRunning:        newSorted(n, tenantJobsName, runningJob, byJobID),
		jobsLeased:         newSorted(n, single, leasedJob, byLease),
	}
	t.accounts = newTable(n, "account", same[engine.AccountID], cloneAccount)
	t.users = newTable(n, "user", same[engine.UserID], cloneUser)
	t.keys = newTable(n, "key", same[engine.KeyID], cloneKey, t.keysByHash, t.keysByUser)
	t.spaces = newTable(n, "space", same[engine.SpaceID], cloneSpace)
	t.members = newTable(n, "member", memberName, func(m member) member { return m }, t.membersByUser, t.membersBySpace)
	t.uploads = newTable(n, "upload", same[engine.UploadID], cloneUpload)
	t.recordings = newTable(n, "recording", same[engine.RecordingID], cloneRecordingRow, t.recordingsByAge)
	t.transcripts = newTable(n, "transcript", same[engine.TranscriptID], cloneTranscript)
	t.speakers = newTable(n, "speaker", same[engine.SpeakerID], cloneSpeaker, t.speakersByAge)
	t.roles = newTable(n, "role", same[engine.RoleID], cloneRole, t.rolesByAge)
	t.assignments = newTable(n, "label", labelName, func(a engine.Assignment) engine.Assignment { return a }, t.labels)
	t.prompts = newTable(n, "prompt", same[engine.PromptID], clonePrompt, t.promptsByAge)
	t.outputs = newTable(n, "output", same[engine.OutputID], cloneOutput, t.outputsByAge)
	t.chats = newTable(n, "chat", same[engine.ChatID], cloneChat)
	t.suggestions = newTable(n, "clip suggestion", same[engine.SuggestionID], cloneSuggestion, t.suggestionsByScore)
	t.imports = newTable(n, "import", same[engine.ImportID], cloneImport, t.importsByItem)
	t.translations = newTable(n, "translation", translatedName, cloneTranslation)
	t.documents = newTable(n, "document", same[search.DocumentID], func(d documentRow) documentRow { return d }, t.documentsByTerm)
	t.webhooks = newTable(n, "webhook", same[engine.WebhookID], cloneWebhook, t.webhooksByAge)
	t.deliveries = newTable(n, "delivery", same[engine.DeliveryID], cloneDelivery, t.deliveriesByAge, t.deliveriesOver)
	t.renders = newTable(n, "render", same[engine.RenderID], cloneRender)
	t.jobs = newTable(n, "job", same[queue.ID], cloneJob, t.jobsByKey, t.jobsWaiting, t.jobsRunning, t.jobsLeased)
	t.places = places
	return t
}

// byAge orders rows oldest first, and rows of one age by id.
func byAge[K ~string](a time.Time, aID K, b time.Time, bID K) int {
	return cmp.Or(a.Compare(b), strings.Compare(string(aID), string(bID)))
}
