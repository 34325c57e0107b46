package conformance_test

import "net/http"

// uploadMistakes returns mistakes about uploads.
func uploadMistakes() []mistake {
	return []mistake{
		{name: "uploads expire after an hour", method: "POST", path: "/v1/uploads$", edit: set(3600, "upload_url_expires_in_seconds"),
			fails: []string{"upload.field.upload_url_expires_in_seconds"}},
		{name: "an upload has no space", method: "POST", path: "/v1/uploads$", edit: drop("space_id"), fails: []string{"upload.field.space_id", "spaces.default-on-writes"}},
		{name: "an upload returns 200", method: "POST", path: "/v1/uploads$", status: [2]int{201, 200}, fails: []string{"uploads.create.status-201"}},
		{name: "too large returns 400", method: "POST", path: "/v1/uploads$", status: [2]int{413, 400}, fails: []string{"uploads.size-limit.status-413"}},
		{name: "no size limit", method: "POST", path: "/v1/uploads$", request: replaceBody("10000000001", "1000"),
			fails: []string{"uploads.size-limit", "uploads.size-limit.status-413"}},
		{name: "content_size is optional", method: "POST", path: "/v1/uploads$", request: replaceBody(`"content_type":"audio/wav"}`, `"content_type":"audio/wav","content_size":1}`), fails: []string{"uploads.create.content_size-required", "uploads.create.missing-400"}},
		{name: "any content type is accepted", method: "PUT", path: "/storage/", request: func(r *http.Request) { r.Header.Set("Content-Type", "audio/wav") },
			fails: []string{"uploads.put.content-type", "uploads.put.wrong-type-403"}},
		{name: "no ETag", method: "PUT", path: "/storage/", header: func(h http.Header) { h.Del("ETag") }, fails: []string{"uploads.put.status-200"}},
	}
}
