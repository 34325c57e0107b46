package conformance

import (
	"fmt"
	"net/http"
	"time"
)

const tooLarge = `{"filename":"{name}.wav","content_type":"audio/wav","content_size":10000000001}`

// reserveUpload reserves an upload for one check and returns it with the bytes to send.
func (p *probe) reserveUpload(what, contentType string) (answer, []byte) {
	bytes := wav(0.5, 300*time.Millisecond)
	return p.reserve(p.named(what)+".wav", contentType, bytes, ""), bytes
}

// putAnswer returns the answer to the PUT of an upload's bytes.
func putAnswer(p *probe) answer {
	return once(p, "PUT of an upload", func(p *probe) answer {
		up, bytes := p.reserveUpload("put", "audio/wav")
		return p.put(up, bytes, "audio/wav").ok()
	}).reportTo(p)
}

var uploadChecks = []check{
	{"uploads.flow", func(p *probe) {
		bytes := wav(0.5, 300*time.Millisecond)
		up := p.post("/v1/uploads", fmt.Sprintf(`{"filename":"%s.wav","content_type":"audio/wav","content_size":%d}`, p.named("flow"), len(bytes))).accepted()
		p.put(up, bytes, "audio/wav").accepted()
		p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, up.text("object_id"))).accepted()
	}},
	{"uploads.create.status-201", func(p *probe) { anUpload(p).want(201) }},
	{"upload.field.object_id", has(anUpload, "object_id", filled)},
	{"upload.field.upload_url", has(anUpload, "upload_url", address)},
	{"upload.field.upload_url_expires_in_seconds", has(anUpload, "upload_url_expires_in_seconds", equal("1800"))},
	{"upload.field.space_id", has(anUpload, "space_id", filled)},
	{"uploads.object-id-form", has(anUpload, "object_id", like("obj_…", `^obj_[0-9A-Za-z-]+$`))},
	{"uploads.create.filename-required", refuses("POST", "/v1/uploads", `{"content_type":"audio/wav","content_size":1000}`)},
	{"uploads.create.content_type-required", refuses("POST", "/v1/uploads", `{"filename":"{name}.wav","content_size":1000}`)},
	{"uploads.create.content_size-required", refuses("POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav"}`)},
	{"uploads.create.missing-400", all(
		answers("POST", "/v1/uploads", `{"content_type":"audio/wav","content_size":1000}`, 400),
		answers("POST", "/v1/uploads", `{"filename":"{name}.wav","content_size":1000}`, 400),
		answers("POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav"}`, 400))},
	{"uploads.create.size-of-nothing", answers("POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":0}`, 400)},
	{"uploads.create.space", func(p *probe) {
		p.post("/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":1000,"space_id":"{space}"}`).
			accepted().is("space_id", equal(p.expand("{space}")))
	}},
	{"uploads.create.unknown-space", answers("POST", "/v1/uploads", `{"filename":"{name}.wav","content_type":"audio/wav","content_size":1000,"space_id":"{missing}"}`, 404)},
	{"uploads.create.title-carried", func(p *probe) { fetchedVideo(p).is("recording.title", equal(p.named("carried title"))) }},
	{"uploads.size-limit", refuses("POST", "/v1/uploads", tooLarge)},
	{"uploads.size-limit.status-413", answers("POST", "/v1/uploads", tooLarge, 413)},
	{"uploads.storage-limit", func(p *probe) {
		usage := p.get("/v1/usage").ok()
		room := usage.number("storage.hard_limit_bytes") - usage.number("storage.used_bytes")
		const most = 10_000_000_000
		if room >= most {
			p.skip("the plan has room for more than the largest upload")
		}
		p.post("/v1/uploads", fmt.Sprintf(`{"filename":"{name}.wav","content_type":"audio/wav","content_size":%d}`, most)).want(402).is("error", filled)
	}},
	{"uploads.put.takes-bytes", func(p *probe) {
		up, bytes := p.reserveUpload("bytes", "audio/wav")
		p.put(up, bytes, "audio/wav").accepted()
	}},
	{"uploads.put.content-type", func(p *probe) {
		up, bytes := p.reserveUpload("other-type", "audio/wav")
		p.put(up, bytes, "audio/mpeg").refused()
	}},
	{"uploads.put.no-authorization", func(p *probe) { // send adds the header only to URLs under /v1
		up, bytes := p.reserveUpload("without-key", "audio/wav")
		p.put(up, bytes, "audio/wav").accepted()
	}},
	{"uploads.put.status-200", func(p *probe) {
		a := putAnswer(p).want(200)
		p.want(a, a.header.Get("ETag") != "", "an ETag", "none")
	}},
	{"uploads.put.wrong-type-403", func(p *probe) {
		up, bytes := p.reserveUpload("wrong-type", "audio/wav")
		a := p.put(up, bytes, "audio/mpeg").want(403)
		p.wantXML(a)
	}},
	{"uploads.put.wrong-signature-403", func(p *probe) {
		up, bytes := p.reserveUpload("wrong-signature", "audio/wav")
		p.wantXML(p.send(http.MethodPut, tampered(up.text("upload_url")), bytes, "audio/wav").want(403))
	}},
	{"uploads.put.too-many-413", func(p *probe) {
		up, bytes := p.reserveUpload("too-many", "audio/wav")
		a := p.put(up, append(bytes, 0, 0), "audio/wav")
		if a.status != 403 || !p.elsewhere(up) { // a storage of its own can sign the length
			a.want(413)
		}
		p.wantXML(a)
	}},
	{"uploads.put.authorization-is-no-error", func(p *probe) {
		up, bytes := p.reserveUpload("authorized", "audio/wav")
		p.putAuthorized(up, bytes).want(200)
	}},
	{"uploads.put.replaces", func(p *probe) {
		up, bytes := p.reserveUpload("replaced", "audio/wav")
		p.put(up, append(make([]byte, len(bytes)/2), bytes[len(bytes)/2:]...), "audio/wav").want(200)
		p.put(up, bytes, "audio/wav").want(200)
		p.post("/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, up.text("object_id"))).accepted()
	}},
}
