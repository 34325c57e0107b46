package conformance

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// observedUploads are the rules about uploads, imports, and usage.
var observedUploads = []rule{
	on("uploads.create.status-201", "createUpload", answersStatus(http.StatusCreated)),
	on("uploads.object-id-form", "createUpload", answersMembers(like("obj_…", `^obj_[0-9A-Za-z-]+$`), "object_id")),
	on("upload.field.upload_url_expires_in_seconds", "createUpload", answersMembers(equal("1800"), "upload_url_expires_in_seconds")),
	on("uploads.create.missing-400", "createUpload", answersWhen(lacks("filename", "content_type", "content_size"), http.StatusBadRequest)),
	on("uploads.create.size-of-nothing", "createUpload", answersWhen(func(o *observed) bool {
		n, ok := o.askedNumber("content_size")
		return ok && n < 1
	}, http.StatusBadRequest)),
	on("uploads.size-limit.status-413", "createUpload", answersWhen(func(o *observed) bool {
		n, _ := o.askedNumber("content_size")
		return n > 10_000_000_000 && !lacks("filename", "content_type")(o)
	}, http.StatusRequestEntityTooLarge)),
	on("uploads.create.unknown-space", "createUpload", notFound),
	on("uploads.create.space", "createUpload", func(o *observed) observation {
		if !o.ok() || o.asked("space_id") == "" {
			return silent
		}
		return decide(o.text("space_id") == o.asked("space_id"), o.asked("space_id"), o.text("space_id"))
	}),
	on("uploads.put.status-200", "putObject", func(o *observed) observation {
		if !o.ok() {
			return silent
		}
		return decide(o.Status == http.StatusOK && o.ResponseHeaders.Get("Etag") != "", "status 200 with an ETag", fmt.Sprintf("status %d, ETag: %s", o.Status, o.ResponseHeaders.Get("Etag")))
	}),
	on("uploads.put.wrong-type-403", "putObject", func(o *observed) observation {
		u, known := o.history.uploads[o.objectID()]
		if !known || u.contentType == "" || o.RequestHeaders.Get("Content-Type") == u.contentType {
			return silent
		}
		return decide(o.Status == http.StatusForbidden && xmlError.MatchString(o.ResponseBody.Text), "status 403 with an XML body", fmt.Sprintf("status %d: %s", o.Status, o.ResponseBody.Text))
	}),
	on("uploads.put.too-many-413", "putObject", func(o *observed) observation {
		u, known := o.history.uploads[o.objectID()]
		if !known || u.size == 0 || float64(o.RequestBody.Bytes) <= u.size || o.RequestHeaders.Get("Content-Type") != u.contentType {
			return silent
		}
		return decide((o.Status == http.StatusRequestEntityTooLarge || o.Status == http.StatusForbidden) && xmlError.MatchString(o.ResponseBody.Text), "status 413 or 403 with an XML body", fmt.Sprintf("status %d", o.Status))
	}),
	on("uploads.put.replaces", "putObject", func(o *observed) observation {
		u, known := o.history.uploads[o.objectID()]
		if _, used := o.history.used[o.objectID()]; !known || !u.put || used || o.RequestHeaders.Get("Content-Type") != u.contentType || float64(o.RequestBody.Bytes) != u.size {
			return silent
		}
		return decide(o.ok(), "status 2xx", fmt.Sprintf("status %d", o.Status))
	}),
	on("uploads.put.authorization-is-no-error", "putObject", func(o *observed) observation {
		if o.Auth != "" && o.ok() {
			return agrees
		}
		return silent
	}),
	on("imports.create.status-202", "createImport", answersStatus(http.StatusAccepted)),
	on("import.id-form", "createImport", answersMembers(like("imp_…", `^imp_`), "import_id")),
	on("imports.create.bad-url", "createImport", answersWhen(func(o *observed) bool { return o.sent != nil && !isWebURL(o.asked("url")) }, http.StatusBadRequest)),
	on("imports.create.not-public-400", "createImport", func(o *observed) observation {
		if !o.refused() || !strings.Contains(o.text("error"), "public address") {
			return silent
		}
		return decide(o.Status == http.StatusBadRequest && o.text("error") == "url must resolve to a public address", "status 400 with url must resolve to a public address", o.value)
	}),
	on("imports.get.unknown", "getImport", unknownResource),
	on("imports.get.same-object", "getImport", func(o *observed) observation {
		began, known := o.history.imports[o.Resource]
		if !o.ok() || !known {
			return silent
		}
		return decide(slices.Equal(keys(o.value), began), strings.Join(began, ", "), strings.Join(keys(o.value), ", "))
	}),
	on("import.progress.whole", "getImport", func(o *observed) observation {
		v, ok := o.at("progress")
		if !o.ok() || !ok {
			return silent
		}
		if o.text("status") == "completed" {
			return decide(within(1, 1).fits(v), "progress: 1", v)
		}
		return decide(within(0, 1).fits(v), "progress: 0 to 1", v)
	}),
	on("usage.plan", "getUsage", both(answersMembers(text, "plan_status"), answersMembers(oneOf("none", "core", "automation", "platform"), "api_tier"))),
	on("usage.minutes", "getUsage", both(answersMembers(equal("minute"), "usage.unit"), answersMembers(number, "usage.used"), answersMembers(orNull(number), "usage.limit", "usage.percentage"), answersMembers(boolean, "usage.unlimited"))),
	on("usage.cumulative", "getUsage", answersMembers(shape{"any value", func(any) bool { return true }}, "usage.cumulative")),
	on("usage.period", "getUsage", answersMembers(orNull(stamp), "usage.period_start", "usage.period_end")),
	on("usage.storage", "getUsage", both(answersMembers(integer, "storage.used_bytes"), answersMembers(orNull(integer), "storage.soft_limit_bytes", "storage.hard_limit_bytes"), answersMembers(boolean, "storage.unlimited"))),
}

func isWebURL(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
