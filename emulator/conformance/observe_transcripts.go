package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// observedTranscripts are the rules about transcripts of URLs and about states.
var observedTranscripts = []rule{
	on("transcripts.create.status-201", "createTranscript", answersStatus(http.StatusCreated)),
	on("transcripts.create.queued", "createTranscript", answersMembers(equal("queued"), "status")),
	on("transcripts.create.invalid-400", "createTranscript", answersWhen(func(o *observed) bool { return len(invalidFields(o)) > 0 }, http.StatusBadRequest)),
	on("transcripts.create.errors-by-field", "createTranscript", whenInvalid(func(o *observed) observation {
		errors, _ := o.at("errors")
		return decide(object.fits(errors), "errors: "+object.name, o.value)
	})),
	on("transcripts.create.valid-false", "createTranscript", whenInvalid(func(o *observed) observation {
		valid, _ := o.at("valid")
		return decide(truth(false).fits(valid), "valid: false", o.value)
	})),
	on("transcripts.create.all-fields", "createTranscript", whenInvalid(func(o *observed) observation {
		fields := invalidFields(o)
		errors, _ := o.at("errors")
		if len(fields) < 2 {
			return silent
		}
		missing := slices.ContainsFunc(fields, func(field string) bool { return !slices.Contains(keys(errors), field) })
		return decide(!missing, "errors of "+strings.Join(fields, ", "), strings.Join(keys(errors), ", "))
	})),
	on("transcripts.create.blank", "createTranscript", whenInvalid(fieldMessage("url", "can't be blank", func(o *observed) bool { return o.sent["url"] == nil || o.sent["url"] == "" }))),
	on("transcripts.create.not-a-url", "createTranscript", whenInvalid(fieldMessage("url", "must be a valid url", func(o *observed) bool {
		return strings.TrimSpace(o.asked("url")) != "" && !isWebURL(o.asked("url"))
	}))),
	on("transcripts.create.wrong-type", "createTranscript", whenInvalid(fieldMessage("url", "is invalid", func(o *observed) bool {
		_, isText := o.sent["url"].(string)
		return o.sent["url"] != nil && !isText
	}))),
	on("languages.unsupported", "createTranscript", whenInvalid(fieldMessage("language_code", "is invalid", func(o *observed) bool {
		return o.asked("language_code") != "" && !language.fits(o.asked("language_code"))
	}))),
	on("transcripts.get.unknown", "getTranscript", unknownResource),
	on("transcript.utterance.shape", "getTranscript", both(utterances(filled, "speaker", "text"), utterances(integer, "start", "end"), utterances(number, "confidence"), utterances(array, "words"))),
	on("transcript.utterance.label", "getTranscript", utterances(like("Speaker and a number", `^Speaker \d+$`), "speaker")),
	{id: "transcript.audio_duration.seconds", ops: []string{"getTranscript", "getRecordingTranscript"}, judge: func(o *observed) observation {
		all := o.list("utterances")
		v, _ := o.at("audio_duration")
		length, isNumber := v.(json.Number)
		if !o.ok() || len(all) == 0 || !isNumber {
			return silent
		}
		last, _ := member(all[len(all)-1], "end")
		end, _ := last.(json.Number)
		ms, endErr := end.Float64()
		seconds, err := length.Float64()
		if endErr != nil || err != nil || ms < 3000 {
			return silent
		}
		return decide(ms/1000 <= seconds+1 && seconds < ms, "the length in seconds, where the last utterance ends at "+end.String()+" ms", v)
	}},
	on("states.transcript.transitions", "getTranscript", follows("id", "status", map[string][]string{
		"queued": {"queued", "processing", "completed", "error"}, "processing": {"processing", "completed", "error"}, "completed": {"completed"}, "error": {"error"},
	})),
	on("states.render.transitions", "getRender", follows("render.id", "render.status", map[string][]string{
		"rendering": {"rendering", "completed", "failed"}, "completed": {"completed"}, "failed": {"failed"},
	})),
	on("states.chat.completed-answer", "getChat", func(o *observed) observation {
		answer, _ := o.at("answer")
		return onlyIf(o.ok() && o.text("status") == "completed", decide(text.fits(answer), "answer: "+text.name, answer))
	}),
	on("states.chat.queued-null", "getChat", func(o *observed) observation {
		answer, _ := o.at("answer")
		return onlyIf(o.ok() && o.text("status") == "queued", decide(answer == nil, "answer: null", answer))
	}),
	on("states.render.asset", "getRender", func(o *observed) observation {
		v, _ := o.at("render.asset_url")
		return onlyIf(o.ok() && o.text("render.status") == "completed", decide(address.fits(v), "render.asset_url: "+address.name, v))
	}),
	on("states.import.recording", "getImport", func(o *observed) observation {
		v, _ := o.at("recording_id")
		return onlyIf(o.ok() && o.text("status") == "completed", decide(filled.fits(v), "recording_id: "+filled.name, v))
	}),
}

// invalidFields returns the fields of a new transcript that are invalid whatever the service is, sorted.
func invalidFields(o *observed) (fields []string) {
	if o.sent == nil {
		return nil
	}
	if code := o.sent["language_code"]; code != nil && !language.fits(code) {
		fields = append(fields, "language_code")
	}
	if !isWebURL(o.asked("url")) {
		fields = append(fields, "url")
	}
	return fields
}

// whenInvalid judges the 400 of an invalid request.
func whenInvalid(judge func(*observed) observation) func(*observed) observation {
	return func(o *observed) observation {
		return onlyIfLazy(o.Status == http.StatusBadRequest && len(invalidFields(o)) > 0, o, judge)
	}
}

func onlyIfLazy(applies bool, o *observed, judge func(*observed) observation) observation {
	if !applies {
		return silent
	}
	return judge(o)
}

// fieldMessage agrees if a field's first message is the expected one.
func fieldMessage(field, message string, applies func(*observed) bool) func(*observed) observation {
	return func(o *observed) observation {
		if !applies(o) {
			return silent
		}
		got, _ := o.at("errors." + field + ".0")
		return decide(got == message, field+": "+message, fmt.Sprint(got))
	}
}

// follows agrees if a status may follow the one that an earlier response showed. Polls that overlapped say nothing.
func follows(id, status string, after map[string][]string) func(*observed) observation {
	return func(o *observed) observation {
		before, known := o.history.statuses[o.text(id)]
		if !o.ok() || !known || !before.at.Before(o.Time) || before.status == o.text(status) {
			return silent
		}
		return decide(slices.Contains(after[before.status], o.text(status)), "one of "+strings.Join(after[before.status], ", ")+" after "+before.status, o.text(status))
	}
}
