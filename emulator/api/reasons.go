package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// reasonHeader is the rule that refused a request: on every 4xx and 501.
const reasonHeader = "X-Soundstage-Reason"

// reason says which statements of the specification a refusal follows from.
type reason struct {
	rule       engine.Rule // that the error names
	ops        string      // ids of the operations where it holds, with spaces between; "" for all
	statements string      // ids of the statements, with spaces between (conformance/statements.yaml)
}

// reasons has every engine.Rule, in the order of the specification. A rule that several operations share has a row for each that
// says something of its own.
var reasons = []reason{
	{"secret.required", "", "auth.header auth.missing-401"},
	{"body.no-object", "", "errors.no-object"},
	{"body.malformed", "", "errors.bad-json"},
	{"body.wrong-type", "", "errors.wrong-type"},

	{"transcript.url-required", "", "transcripts.create.url-required transcripts.create.blank"},
	{"transcript.url-invalid", "", "transcripts.create.invalid-400 transcripts.create.not-a-url"},
	{"transcript.language-unknown", "", "transcripts.create.language-code transcripts.create.invalid-400"},

	{"limit.out-of-range", "listRecordings", "recordings.list.limit.zero recordings.list.limit.no-number"},
	{"limit.out-of-range", "search", "search.limit.zero"},
	{"cursor.unknown", "", "recordings.list.cursor.unrecognizable"},
	{"recording.object-required", "", "recordings.create.object-required recordings.create.missing-400"},
	{"recording.language-unknown", "", "languages.supported"},
	{"recording.object-unknown", "", "recordings.create.unknown-object"},
	{"recording.object-used", "", "recordings.create.twice"},
	{"recording.bytes-missing", "", "recordings.create.never-arrived"},
	{"recording.bytes-wrong", "", "recordings.create.wrong-size"},
	{"transcript.format-unknown", "", "recordings.transcript.format.unknown"},
	{"translation.language-unknown", "", "recordings.transcript.language.unknown"},

	{"upload.filename-required", "", "uploads.create.filename-required uploads.create.missing-400"},
	{"upload.content-type-required", "", "uploads.create.content_type-required uploads.create.missing-400"},
	{"upload.content-size-required", "", "uploads.create.content_size-required uploads.create.size-of-nothing"},
	{"upload.too-large", "", "uploads.size-limit uploads.size-limit.status-413"},
	{"upload.wrong-content-type", "", "uploads.put.content-type uploads.put.wrong-type-403"},
	{"upload.expired", "putObject", "limits.upload-url"},

	{"url.required", "createImport", "imports.create.url-required imports.create.bad-url"},
	{"url.required", "createWebhook", "webhooks.create.url-required"},
	{"url.invalid", "createImport", "imports.create.bad-url"},
	{"url.invalid", "createWebhook", "webhooks.create.url-required"},

	{"speaker.name-required", "createSpeaker", "speakers.create.name-required"},
	{"speaker.role-unknown", "", "speakers.create.role speakers.create.unknown-role"},
	{"speaker.role-foreign", "", "speakers.update.foreign-role speakers.update.foreign-role-400"},
	{"assignment.label-required", "", "labels.assign.label-required"},
	{"assignment.speaker-required", "", "labels.assign.speaker-required"},
	{"assignment.label-unknown", "", "labels.assign.label-of-transcript labels.assign.unknown-label-400"},
	{"assignment.speaker-unknown", "", "labels.assign.speaker-of-space labels.assign.foreign-speaker-404"},
	{"assignment.unknown", "", "labels.unassign.not-assigned-404"},

	{"prompt.name-required", "", "prompts.create.name-required prompts.create.missing-400"},
	{"prompt.text-required", "", "prompts.create.prompt-required prompts.create.missing-400"},

	{"output.exactly-one-prompt", "", "generate.exactly-one generate.exactly-one-400"},
	{"output.prompt-built-in", "", "service.only-custom-prompts generate.builtin-400"},
	{"output.prompt-unknown", "", "generate.unknown-prompt"},

	{"chat.message-required", "", "chat.create.message-required chat.create.missing-400"},
	{"chat.recordings-required", "", "chat.create.recordings-required chat.create.at-least-one"},
	{"chat.too-many-recordings", "", "chat.create.at-most-ten chat.create.capped-sentence"},

	{"render.recording-required", "", "renders.create.recording-required"},
	{"render.window-required", "", "renders.create.window-required"},
	{"render.window-twice", "", "renders.create.suggestion"},
	{"render.window-too-long", "", "renders.create.at-most-3-minutes renders.create.too-long-400"},
	{"render.window-backwards", "", "renders.create.backwards"},
	{"render.aspect-ratio-unknown", "", "renders.create.aspect-ratios renders.create.unknown-ratio"},
	{"render.window-outside", "", "renders.create.outside"},
	{"render.suggestion-without-window", "", "suggestions.carousel.no-render"},
	{"render.suggestion-unknown", "", "renders.create.unknown-suggestion"},

	{"search.query-required", "", "search.query-required"},
	{"search.category-unknown", "", "search.category search.category.unknown"},

	{"webhook.events-required", "createWebhook", "webhooks.create.events-required"},
	{"webhook.event-unknown", "", "webhooks.create.known-events"},
	{"webhook.unknown", "", "webhooks.get.unknown"},
}

// refused says which statements explain a code where no rule does: of an operation, or of all.
type refused struct {
	ops        string // ids of the operations, with spaces between; "" for all
	code       engine.Code
	statements string
}

