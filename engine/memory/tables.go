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

var errEnded = errors.New("memory: the transaction has ended")

// tables describes every table and index of a store. It has no rows, only their places in a snapshot.
type tables struct {
	places int // trees in a snapshot

	accounts     *table[engine.AccountID, engine.Account]
	users        *table[engine.UserID, engine.User]
	keys         *table[engine.KeyID, engine.Key]
	spaces       *table[engine.SpaceID, engine.Space]
	members      *table[member, member]
	uploads      *table[engine.UploadID, engine.Upload]
	recordings   *table[engine.RecordingID, recordingRow]
	deletions    *table[engine.DeletionID, engine.Deletion]
	transcripts  *table[engine.TranscriptID, engine.Transcript]
	edits        *table[engine.EditID, engine.Edit]
	speakers     *table[engine.SpeakerID, engine.Speaker]
	roles        *table[engine.RoleID, engine.Role]
	assignments  *table[label, engine.Assignment]
	prompts      *table[engine.PromptID, engine.Prompt]
	outputs      *table[engine.OutputID, engine.Output]
	chats        *table[engine.ChatID, engine.Chat]
	chatLinks    *table[chatLink, chatLink] // derived from chats
	suggestions  *table[engine.SuggestionID, engine.Suggestion]
	imports      *table[engine.ImportID, engine.Import]
	translations *table[translationKey, engine.Translation]
	documents    *table[search.DocumentID, documentRow]
	webhooks     *table[engine.WebhookID, engine.Webhook]
	deliveries   *table[engine.DeliveryID, engine.Delivery]
	renders      *table[engine.RenderID, engine.Render]
	events       *table[int64, engine.Event]
	jobs         *table[queue.ID, queue.Job]

	usersByAge             *sorted[engine.AccountID, engine.User]
	keysByHash             *sorted[[32]byte, engine.Key]
	keysByUser             *sorted[engine.UserID, engine.Key]
	membersByUser          *sorted[engine.UserID, member]
	membersBySpace         *sorted[engine.SpaceID, member]
	recordingsByAge        *sorted[engine.SpaceID, recordingRow] // oldest first
	recordingsByExternalID *sorted[externalID, recordingRow]     // only recordings with one
	deletionsByRecording   *sorted[engine.RecordingID, engine.Deletion]
	importsByExternalID    *sorted[externalID, engine.Import] // only imports with one
	editsByRevision        *sorted[engine.RecordingID, engine.Edit]
	speakersByAge          *sorted[engine.SpaceID, engine.Speaker]
	rolesByAge             *sorted[engine.SpaceID, engine.Role]
	labels                 *sorted[engine.RecordingID, engine.Assignment]
	assignmentsBySpeaker   *sorted[engine.SpeakerID, engine.Assignment]
	promptsByAge           *sorted[engine.SpaceID, engine.Prompt]
	outputsByAge           *sorted[engine.RecordingID, engine.Output]
	suggestionsByScore     *sorted[engine.RecordingID, engine.Suggestion] // best first
	importsByItem          *sorted[feedItem, engine.Import]               // only imports of feed items
	chatsByRecording       *sorted[engine.RecordingID, chatLink]
	transcriptsByID        *sorted[engine.RecordingID, engine.Transcript] // only those of recordings
	translationsByLanguage *sorted[engine.TranscriptID, engine.Translation]
	documentsByTerm        *terms
	documentsByRecording   *sorted[string, documentRow]
	rendersByAge           *sorted[engine.RecordingID, engine.Render]
	webhooksByAge          *sorted[engine.UserID, engine.Webhook]
	deliveriesByAge        *sorted[engine.WebhookID, engine.Delivery] // oldest first
	deliveriesEnded        *sorted[struct{}, engine.Delivery]         // finished deliveries, earliest end first
	jobsByKey              *sorted[string, queue.Job]                 // unfinished jobs
	jobsByRef              *sorted[string, queue.Job]
	jobsWaiting            *sorted[tenantJobs, queue.Job] // earliest RunAt first
	jobsRunning            *sorted[tenantJobs, queue.Job]
	jobsLeased             *sorted[struct{}, queue.Job] // running jobs, earliest lease expiry first
}

// schema is shared by all stores; their rows are in their snapshots.
var schema = newTables()

