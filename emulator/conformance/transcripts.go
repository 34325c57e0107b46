package conformance

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

// document returns the recording's transcript in a format.
func document(format string) func(*probe) answer {
	return func(p *probe) answer {
		return once(p, "transcript as "+format, func(p *probe) answer {
			return p.get("/v1/recordings/{recording}/transcript?format=" + format).ok()
		}).reportTo(p)
	}
}

func jsonTranscript(p *probe) answer {
	return once(p, "transcript", func(p *probe) answer { return p.get("/v1/recordings/{recording}/transcript").ok() }).reportTo(p)
}

// body checks that a format's response has the content type and begins with a pattern.
func body(name, contentType, begins string) func(*probe) {
	re := regexp.MustCompile(begins)
	return func(p *probe) {
		a := p.get("/v1/recordings/{recording}/transcript?format=" + name).accepted()
		p.want(a, strings.HasPrefix(a.header.Get("Content-Type"), contentType), "Content-Type "+contentType, a.header.Get("Content-Type"))
		p.want(a, re.Match(a.body), "a body that matches "+begins, p.session.shown(a.body))
	}
}

// exactType checks the exact Content-Type of a format and that Content-Disposition is an attachment with its extension.
func exactType(name, contentType, extension string) func(*probe) {
	return func(p *probe) {
		a := document(name)(p)
		p.want(a, a.header.Get("Content-Type") == contentType, "Content-Type "+contentType, a.header.Get("Content-Type"))
		d := a.header.Get("Content-Disposition")
		p.want(a, strings.HasPrefix(d, "attachment") && strings.Contains(d, extension), "Content-Disposition: attachment with a name ending in "+extension, d)
	}
}

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

var clock = lazyregexp.New(`\d:\d\d`)

// cueEnd matches the end of a cue in SRT and VTT.
var cueEnd = lazyregexp.New(`--> (\d\d):(\d\d):(\d\d)[.,](\d\d\d)`)

// lastCueEnd returns the end of the last cue of an SRT or VTT, or 0.
func lastCueEnd(text string) time.Duration {
	all := cueEnd.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return 0
	}
	last := all[len(all)-1]
	end, err := time.ParseDuration(fmt.Sprintf("%sh%sm%ss%sms", last[1], last[2], last[3], last[4]))
	if err != nil {
		return 0
	}
	return end
}

// translated returns the transcript translated to German.
func translated(p *probe) answer {
	return once(p, "translated transcript", func(p *probe) answer {
		return p.get("/v1/recordings/{recording}/transcript?language=de").ok()
	}).reportTo(p)
}

