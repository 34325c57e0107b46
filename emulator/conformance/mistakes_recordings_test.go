package conformance_test

import (
	"net/url"
	"strings"
)

// recordingMistakes returns mistakes about recordings and their lists.
func recordingMistakes() []mistake {
	return []mistake{
		{name: "no count", method: "GET", path: "/v1/recordings$", edit: drop("count"), fails: []string{"recordings.list.count"}},
		{name: "a wrong count", method: "GET", path: "/v1/recordings$", edit: set(77, "count"), fails: []string{"recordings.list.count.of-page"}},
		{name: "no next_cursor", method: "GET", path: "/v1/recordings$", edit: drop("next_cursor"), fails: []string{"recordings.list.next_cursor"}},
		{name: "the list ends too early", method: "GET", path: "/v1/recordings$", edit: set(nil, "next_cursor"), fails: []string{"recordings.list.cursor.until-null"}},
		{name: "oldest first", method: "GET", path: "/v1/recordings$", edit: reversed("recordings"), fails: []string{"recordings.list.newest-first"}},
		{name: "limit is ignored", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if q.Get("limit") == "1" {
				q.Del("limit")
			}
		}), fails: []string{"recordings.list.limit"}},
		{name: "the default page is larger", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if !q.Has("limit") {
				q.Set("limit", "30")
			}
		}), fails: []string{"recordings.list.limit.default-25"}},
		{name: "any cursor is accepted", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if q.Get("cursor") == "unrecognizable" {
				q.Del("cursor")
			}
		}), fails: []string{"recordings.list.cursor.unrecognizable"}},
		{name: "limit 0 is accepted", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if q.Get("limit") == "0" {
				q.Del("limit")
			}
		}), fails: []string{"recordings.list.limit.zero"}},
		{name: "titles are matched case-sensitively", method: "GET", path: "/v1/recordings$", request: query(func(q url.Values) {
			if s := q.Get("query"); s != strings.ToLower(s) {
				q.Set("query", "nothing-"+s)
			}
		}), fails: []string{"recordings.list.query.folds-case"}},
		{name: "a list item has fewer members", method: "GET", path: "/v1/recordings$", edit: every("recordings", drop("rss")), fails: []string{"recordings.get.same-shape"}},
		{name: "no language", method: "GET", path: "/v1/recordings", edit: everyRecording(drop("language")), fails: []string{"recording.field.language"}},
		{name: "no rss", method: "GET", path: "/v1/recordings", edit: everyRecording(drop("rss")), fails: []string{"recording.field.rss", "recording.rss.null-for-uploads", "recording.rss.null-for-imports"}},
		{name: "number is a string", method: "GET", path: "/v1/recordings", edit: everyRecording(set("7", "number")), fails: []string{"recording.field.number"}},
		{name: "times have another zone", method: "GET", path: "/v1/recordings", edit: everyRecording(set("2026-01-02T03:04:05+02:00", "created_at")),
			fails: []string{"recording.field.created_at", "recording.published_at.creation", "recording.published_at.imports", "answers.timestamps"}},
		{name: "has_transcript is always false", method: "GET", path: "/v1/recordings", edit: everyRecording(set(false, "has_transcript")),
			fails: []string{"recording.has_transcript.completed"}},
		{name: "every recording has the same number", method: "POST", path: "/v1/recordings$", edit: everyRecording(set(7, "number")), fails: []string{"recording.number.per-space"}},
		{name: "the title is replaced", method: "POST", path: "/v1/recordings$", edit: everyRecording(set("Untitled", "title")),
			fails: []string{"recording.title.default-filename", "recordings.create.title"}},
		{name: "missing bytes return 400", method: "POST", path: "/v1/recordings$", status: [2]int{422, 400},
			fails: []string{"recordings.create.never-arrived", "recordings.create.wrong-size"}},
		{name: "unknown objects return 400", method: "POST", path: "/v1/recordings$", status: [2]int{404, 400}, fails: []string{"recordings.create.unknown-object"}},
		{name: "creating returns 200", method: "POST", path: "/v1/recordings$", status: [2]int{201, 200}, fails: []string{"recordings.create.status-201"}},
		{name: "an object is accepted twice", method: "POST", path: "/v1/recordings$", status: [2]int{409, 201}, fails: []string{"recordings.create.twice"}},
	}
}

// everyRecording changes each recording of a body, single or listed.
func everyRecording(change func(map[string]any)) func(map[string]any) {
	return func(v map[string]any) {
		if r, ok := v["recording"].(map[string]any); ok {
			change(r)
		}
		every("recordings", change)(v)
	}
}