func newTables() *tables {
	places := 0
	n := &places
	t := &tables{
		usersByAge:             newSorted(n, asName, allRows(userAccount), byUserAge),
		keysByHash:             newSorted(n, hashName, allRows(keyHash), byKeyAge),
		keysByUser:             newSorted(n, asName, allRows(keyUser), byKeyAge),
		membersByUser:          newSorted(n, asName, allRows(memberUser), byMemberSpace),
		membersBySpace:         newSorted(n, asName, allRows(memberSpace), byMemberUser),
		recordingsByAge:        newSorted(n, asName, allRows(recordingSpace), byRecordingAge),
		recordingsByExternalID: newSorted(n, externalIDName, recordingExternalID, byRecordingAge),
		deletionsByRecording:   newSorted(n, asName, allRows(deletionRecording), byDeletionAge),
		importsByExternalID:    newSorted(n, externalIDName, importExternalID, byImportAge),
		editsByRevision:        newSorted(n, asName, allRows(editRecording), byRevision),
		speakersByAge:          newSorted(n, asName, allRows(speakerSpace), bySpeakerAge),
		rolesByAge:             newSorted(n, asName, allRows(roleSpace), byRoleAge),
		labels:                 newSorted(n, asName, allRows(assignmentRecording), byLabel),
		assignmentsBySpeaker:   newSorted(n, asName, allRows(assignmentSpeaker), byRecordingLabel),
		promptsByAge:           newSorted(n, asName, allRows(promptSpace), byPromptAge),
		outputsByAge:           newSorted(n, asName, allRows(outputRecording), byOutputAge),
		suggestionsByScore:     newSorted(n, asName, allRows(suggestionRecording), byScore),
		importsByItem:          newSorted(n, feedItemName, importItem, byImportAge),
		chatsByRecording:       newSorted(n, asName, allRows(chatLinkRecording), byChat),
		transcriptsByID:        newSorted(n, asName, transcriptRecording, byTranscriptID),
		translationsByLanguage: newSorted(n, asName, allRows(translationTranscript), byLanguage),
		documentsByTerm:        newTerms(n),
		documentsByRecording:   newSorted(n, asName, allRows(documentRecording), byDocument),
		rendersByAge:           newSorted(n, asName, allRows(renderRecording), byRenderAge),
		webhooksByAge:          newSorted(n, asName, allRows(webhookUser), byWebhookAge),
		deliveriesByAge:        newSorted(n, asName, allRows(deliveryWebhook), byDeliveryAge),
		deliveriesEnded:        newSorted(n, oneGroup, endedDelivery, byDeliveryEnd),
		jobsByKey:              newSorted(n, asName, liveJob, byJobID),
		jobsByRef:              newSorted(n, asName, allRows(jobRef), byJobID),
		jobsWaiting:            newSorted(n, tenantJobsName, waitingJob, byRunAt),
		jobsRunning:            newSorted(n, tenantJobsName, runningJob, byJobID),
		jobsLeased:             newSorted(n, oneGroup, leasedJob, byLease),
	}
	t.accounts = newTable(n, "account", asName[engine.AccountID], cloneAccount)
	t.users = newTable(n, "user", asName[engine.UserID], cloneUser, t.usersByAge)
	t.keys = newTable(n, "key", asName[engine.KeyID], cloneKey, t.keysByHash, t.keysByUser)
	t.spaces = newTable(n, "space", asName[engine.SpaceID], cloneSpace)
	t.members = newTable(n, "member", memberName, func(m member) member { return m }, t.membersByUser, t.membersBySpace)
	t.uploads = newTable(n, "upload", asName[engine.UploadID], cloneUpload)
	t.recordings = newTable(n, "recording", asName[engine.RecordingID], cloneRecordingRow, t.recordingsByAge, t.recordingsByExternalID)
	t.deletions = newTable(n, "deletion", asName[engine.DeletionID], cloneDeletion, t.deletionsByRecording)
	t.transcripts = newTable(n, "transcript", asName[engine.TranscriptID], cloneTranscript, t.transcriptsByID)
	t.edits = newTable(n, "edit", asName[engine.EditID], cloneEdit, t.editsByRevision)
	t.speakers = newTable(n, "speaker", asName[engine.SpeakerID], cloneSpeaker, t.speakersByAge)
	t.roles = newTable(n, "role", asName[engine.RoleID], cloneRole, t.rolesByAge)
	t.assignments = newTable(n, "label", labelName, func(a engine.Assignment) engine.Assignment { return a }, t.labels, t.assignmentsBySpeaker)
	t.prompts = newTable(n, "prompt", asName[engine.PromptID], clonePrompt, t.promptsByAge)
	t.outputs = newTable(n, "output", asName[engine.OutputID], cloneOutput, t.outputsByAge)
	t.chats = newTable(n, "chat", asName[engine.ChatID], cloneChat)
	t.chatLinks = newTable(n, "chat", chatLinkName, func(l chatLink) chatLink { return l }, t.chatsByRecording)
	t.suggestions = newTable(n, "clip suggestion", asName[engine.SuggestionID], cloneSuggestion, t.suggestionsByScore)
	t.imports = newTable(n, "import", asName[engine.ImportID], cloneImport, t.importsByItem, t.importsByExternalID)
	t.translations = newTable(n, "translation", translationName, cloneTranslation, t.translationsByLanguage)
	t.documents = newTable(n, "document", asName[search.DocumentID], func(d documentRow) documentRow { return d }, t.documentsByTerm, t.documentsByRecording)
	t.webhooks = newTable(n, "webhook", asName[engine.WebhookID], cloneWebhook, t.webhooksByAge)
	t.deliveries = newTable(n, "delivery", asName[engine.DeliveryID], cloneDelivery, t.deliveriesByAge, t.deliveriesEnded)
	t.renders = newTable(n, "render", asName[engine.RenderID], cloneRender, t.rendersByAge)
	t.jobs = newTable(n, "job", asName[queue.ID], cloneJob, t.jobsByKey, t.jobsByRef, t.jobsWaiting, t.jobsRunning, t.jobsLeased)
	t.events = newTable(n, "event", eventName, cloneEvent)
	t.places = places
	return t
}

// byAge compares rows by time, then by id.
func byAge[K ~string](a time.Time, aID K, b time.Time, bID K) int {
	return cmp.Or(a.Compare(b), strings.Compare(string(aID), string(bID)))
}
