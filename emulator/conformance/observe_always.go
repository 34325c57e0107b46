package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/emulator/api"
)

// observedAlways are the rules about any exchange: errors, secrets, and the form of answers.
var observedAlways = []rule{
	{id: "answers.json", judge: func(o *observed) observation {
		if !o.api() || o.Status == http.StatusNoContent || o.Status < 300 && o.Op == "getRecordingTranscript" || o.Status >= 300 && o.Status < 400 {
			return silent
		}
		kind := o.ResponseHeaders.Get("Content-Type")
		return decide(strings.HasPrefix(kind, "application/json") && o.value != nil, "a JSON body, as its Content-Type says", kind)
	}},
	{id: "answers.no-5xx", judge: func(o *observed) observation {
		if !o.api() || o.Status == http.StatusNotImplemented {
			return silent
		}
		return decide(o.Status < 500, "no status 5xx", o.Status)
	}},
	{id: "answers.ids", judge: func(o *observed) observation {
		return o.eachMember(uuid, "id", "recording.id", "render.id", "speaker.id", "prompt.id", "webhook.id", "chat_id", "output_id", "recordings.0.id")
	}},
	{id: "answers.timestamps", judge: func(o *observed) observation {
		return o.eachMember(seconds, "recording.created_at", "render.created_at", "created_at", "webhook.created_at", "webhook.updated_at", "recordings.0.created_at")
	}},
	{id: "errors.general", judge: func(o *observed) observation {
		if !o.isError() {
			return silent
		}
		v, _ := o.at("error")
		return decide(filled.fits(v), "error: "+filled.name, o.value)
	}},
	{id: "errors.only-error", judge: func(o *observed) observation {
		if !o.isError() || o.Status == http.StatusForbidden {
			return silent
		}
		return decide(slices.Equal(keys(o.value), []string{"error"}), `a body with "error" only`, o.value)
	}},
	{id: "errors.unknown-path", judge: func(o *observed) observation {
		if o.Op != "" || !o.api() || !o.judged() || o.wrongMethod() {
			return silent
		}
		return decide(o.Status == http.StatusNotFound, "status 404", o.Status)
	}},
	{id: "errors.wrong-method", judge: func(o *observed) observation {
		if !o.wrongMethod() || !o.judged() && o.Status != http.StatusMethodNotAllowed {
			return silent
		}
		return decide(o.Status == http.StatusMethodNotAllowed && o.ResponseHeaders.Get("Allow") != "", "status 405 with Allow", fmt.Sprintf("status %d, Allow: %s", o.Status, o.ResponseHeaders.Get("Allow")))
	}},
	{id: "errors.bad-json", judge: answersWhen(func(o *observed) bool { return o.takesJSON() && !json.Valid([]byte(o.RequestBody.Text)) }, http.StatusBadRequest)},
	{id: "errors.no-object", judge: answersWhen(func(o *observed) bool {
		return o.takesJSON() && json.Valid([]byte(o.RequestBody.Text)) && o.sent == nil
	}, http.StatusBadRequest)},
	{id: "errors.unknown-members", judge: func(o *observed) observation {
		if o.ok() && o.takesJSON() && slices.ContainsFunc(keys(map[string]any(o.sent)), func(name string) bool { return !slices.Contains(operationOf(o.Op).Members, name) }) {
			return agrees
		}
		return silent
	}},
	{id: "errors.rate-limit", judge: func(o *observed) observation {
		if o.Status != http.StatusTooManyRequests {
			return silent
		}
		return decide(o.ResponseHeaders.Get("Retry-After") != "", "the header Retry-After", "none")
	}},
	{id: "auth.missing-401", judge: func(o *observed) observation {
		if !o.api() || o.Auth != "" {
			return silent
		}
		challenge := o.ResponseHeaders.Get("Www-Authenticate")
		return decide(o.Status == http.StatusUnauthorized && strings.HasPrefix(challenge, "Bearer"), "status 401 with WWW-Authenticate: Bearer", fmt.Sprintf("status %d, WWW-Authenticate: %s", o.Status, challenge))
	}},
	{id: "auth.invalid-401", judge: func(o *observed) observation {
		if o.api() && o.Auth != "" && o.Status == http.StatusUnauthorized {
			return agrees
		}
		return silent
	}},
	{id: "auth.before-path", judge: func(o *observed) observation {
		if !o.api() || o.Auth != "" || o.Op != "" {
			return silent
		}
		return decide(o.Status == http.StatusUnauthorized, "status 401", o.Status)
	}},
	{id: "auth.no-plan", judge: func(o *observed) observation {
		if _, tier := o.at("required_tier"); o.Status != http.StatusForbidden || o.Storage || tier {
			return silent
		}
		return decide(o.text("error") == "Your plan does not include API access.", "Your plan does not include API access.", o.value)
	}},
	{id: "tiers.body", judge: func(o *observed) observation {
		if _, tier := o.at("required_tier"); o.Status != http.StatusForbidden || !tier {
			return silent
		}
		return decide(slices.Equal(keys(o.value), []string{"current_tier", "error", "required_tier"}), "error, required_tier, and current_tier", o.value)
	}},
	{id: "errors.limit-digits", ops: []string{"listRecordings", "search"}, judge: answersWhen(func(o *observed) bool {
		return o.query.Has("limit") && (o.query.Get("limit") == "" || strings.Trim(o.query.Get("limit"), "0123456789") != "")
	}, http.StatusBadRequest)},
	{id: "errors.booleans", ops: []string{"getRecordingTranscript", "listClipSuggestions"}, judge: answersWhen(func(o *observed) bool {
		return notBoolean(o, "include_timestamp") || notBoolean(o, "generate")
	}, http.StatusBadRequest)},
}

func notBoolean(o *observed, name string) bool {
	return o.query.Has(name) && o.query.Get(name) != "true" && o.query.Get(name) != "false"
}

// isError reports whether the response is an error of /v1 that has the general form.
func (o *observed) isError() bool {
	_, byField := o.at("errors")
	return o.api() && o.Status >= 400 && o.Status != http.StatusNotImplemented && (o.Op != "createTranscript" || !byField)
}

// takesJSON reports whether the request has a body where the operation takes JSON.
func (o *observed) takesJSON() bool {
	return operationOf(o.Op).Members != nil && o.RequestBody.Whole() && o.RequestBody.Text != ""
}

func operationOf(id string) api.Operation {
	if i := slices.IndexFunc(api.Operations(), func(op api.Operation) bool { return op.ID == id }); i >= 0 {
		return api.Operations()[i]
	}
	return api.Operation{}
}

// eachMember agrees if all of the members that a response has, and that aren't null, have a shape.
func (o *observed) eachMember(s shape, paths ...string) observation {
	if !o.ok() {
		return silent
	}
	v := silent
	for _, path := range paths {
		got, found := o.at(path)
		switch {
		case !found || got == nil:
		case !s.fits(got):
			return disagrees(path+": "+s.name, got)
		default:
			v = agrees
		}
	}
	return v
}
