package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
)

// reasonHeader names the rule that rejected a request. Every 4xx and 501 has it.
const reasonHeader = "X-Soundstage-Reason"

// ruleReason maps a rule to the statements of the specification that explain it.
type ruleReason struct {
	rule       engine.Rule // rule in the error
	ops        string      // space-separated operation IDs; "" for all
	statements string      // space-separated statement IDs (conformance/statements.yaml)
}

// reasons lists every engine.Rule in the order of the specification. A rule that several operations share has a row for each operation
// that has its own statements.
var reasons = []ruleReason{
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

// codeReason maps an error code of an operation to the statements that explain it. It applies to errors without a rule.
type codeReason struct {
	ops        string // space-separated operation IDs; "" for all
	code       engine.Code
	statements string
}

// reasonsByCode is searched in order: specific operations first.
var reasonsByCode = []codeReason{
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

// reasonOf returns the reason for rejecting a request, as one ASCII line: the statements of the specification, or else the contract's
// description of the status followed by the error message.
func reasonOf(req *http.Request, err error) string {
	op := findOperation(req.Method, req.URL.EscapedPath())
	if ids := statementsOf(op, engine.CodeOf(err), ruleOf(err)); ids != "" {
		return joinStatements(ids)
	}
	return contractReason(op, StatusOf(engine.CodeOf(err))) + ": " + asciiLine(engine.Message(err))
}

// ruleOf returns the rule in an error.
func ruleOf(err error) engine.Rule {
	var e *engine.Error
	if errors.As(err, &e) {
		return e.Rule
	}
	return ""
}

// statementsOf returns the IDs of the statements that explain an error of an operation, or "". op may be nil.
func statementsOf(op *Operation, code engine.Code, rule engine.Rule) string {
	for _, r := range reasons {
		if r.rule == rule && appliesTo(r.ops, op) {
			return r.statements
		}
	}
	for _, r := range reasonsByCode {
		if r.code == code && appliesTo(r.ops, op) {
			return r.statements
		}
	}
	return ""
}

// appliesTo reports whether ops, a space-separated list, is empty or contains op's ID.
func appliesTo(ops string, op *Operation) bool { return ops == "" || op != nil && hasWord(ops, op.ID) }

// joinStatements joins the lines of the given statements.
func joinStatements(ids string) string {
	var lines []string
	for id := range strings.FieldsSeq(ids) {
		lines = append(lines, statements[id])
	}
	return strings.Join(lines, "; ")
}

// contractReason returns the contract's description of an operation's status.
func contractReason(op *Operation, status int) string {
	if op == nil {
		return "openapi.yaml, paths: Unknown operation (assumed)"
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

// ensureReason sets the reason header of a 4xx or 501 that has none.
func ensureReason(w http.ResponseWriter, req *http.Request, status int) {
	if (status < 400 || status > 499) && status != http.StatusNotImplemented || w.Header().Get(reasonHeader) != "" {
		return
	}
	w.Header().Set(reasonHeader, contractReason(findOperation(req.Method, req.URL.EscapedPath()), status))
}
