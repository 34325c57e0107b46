package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// reasonHeader is the rule that refused a request: on every 4xx and 501.
const reasonHeader = "X-Soundstage-Reason"

// reason says which statements of the specification a refusal follows from. The first one that fits an error is its reason; what none
// fits is explained by the contract.
type reason struct {
	ops        string      // ids of the operations, with spaces between; "" for all
	code       engine.Code // of the error
	says       string      // a part of the error's sentence; "" for all
	statements string      // ids of the statements, with spaces between (conformance/statements.yaml)
}

// reasons are those of all operations first, then those of each in the order of the specification.
var reasons = []reason{
	{"", engine.CodeUnauthenticated, "is required", "auth.header auth.missing-401"},
	{"", engine.CodeUnauthenticated, "", "auth.invalid-refused auth.invalid-401"},
	{"", engine.CodeNoPlan, "", "auth.no-plan"},
	{"", engine.CodeRateLimited, "", "errors.rate-limit"},
	{"", engine.CodeInvalid, "JSON object", "errors.no-object"},
	{"", engine.CodeInvalid, "The request body", "errors.bad-json"},
	{"getRecordingTranscript", engine.CodeTier, "requires the automation", "recordings.transcript.language.tier"},
	{"createSpeaker", engine.CodeTier, "", "tiers.speakers.create"},
	{"updateSpeaker", engine.CodeTier, "", "tiers.speakers.update"},
	{"assignSpeaker", engine.CodeTier, "", "tiers.labels.assign"},
	{"unassignSpeaker", engine.CodeTier, "", "tiers.labels.unassign"},
	{"createPrompt", engine.CodeTier, "", "tiers.prompts.create"},
	{"generateOutput", engine.CodeTier, "", "tiers.generate"},
	{"createRender", engine.CodeTier, "", "tiers.renders"},
	{"getRender", engine.CodeTier, "", "tiers.platform.renders"},
	{"getOutput", engine.CodeTier, "", "tiers.automation.outputs"},
	{"createChat getChat", engine.CodeTier, "", "tiers.automation.chat"},
	{"listClipSuggestions", engine.CodeTier, "", "tiers.platform.suggestions"},
	{"getUsage", engine.CodeTier, "", "tiers.platform.usage"},
	{webhookOperations, engine.CodeTier, "", "tiers.automation.webhooks"},
	{"", engine.CodeTier, "", "tiers.gate"},

	{"createTranscript", engine.CodeInvalid, "url can't be blank", "transcripts.create.url-required transcripts.create.blank"},
	{"createTranscript", engine.CodeInvalid, "url must be", "transcripts.create.invalid-400 transcripts.create.not-a-url"},
	{"createTranscript", engine.CodeInvalid, "language_code", "transcripts.create.language-code transcripts.create.invalid-400"},
	{"createTranscript", engine.CodeInvalid, "", "transcripts.create.invalid-400"},
	{"getTranscript", engine.CodeNotFound, "", "transcripts.get.unknown"},

	{"", engine.CodeInvalid, "must be a string", "errors.wrong-type"},
	{"", engine.CodeInvalid, "must be a list of strings", "errors.wrong-type"},
	{"", engine.CodeInvalid, "must be a whole number", "errors.wrong-type"},
	{"updateWebhook", engine.CodeInvalid, "must be true or false", "errors.wrong-type"},

	{"listRecordings", engine.CodeInvalid, "limit", "recordings.list.limit.zero recordings.list.limit.no-number"},
	{"listRecordings", engine.CodeInvalid, "cursor", "recordings.list.cursor.unrecognizable"},
	{"listRecordings", engine.CodeNotFound, "", "recordings.list.space_id.unknown"},
	{"createRecording", engine.CodeInvalid, "object_id is required", "recordings.create.object-required recordings.create.missing-400"},
	{"createRecording", engine.CodeInvalid, "language", "languages.supported"},
	{"createRecording", engine.CodeNotFound, "upload", "recordings.create.unknown-object"},
	{"createRecording", engine.CodeConflict, "already made", "recordings.create.twice"},
	{"createRecording", engine.CodeUnprocessable, "never arrived", "recordings.create.never-arrived"},
	{"createRecording", engine.CodeUnprocessable, "declared", "recordings.create.wrong-size"},
	{"getRecording", engine.CodeNotFound, "", "recordings.get.unknown"},
	{"getRecordingTranscript", engine.CodeNotReady, "", "recordings.transcript.needs-completed"},
	{"getRecordingTranscript", engine.CodeInvalid, "format", "recordings.transcript.format.unknown"},
	{"getRecordingTranscript", engine.CodeInvalid, "language", "recordings.transcript.language.unknown"},
	{"getRecordingTranscript", engine.CodeNotFound, "", "recordings.transcript.unknown"},
	{"listRecordingOutputs", engine.CodeNotFound, "", "recordings.outputs.unknown"},

	{"createUpload", engine.CodeInvalid, "filename is required", "uploads.create.filename-required uploads.create.missing-400"},
	{"createUpload", engine.CodeInvalid, "content_type is required", "uploads.create.content_type-required uploads.create.missing-400"},
	{"createUpload", engine.CodeInvalid, "content_size", "uploads.create.content_size-required uploads.create.size-of-nothing"},
	{"createUpload", engine.CodeStorageLimit, "", "uploads.storage-limit"},
	{"createUpload", engine.CodeTooLarge, "10 GB", "uploads.size-limit uploads.size-limit.status-413"},
	{"createUpload", engine.CodeNotFound, "", "uploads.create.unknown-space"},
	{"putObject", engine.CodeForbidden, "Content-Type", "uploads.put.content-type uploads.put.wrong-type-403"},
	{"putObject", engine.CodeForbidden, "expired", "limits.upload-url"},
	{"putObject", engine.CodeForbidden, "", "uploads.put.wrong-signature-403"},
	{"putObject", engine.CodeTooLarge, "", "uploads.put.too-many-413"},
	{"putObject", engine.CodeConflict, "", "uploads.put.replaces"},
	{"putObject", engine.CodeCanceled, "", "uploads.put.broken-off"},

	{"createImport", engine.CodeInvalid, "url is required", "imports.create.url-required imports.create.bad-url"},
	{"createImport", engine.CodeInvalid, "url", "imports.create.bad-url"},
	{"createImport", engine.CodeNotPublic, "", "imports.create.not-public imports.create.not-public-400"},
	{"createImport", engine.CodeStorageLimit, "", "imports.create.storage-limit"},
	{"getImport", engine.CodeNotFound, "", "imports.get.unknown"},

	{"listSpeakers createSpeaker", engine.CodeNotFound, "", "speakers.list.unknown-space isolation.spaces"},
	{"createSpeaker", engine.CodeInvalid, "name is required", "speakers.create.name-required"},
	{"createSpeaker", engine.CodeInvalid, "role is not", "speakers.create.role speakers.create.unknown-role"},
	{"updateSpeaker", engine.CodeInvalid, "speaker_role_id", "speakers.update.foreign-role speakers.update.foreign-role-400"},
	{"updateSpeaker", engine.CodeNotFound, "", "speakers.update.unknown"},
	{"listRecordingSpeakers", engine.CodeNotFound, "", "labels.list.unknown"},
	{"assignSpeaker unassignSpeaker", engine.CodeInvalid, "label is required", "labels.assign.label-required"},
	{"assignSpeaker unassignSpeaker", engine.CodeInvalid, "speaker_id is required", "labels.assign.speaker-required"},
	{"assignSpeaker unassignSpeaker", engine.CodeInvalid, "label is not", "labels.assign.label-of-transcript labels.assign.unknown-label-400"},
	{"assignSpeaker unassignSpeaker", engine.CodeNotFound, "No speaker", "labels.assign.speaker-of-space labels.assign.foreign-speaker-404"},
	{"unassignSpeaker", engine.CodeNotFound, "not assigned", "labels.unassign.not-assigned-404"},

	{"listPrompts", engine.CodeNotFound, "", "prompts.list.unknown-space"},
	{"createPrompt", engine.CodeInvalid, "name is required", "prompts.create.name-required prompts.create.missing-400"},
	{"createPrompt", engine.CodeInvalid, "prompt is required", "prompts.create.prompt-required prompts.create.missing-400"},

	{"generateOutput", engine.CodeInvalid, "Exactly one", "generate.exactly-one generate.exactly-one-400"},
	{"generateOutput", engine.CodeInvalid, "Built-in", "service.only-custom-prompts generate.builtin-400"},
	{"generateOutput", engine.CodeNotReady, "", "generate.needs-completed generate.not-ready-400"},
	{"generateOutput", engine.CodeNotFound, "prompt", "generate.unknown-prompt"},
	{"generateOutput", engine.CodeNotFound, "", "generate.unknown-recording"},
	{"getOutput", engine.CodeNotFound, "", "outputs.get.unknown"},

	{"createChat", engine.CodeInvalid, "message is required", "chat.create.message-required chat.create.missing-400"},
	{"createChat", engine.CodeInvalid, "recording_ids is required", "chat.create.recordings-required chat.create.at-least-one"},
	{"createChat", engine.CodeInvalid, "capped", "chat.create.at-most-ten chat.create.capped-sentence"},
	{"createChat", engine.CodeNotFound, "", "chat.create.unknown-recording"},
	{"createChat", engine.CodeNotReady, "", "chat.create.not-completed"},
	{"getChat", engine.CodeNotFound, "", "chat.get.unknown"},

	{"createRender", engine.CodeInvalid, "recording_id is required", "renders.create.recording-required"},
	{"createRender", engine.CodeInvalid, "start_ms and end_ms are required", "renders.create.window-required"},
	{"createRender", engine.CodeInvalid, "either suggestion_id", "renders.create.suggestion"},
	{"createRender", engine.CodeInvalid, "3 minutes", "renders.create.at-most-3-minutes renders.create.too-long-400"},
	{"createRender", engine.CodeInvalid, "end_ms must be after", "renders.create.backwards"},
	{"createRender", engine.CodeInvalid, "aspect_ratio", "renders.create.aspect-ratios renders.create.unknown-ratio"},
	{"createRender", engine.CodeInvalid, "outside", "renders.create.outside"},
	{"createRender", engine.CodeInvalid, "can't be rendered", "suggestions.carousel.no-render"},
	{"createRender", engine.CodeNoSpeech, "", "renders.create.no-speech renders.create.no-speech-400"},
	{"createRender", engine.CodeNotReady, "", "renders.create.needs-completed"},
	{"createRender", engine.CodeNotFound, "suggestion", "renders.create.unknown-suggestion"},
	{"createRender", engine.CodeNotFound, "", "renders.create.unknown-recording"},
	{"getRender", engine.CodeNotFound, "", "renders.get.unknown"},

	{"listClipSuggestions", engine.CodeNotReady, "", "suggestions.not-completed"},
	{"listClipSuggestions", engine.CodeNotFound, "", "suggestions.unknown"},
	{"search", engine.CodeInvalid, "query is required", "search.query-required"},
	{"search", engine.CodeInvalid, "category", "search.category search.category.unknown"},
	{"search", engine.CodeInvalid, "limit", "search.limit.zero"},

	{"createWebhook", engine.CodeInvalid, "url", "webhooks.create.url-required"},
	{"createWebhook", engine.CodeInvalid, "at least one event", "webhooks.create.events-required"},
	{"createWebhook updateWebhook", engine.CodeInvalid, "events must be among", "webhooks.create.known-events"},
	{webhookOperations, engine.CodeNotFound, "No webhook", "webhooks.get.unknown"},
}

