package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// imported imports a URL and waits until the import ends.
func (p *probe) imported(url, more string) watched {
	return p.importedFrom(p.askImport(url, more).ok())
}

// importedFrom waits until an import ends.
func (p *probe) importedFrom(first answer) watched {
	return p.watch(first, "/v1/imports/"+first.text("import_id"), "status", "completed", "error", "canceled")
}

// askImport requests an import. The check is not applicable if the server doesn't download from this machine.
func (p *probe) askImport(url, more string) answer {
	first := p.post("/v1/imports", fmt.Sprintf(`{"url":%q%s}`, url, more))
	if first.status == http.StatusBadRequest && p.ownMedia() && strings.HasPrefix(url, p.session.media.url) {
		p.skip("the server does not download from this machine; start a sandbox with --allow-private-urls")
	}
	return first
}

// anImport returns a completed import of a direct media URL.
func anImport(p *probe) watched { return once(p, "import of a media URL", makeImport).reportTo(p) }

func makeImport(p *probe) watched {
	w := p.importedFrom(importBegun(p))
	if !slices.Contains(w.seen, "completed") {
		p.unreachable("import/talk.aac")
		p.fail(w.last, "a completed import", show(w.last.value))
	}
	return w
}

// aFailedImport returns a failed import of a URL that serves no media.
func aFailedImport(p *probe) watched {
	anImport(p) // not applicable if the server can't download
	return once(p, "failed import", func(p *probe) watched {
		if !p.ownMedia() {
			p.skip("only the configured media URL can be downloaded")
		}
		w := p.imported(p.mediaAt("page/page.mp3"), "")
		if !slices.Contains(w.seen, "error") {
			p.fail(w.last, "status error for a web page", show(w.last.value))
		}
		return w
	}).reportTo(p)
}

// askedImport returns the answer to the request for an import, whatever its status.
func askedImport(p *probe) answer {
	return once(p, "requested import", func(p *probe) answer {
		return p.askImport(p.mediaAt("import/talk.aac"), fmt.Sprintf(`,"title":%q`, p.named("imported")))
	}).reportTo(p)
}

func importBegun(p *probe) answer { return askedImport(p).ok() }
func importDone(p *probe) answer  { return anImport(p).last }

// importedRecording returns the recording that the import created.
func importedRecording(p *probe) answer {
	return p.get("/v1/recordings/" + importDone(p).text("recording_id"))
}

// privateHosts are forms of addresses that are not public: abbreviated, in other bases, IPv6, and a name.
var privateHosts = []string{"127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "localhost", "10.1.2.3", "169.254.169.254", "[::1]", "[::ffff:7f00:1]", "[fd00::1]"}

// notPublic checks that the server rejects non-public addresses; with a status, also with that status and the one message. A local
// server that accepts the first allows private addresses.
func notPublic(status int, hosts ...string) func(*probe) {
	return func(p *probe) {
		for i, host := range hosts {
			a := p.post("/v1/imports", fmt.Sprintf(`{"url":"http://%s/talk.mp3"}`, host))
			if i == 0 && a.status < 300 && p.session.config.loopback() {
				p.skip("the server allows private addresses")
			}
			a.refused().is("error", filled)
			p.want(a, strings.Contains(strings.ToLower(a.errorMessage()), "public"), "an error that says the address must be public", a.errorMessage())
			if status != 0 {
				a.want(status).is("error", equal("url must resolve to a public address"))
			}
		}
	}
}

var importChecks = []check{
	{"imports.source.direct", func(p *probe) { decides(p, "import of a media URL", makeImport) }},
	{"imports.runs-asynchronously", func(p *probe) {
		w := p.transcribedImport()
		p.want(w.last, first(w.last, "recording.transcript_status") == "completed", "a transcribed recording", w.last.value)
	}},
	{"imports.create.url-required", refuses("POST", "/v1/imports", `{"title":"{name}"}`)},
	{"imports.create.title", func(p *probe) { importedRecording(p).ok().is("recording.title", equal(p.named("imported"))) }},
	{"imports.create.space", func(p *probe) {
		a := p.askImport(p.mediaAt("space/talk.aac"), p.expand(`,"space_id":"{space}"`)).accepted()
		w := p.importedFrom(a)
		p.get("/v1/recordings/"+w.last.text("recording_id")).ok().is("recording.space.id", equal(p.expand("{space}")))
	}},
	{"imports.create.queued", has(importBegun, "status", equal("queued"))},
	{"imports.create.progress-0", has(importBegun, "progress", equal("0"))},
	{"imports.create.error-null", has(importBegun, "error", null)},
	{"imports.create.recording-null", has(importBegun, "recording_id", null)},
	{"imports.create.status-202", func(p *probe) { askedImport(p).want(202) }},
	{"imports.create.bad-url", answers("POST", "/v1/imports", `{"url":"not a url"}`, 400)},
	{"imports.create.not-public", notPublic(0, "127.0.0.1")},
	{"imports.create.not-public-400", notPublic(400, "127.0.0.1")},
	{"imports.create.not-public-forms", notPublic(400, privateHosts...)},
	{"imports.get", func(p *probe) { p.get("/v1/imports/{import}").want(200) }},
	{"imports.get.same-object", func(p *probe) {
		want, got := keys(importBegun(p).value), keys(importDone(p).value)
		p.want(importDone(p), slices.Equal(want, got), strings.Join(want, ", "), strings.Join(got, ", "))
	}},
	{"imports.get.unknown", answers("GET", "/v1/imports/imp_{missing}", "", 404)},
	{"import.field.import_id", has(importDone, "import_id", filled)},
	{"import.field.status", func(p *probe) { p.get("/v1/imports/{import}").ok().is("status", text) }},
	{"import.field.source", has(importBegun, "source", equal("url"))},
	{"import.field.url", func(p *probe) { importDone(p).is("url", equal(p.mediaAt("import/talk.aac"))) }},
	{"import.field.title", all(has(importDone, "title", orNull(text)))},
	{"import.field.progress", has(importDone, "progress", number)},
	{"import.field.error", all(has(importDone, "error", orNull(text)), func(p *probe) { aFailedImport(p).reportTo(p).last.is("error", filled) })},
	{"import.field.recording_id", has(importDone, "recording_id", orNull(text))},
	{"import.id-form", has(importBegun, "import_id", like("imp_…", `^imp_[0-9A-Za-z-]+$`))},
	{"import.progress.whole", has(importDone, "progress", shape{"1", func(v any) bool {
		n, ok := v.(json.Number)
		f, err := n.Float64()
		return ok && err == nil && f == 1
	}})},
	{"states.import.entry", starts(anImport, "status", "queued")},
	{"states.import.values", all(passesThrough(anImport, "queued", "processing", "completed"), passesThrough(aFailedImport, "queued", "processing", "error"))},
	{"states.import.recording", func(p *probe) {
		importDone(p).is("recording_id", filled)
		importedRecording(p).want(200)
	}},
}

// transcribedImport waits for the transcription of the imported recording.
func (p *probe) transcribedImport() watched {
	a := importDone(p)
	return p.watch(a, "/v1/recordings/"+a.text("recording_id"), "recording.transcript_status", "completed", "error")
}
