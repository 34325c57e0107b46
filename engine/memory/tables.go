package memory

import (
	"cmp"
	"errors"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
)

var errOver = errors.New("memory: the transaction is over")

// tables is every row of a store, and the indexes that its lists and its queue are read from.
type tables struct {
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
	documents    *table[engine.DocumentID, documentRow]
	webhooks     *table[engine.WebhookID, engine.Webhook]
	deliveries   *table[engine.DeliveryID, engine.Delivery]
	renders      *table[engine.RenderID, engine.Render]
	jobs         *table[engine.JobID, engine.Job]

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
	jobsByKey          *sorted[string, engine.Job]                // those that are not over
	jobsWaiting        *sorted[queue, engine.Job]                 // the next to run first
	jobsRunning        *sorted[queue, engine.Job]
	jobsLeased         *sorted[struct{}, engine.Job] // all that are running, oldest lease first
}

func newTables() *tables {
	t := &tables{
		keysByHash:         newSorted(everything(keyHash), byKeyAge),
		keysByUser:         newSorted(everything(keyUser), byKeyAge),
		membersByUser:      newSorted(everything(memberUser), byMemberSpace),
		membersBySpace:     newSorted(everything(memberSpace), byMemberUser),
		recordingsByAge:    newSorted(everything(recordingSpace), byRecordingAge),
		speakersByAge:      newSorted(everything(speakerSpace), bySpeakerAge),
		rolesByAge:         newSorted(everything(roleSpace), byRoleAge),
		labels:             newSorted(everything(assignmentRecording), byLabel),
		promptsByAge:       newSorted(everything(promptSpace), byPromptAge),
		outputsByAge:       newSorted(everything(outputRecording), byOutputAge),
		suggestionsByScore: newSorted(everything(suggestionRecording), byScore),
		importsByItem:      newSorted(importItem, byImportAge),
		documentsByTerm:    &terms{documents: map[string][]*documentRow{}},
		webhooksByAge:      newSorted(everything(webhookUser), byWebhookAge),
		deliveriesByAge:    newSorted(everything(deliveryWebhook), byDeliveryAge),
		deliveriesOver:     newSorted(overDelivery, byDeliveryEnd),
		jobsByKey:          newSorted(liveJob, byJobID),
		jobsWaiting:        newSorted(waitingJob, byRunAt),
		jobsRunning:        newSorted(runningJob, byJobID),
		jobsLeased:         newSorted(leasedJob, byLease),
	}
	t.accounts = newTable[engine.AccountID]("account", cloneAccount)
	t.users = newTable[engine.UserID]("user", cloneUser)
	t.keys = newTable[engine.KeyID]("key", cloneKey, t.keysByHash, t.keysByUser)
	t.spaces = newTable[engine.SpaceID]("space", cloneSpace)
	t.members = newTable[member]("member", func(m member) member { return m }, t.membersByUser, t.membersBySpace)
	t.uploads = newTable[engine.UploadID]("upload", cloneUpload)
	t.recordings = newTable[engine.RecordingID]("recording", cloneRecordingRow, t.recordingsByAge)
	t.transcripts = newTable[engine.TranscriptID]("transcript", cloneTranscript)
	t.speakers = newTable[engine.SpeakerID]("speaker", cloneSpeaker, t.speakersByAge)
	t.roles = newTable[engine.RoleID]("role", cloneRole, t.rolesByAge)
	t.assignments = newTable[label]("label", func(a engine.Assignment) engine.Assignment { return a }, t.labels)
	t.prompts = newTable[engine.PromptID]("prompt", clonePrompt, t.promptsByAge)
	t.outputs = newTable[engine.OutputID]("output", cloneOutput, t.outputsByAge)
	t.chats = newTable[engine.ChatID]("chat", cloneChat)
	t.suggestions = newTable[engine.SuggestionID]("clip suggestion", cloneSuggestion, t.suggestionsByScore)
	t.imports = newTable[engine.ImportID]("import", cloneImport, t.importsByItem)
	t.translations = newTable[translated]("translation", cloneTranslation)
	t.documents = newTable[engine.DocumentID]("document", cloneDocument, t.documentsByTerm)
	t.webhooks = newTable[engine.WebhookID]("webhook", cloneWebhook, t.webhooksByAge)
	t.deliveries = newTable[engine.DeliveryID]("delivery", cloneDelivery, t.deliveriesByAge, t.deliveriesOver)
	t.renders = newTable[engine.RenderID]("render", cloneRender)
	t.jobs = newTable[engine.JobID]("job", cloneJob, t.jobsByKey, t.jobsWaiting, t.jobsRunning, t.jobsLeased)
	return t
}

// byAge orders rows oldest first, and rows of one age by id.
func byAge[K ~string](a time.Time, aID K, b time.Time, bID K) int {
	return cmp.Or(a.Compare(b), strings.Compare(string(aID), string(bID)))
}