const webhookOperations = "createWebhook deleteWebhook getWebhook listWebhookDeliveries listWebhooks replayWebhookDelivery " +
	"rotateWebhookSecret testWebhook updateWebhook"

// reasonOf is the rule that an error of a request follows from, as one line of ASCII: the statements of the specification, or what the
// contract says about the status together with the error's own sentence.
func reasonOf(req *http.Request, err error) string {
	code, says := engine.CodeOf(err), engine.Message(err)
	var fields engine.FieldErrors
	if errors.As(err, &fields) {
		says = fields.Error()
	}
	op := findOperation(req.Method, req.URL.EscapedPath())
	for _, r := range reasons {
		if r.code == code && strings.Contains(says, r.says) && (r.ops == "" || op != nil && hasWord(r.ops, op.ID)) {
			return stated(r.statements)
		}
	}
	return contractReason(op, StatusOf(code)) + ": " + asciiLine(says)
}

// stated joins the lines of statements.
func stated(ids string) string {
	var lines []string
	for id := range strings.FieldsSeq(ids) {
		lines = append(lines, statements[id])
	}
	return strings.Join(lines, "; ")
}

// contractReason is what the contract says about a status of an operation.
func contractReason(op *Operation, status int) string {
	if op == nil {
		return "openapi.yaml, paths: There is no such operation (assumed)"
	}
	for _, r := range op.refusals {
		if r.status == status {
			return "openapi.yaml, " + op.ID + ": " + r.why
		}
	}
	return "openapi.yaml, " + op.ID + ": " + http.StatusText(status) + " (assumed)"
}

func hasWord(words, word string) bool {
	for w := range strings.FieldsSeq(words) {
		if w == word {
			return true
		}
	}
	return false
}

// giveReason sets the header of an answer that has no reason yet and is to have one.
func giveReason(w http.ResponseWriter, req *http.Request, status int) {
	if (status < 400 || status > 499) && status != http.StatusNotImplemented || w.Header().Get(reasonHeader) != "" {
		return
	}
	w.Header().Set(reasonHeader, contractReason(findOperation(req.Method, req.URL.EscapedPath()), status))
}