var transcriptChecks = []check{
	{"recordings.transcript.needs-completed", answers("GET", "/v1/recordings/{failed}/transcript", "", 400)},
	{"recordings.transcript.names-status", answersWith("GET", "/v1/recordings/{failed}/transcript", "", 400, "error")},
	{"recordings.transcript.format.json", body("json", "application/json", `^\s*\{`)},
	{"recordings.transcript.format.txt", body("txt", "text/plain", `(?s)^.{20,}`)},
	{"recordings.transcript.format.vtt", body("vtt", "text/vtt", `^(\x{feff})?WEBVTT`)},
	{"recordings.transcript.format.srt", body("srt", "", `^(\x{feff})?1\r?\n\d\d:\d\d:\d\d,\d\d\d --> `)},
	{"recordings.transcript.format.csv", body("csv", "text/csv", `(?s)^[^\n]*,[^\n]*\n`)},
	{"recordings.transcript.format.pdf", body("pdf", "application/pdf", `^%PDF-`)},
	{"recordings.transcript.format.docx", body("docx", docxType, `^PK`)},
	{"recordings.transcript.format.default-json", func(p *probe) {
		p.want(jsonTranscript(p), jsonTranscript(p).value != nil, "JSON", p.session.shown(jsonTranscript(p).body))
	}},
	{"recordings.transcript.json-utterances", has(jsonTranscript, "utterances", arrayOf(object))},
	{"recordings.transcript.json-shape", func(p *probe) {
		jsonTranscript(p).is("recording_id", equal(audioRecording(p).id)).is("language", language).is("audio_duration", integer)
	}},
	{"recordings.transcript.json-raw-labels", has(jsonTranscript, "utterances.0.speaker", like("Speaker and a number", `^Speaker \d+$`))},
	{"recordings.transcript.content-types", all(exactType("txt", "text/plain; charset=utf-8", ".txt"), exactType("vtt", "text/vtt; charset=utf-8", ".vtt"),
		exactType("srt", "application/x-subrip; charset=utf-8", ".srt"), exactType("csv", "text/csv; charset=utf-8", ".csv"),
		exactType("pdf", "application/pdf", ".pdf"), exactType("docx", docxType, ".docx"))},
	{"recordings.transcript.format.unknown", answers("GET", "/v1/recordings/{recording}/transcript?format=doc", "", 400)},
	{"recordings.transcript.timestamps", func(p *probe) {
		with := document("txt")(p)
		without := p.get("/v1/recordings/{recording}/transcript?format=txt&include_timestamp=false").accepted()
		if !clock.Match(with.body) {
			p.skip("txt has no timestamps to omit")
		}
		p.want(without, !clock.Match(without.body), "no timestamps", p.session.shown(without.body))
	}},
	{"recordings.transcript.timestamps.txt-only", func(p *probe) {
		for _, format := range []string{"json", "vtt", "srt", "csv"} { // pdf and docx may contain the time of the export
			with := document(format)(p)
			without := p.get("/v1/recordings/{recording}/transcript?format=" + format + "&include_timestamp=false").accepted()
			p.want(without, bytes.Equal(with.body, without.body), format+" as without include_timestamp", p.session.shown(without.body))
		}
	}},
	{"recordings.transcript.last-cue", func(p *probe) {
		for _, format := range []string{"vtt", "srt"} {
			a := p.get("/v1/recordings/{video}/transcript?format=" + format).accepted()
			end := lastCueEnd(string(a.body))
			p.want(a, end > 0 && end <= filmLength, fmt.Sprintf("%s whose last cue ends within %v", format, filmLength), end.String())
		}
	}},
	{"recordings.transcript.rounded-once", func(p *probe) {
		// The first is 2.500 s long in whole milliseconds, so that rounding twice gives 3.
		for samples, want := range map[int]string{19_999: "2", 20_000: "3"} {
			r := p.transcribed(fmt.Sprintf("%s-%d.wav", p.named("rounded"), samples), "audio/wav", tone(0.5, samples), "", "")
			p.get("/v1/recordings/"+r.id+"/transcript").ok().is("audio_duration", equal(want))
		}
	}},
	{"recordings.transcript.language.tier", all(
		asRole(core, refuses("GET", "/v1/recordings/{recording}/transcript?language=de", "")),
		asRole(core, accepts("GET", "/v1/recordings/{recording}/transcript", "")))},
	{"recordings.transcript.language.translates", func(p *probe) {
		a := p.get("/v1/recordings/{recording}/transcript?language=de").accepted()
		p.want(a, fmt.Sprint(first(a, "utterances.0.text")) != fmt.Sprint(first(jsonTranscript(p), "utterances.0.text")), "text that differs from the original", first(a, "utterances.0.text"))
	}},
	{"recordings.transcript.language.utterances", func(p *probe) {
		a, original := translated(p), jsonTranscript(p)
		for i := range original.list("utterances") {
			for _, name := range []string{"speaker", "start", "end"} {
				at := fmt.Sprintf("utterances.%d.%s", i, name)
				want, _ := original.at(at)
				a.is(at, equal(fmt.Sprint(want)))
			}
		}
		a.is("language", equal("de"))
	}},
	{"recordings.transcript.language.unknown", answers("GET", "/v1/recordings/{recording}/transcript?language=xx", "", 400)},
	{"recordings.transcript.unknown", answers("GET", "/v1/recordings/{missing}/transcript", "", 404)},
	{"recordings.transcript.silence", func(p *probe) {
		silentRecording(p)
		a := p.get("/v1/recordings/{silent}/transcript").ok()
		p.want(a, len(a.list("utterances")) == 0, "no utterances", a.value)
	}},
	{"recordings.outputs.list", accepts("GET", "/v1/recordings/{recording}/outputs", "")},
	{"recordings.outputs.text", func(p *probe) {
		for i, o := range recordingOutputs(p).list("outputs") {
			if status, _ := member(o, "status"); status == "completed" {
				recordingOutputs(p).is(fmt.Sprintf("outputs.%d.text", i), filled)
			}
		}
	}},
	{"recordings.outputs.type", func(p *probe) {
		recordingOutputs(p)
		a := p.get("/v1/recordings/{recording}/outputs?type=dynamic").accepted()
		for _, o := range a.list("outputs") {
			kind, ok := member(o, "output_type")
			p.want(a, !ok || kind == "dynamic", "only outputs of type dynamic", o)
		}
		p.want(a, len(a.list("outputs")) > 0, "the output of the custom prompt", "none")
	}},
	{"recordings.outputs.shape", func(p *probe) {
		a := recordingOutputs(p).is("recording_id", equal(audioRecording(p).id)).is("outputs", arrayOf(object))
		a.is("count", equal(fmt.Sprint(len(a.list("outputs")))))
	}},
	{"recordings.outputs.type.unknown", func(p *probe) {
		a := p.get("/v1/recordings/{recording}/outputs?type=no_such_type").want(200)
		p.want(a, len(a.list("outputs")) == 0, "an empty list", a.value)
	}},
	{"recordings.outputs.unknown", answers("GET", "/v1/recordings/{missing}/outputs", "", 404)},
}

// recordingOutputs returns the recording's outputs, including one of a custom prompt.
func recordingOutputs(p *probe) answer {
	return once(p, "list of outputs", func(p *probe) answer {
		anOutput(p)
		return p.get("/v1/recordings/{recording}/outputs").ok()
	}).reportTo(p)
}
