package conformance

import (
	"fmt"
	"strings"
)

// anOutput returns a completed output of a one-off prompt.
func anOutput(p *probe) watched { return once(p, "output of a one-off prompt", makeOutput).reportTo(p) }

func makeOutput(p *probe) watched {
	a := outputBegun(p)
	w := p.watch(a, "/v1/outputs/"+a.text("output_id"), "status", "completed", "failed", "canceled")
	if !is(w.last.value, "status", "completed") {
		p.fail(w.last, "a completed output", show(w.last.value))
	}
	return w
}

// askedOutput returns the answer to the request for an output, whatever its status.
func askedOutput(p *probe) answer {
	return once(p, "requested output", func(p *probe) answer {
		return p.post("/v1/recordings/{recording}/generate", `{"prompt":"Summarize in three sentences.","name":"{name}"}`)
	}).reportTo(p)
}

func outputBegun(p *probe) answer { return askedOutput(p).ok() }
func outputDone(p *probe) answer  { return anOutput(p).last }

const notReady = `{"prompt":"Summarize."}`

var generationChecks = []check{
	{"generate.completes", func(p *probe) { decides(p, "output of a one-off prompt", makeOutput) }},
	{"generate.needs-completed", refuses("POST", "/v1/recordings/{failed}/generate", notReady)},
	{"generate.not-ready-sentence", func(p *probe) {
		a := p.post("/v1/recordings/{failed}/generate", notReady).refused().is("error", filled)
		status := transcriptStatus(failedRecording(p))
		s := strings.ToLower(a.errorMessage())
		p.want(a, strings.Contains(s, "transcript") && strings.Contains(s, status) && strings.Contains(s, "completed"),
			"an error that says the transcript is not ready, its status "+status+", and that it must be completed", a.errorMessage())
	}},
	{"generate.not-ready-400", answers("POST", "/v1/recordings/{failed}/generate", notReady, 400)},
	{"generate.exactly-one", all(
		refuses("POST", "/v1/recordings/{recording}/generate", `{}`),
		refuses("POST", "/v1/recordings/{recording}/generate", `{"prompt":"Summarize.","prompt_id":"{prompt}"}`))},
	{"generate.exactly-one-400", all(
		answers("POST", "/v1/recordings/{recording}/generate", `{}`, 400),
		answers("POST", "/v1/recordings/{recording}/generate", `{"prompt":"Summarize.","prompt_id":"{prompt}"}`, 400))},
	{"generate.status-202", func(p *probe) { askedOutput(p).want(202) }},
	{"generate.output_id", has(outputBegun, "output_id", filled)},
	{"generate.output_type", has(outputBegun, "output_type", equal("dynamic"))},
	{"generate.prompt_id", func(p *probe) {
		a := p.post("/v1/recordings/{recording}/generate", `{"prompt_id":"{prompt}"}`).accepted()
		a.is("prompt_id", equal(promptID(aPrompt(p))))
	}},
	{"generate.prompt_id.null-for-one-off", has(outputBegun, "prompt_id", null)},
	{"generate.queued", has(outputBegun, "status", equal("queued"))},
	{"generate.builtin-400", answers("POST", "/v1/recordings/{recording}/generate", `{"prompt_id":"{builtin}"}`, 400)},
	{"generate.unknown-prompt", refuses("POST", "/v1/recordings/{recording}/generate", `{"prompt_id":"{missing}"}`)},
	{"generate.unknown-recording", answers("POST", "/v1/recordings/{missing}/generate", notReady, 404)},
	{"outputs.get", func(p *probe) { p.get("/v1/outputs/{output}").want(200) }},
	{"outputs.get.shape", func(p *probe) {
		outputDone(p).is("recording_id", equal(audioRecording(p).id)).is("name", equal(p.expand("{name}"))).is("error", null).is("created_at", stamp)
	}},
	{"outputs.get.unknown", answers("GET", "/v1/outputs/{missing}", "", 404)},
	{"output.field.output_id", has(outputDone, "output_id", filled)},
	{"output.field.output_type", has(outputDone, "output_type", text)},
	{"output.field.prompt_id", has(outputDone, "prompt_id", orNull(text))},
	{"output.field.status", func(p *probe) { p.get("/v1/outputs/{output}").ok().is("status", text) }},
	{"output.field.text", has(outputDone, "text", filled)},
	{"states.output.entry", starts(anOutput, "status", "queued")},
	{"states.output.values", passesThrough(anOutput, "queued", "retrying", "completed", "failed", "canceled")},
}

// transcriptStatus returns a recording's transcript status at the last poll.
func transcriptStatus(r recorded) string {
	s, _ := r.work.last.at("recording.transcript_status")
	return fmt.Sprint(s)
}