// refusedByCode is searched in order: operations stand before the rest.
var refusedByCode = []refused{
	{"getRecordingTranscript", engine.CodeTier, "recordings.transcript.language.tier"},
	{"createSpeaker", engine.CodeTier, "tiers.speakers.create"},
	{"updateSpeaker", engine.CodeTier, "tiers.speakers.update"},
	{"assignSpeaker", engine.CodeTier, "tiers.labels.assign"},
	{"unassignSpeaker", engine.CodeTier, "tiers.labels.unassign"},
	{"createPrompt", engine.CodeTier, "tiers.prompts.create"},
	{"generateOutput", engine.CodeTier, "tiers.generate"},
	{"createRender", engine.CodeTier, "tiers.renders"},
	{"getRender", engine.CodeTier, "tiers.platform.renders"},
	{"getOutput", engine.CodeTier, "tiers.automation.outputs"},
	{"createChat getChat", engine.CodeTier, "tiers.automation.chat"},
	{"listClipSuggestions", engine.CodeTier, "tiers.platform.suggestions"},
	{"getUsage", engine.CodeTier, "tiers.platform.usage"},
	{webhookOperations, engine.CodeTier, "tiers.automation.webhooks"},
	{"createTranscript", engine.CodeInvalid, "transcripts.create.invalid-400"},
	{"getTranscript", engine.CodeNotFound, "transcripts.get.unknown"},
	{"listRecordings", engine.CodeNotFound, "recordings.list.space_id.unknown"},
	{"getRecording", engine.CodeNotFound, "recordings.get.unknown"},
	{"getRecordingTranscript", engine.CodeNotReady, "recordings.transcript.needs-completed"},
	{"getRecordingTranscript", engine.CodeNotFound, "recordings.transcript.unknown"},
	{"listRecordingOutputs", engine.CodeNotFound, "recordings.outputs.unknown"},
	{"createUpload", engine.CodeStorageLimit, "uploads.storage-limit"},
	{"createUpload", engine.CodeNotFound, "uploads.create.unknown-space"},
	{"putObject", engine.CodeForbidden, "uploads.put.wrong-signature-403"},
	{"putObject", engine.CodeTooLarge, "uploads.put.too-many-413"},
	{"putObject", engine.CodeConflict, "uploads.put.replaces"},
	{"putObject", engine.CodeCanceled, "uploads.put.broken-off"},
	{"createImport", engine.CodeNotPublic, "imports.create.not-public imports.create.not-public-400"},
	{"createImport", engine.CodeStorageLimit, "imports.create.storage-limit"},
	{"getImport", engine.CodeNotFound, "imports.get.unknown"},
	{"listSpeakers createSpeaker", engine.CodeNotFound, "speakers.list.unknown-space isolation.spaces"},
	{"updateSpeaker", engine.CodeNotFound, "speakers.update.unknown"},
	{"listRecordingSpeakers", engine.CodeNotFound, "labels.list.unknown"},
	{"listPrompts", engine.CodeNotFound, "prompts.list.unknown-space"},
	{"generateOutput", engine.CodeNotReady, "generate.needs-completed generate.not-ready-400"},
	{"generateOutput", engine.CodeNotFound, "generate.unknown-recording"},
	{"getOutput", engine.CodeNotFound, "outputs.get.unknown"},
	{"createChat", engine.CodeNotFound, "chat.create.unknown-recording"},
	{"createChat", engine.CodeNotReady, "chat.create.not-completed"},
	{"getChat", engine.CodeNotFound, "chat.get.unknown"},
	{"createRender", engine.CodeNoSpeech, "renders.create.no-speech renders.create.no-speech-400"},
	{"createRender", engine.CodeNotReady, "renders.create.needs-completed"},
	{"createRender", engine.CodeNotFound, "renders.create.unknown-recording"},
	{"getRender", engine.CodeNotFound, "renders.get.unknown"},
	{"listClipSuggestions", engine.CodeNotReady, "suggestions.not-completed"},
	{"listClipSuggestions", engine.CodeNotFound, "suggestions.unknown"},
	{"", engine.CodeUnauthenticated, "auth.invalid-refused auth.invalid-401"},
	{"", engine.CodeNoPlan, "auth.no-plan"},
	{"", engine.CodeRateLimited, "errors.rate-limit"},
	{"", engine.CodeTier, "tiers.gate"},
}

const webhookOperations = "createWebhook deleteWebhook getWebhook listWebhookDeliveries listWebhooks replayWebhookDelivery " +
	"rotateWebhookSecret testWebhook updateWebhook"

// reasonOf is what the service says about the refusal of a request, as one line of ASCII: the statements of the specification, or what
// the contract says about the status together with the error's own sentence.
func reasonOf(req *http.Request, err error) string {
	op := findOperation(req.Method, req.URL.EscapedPath())
	if ids := statementsOf(op, engine.CodeOf(err), ruleOf(err)); ids != "" {
		return stated(ids)
	}
	return contractReason(op, StatusOf(engine.CodeOf(err))) + ": " + asciiLine(engine.Message(err))
}

// ruleOf is the rule that an error names.
func ruleOf(err error) engine.Rule {
	var e *engine.Error
	if errors.As(err, &e) {
		return e.Rule
	}
	return ""
}

// statementsOf returns the ids of the statements that explain a refusal of an operation, which may be nil; "" when there are none.
func statementsOf(op *Operation, code engine.Code, rule engine.Rule) string {
	for _, r := range reasons {
		if r.rule == rule && holdsFor(r.ops, op) {
			return r.statements
		}
	}
	for _, r := range refusedByCode {
		if r.code == code && holdsFor(r.ops, op) {
			return r.statements
		}
	}
	return ""
}

// holdsFor reports whether ops, with spaces between, are all or have op among them.
func holdsFor(ops string, op *Operation) bool { return ops == "" || op != nil && hasWord(ops, op.ID) }

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
