package conformance_test

import "sync"

// peopleMistakes returns mistakes about speakers, their assignment, and prompts.
func peopleMistakes() []mistake {
	const speakers, speaker, labels = "/v1/spaces/*/speakers$", "/v1/speakers/*$", "/v1/recordings/*/speakers$"
	const assign, unassign = "/v1/recordings/*/speakers/assign$", "/v1/recordings/*/speakers/unassign$"
	return []mistake{
		{name: "listed speakers have emoji", method: "GET", path: speakers, edit: every("speakers", func(s map[string]any) { s["emoji"] = "🎙" }),
			fails: []string{"speakers.list.without-emoji"}},
		{name: "the list has no space", method: "GET", path: speakers, edit: drop("space"), fails: []string{"speakers.list.space"}},
		{name: "the list omits the new speaker", method: "GET", path: speakers, edit: set([]any{}, "speakers"), fails: []string{"speaker.field.id", "speaker.field.name", "speaker.field.email", "speaker.field.bio", "speaker.field.pronouns", "speaker.field.role", "speaker.field.ai_summary", "speakers.list.speaker", "speakers.list.count", "speakers.create", "speakers.create.role", "speakers.update"}},
		{name: "a speaker has another role", method: "GET", path: speakers, edit: every("speakers", set("Guest", "role")), fails: []string{"speakers.create.role"}},
		{name: "a speaker has no ai_summary", method: "GET", path: speakers, edit: every("speakers", drop("ai_summary")), fails: []string{"speaker.field.ai_summary"}},
		{name: "unknown roles are accepted", method: "POST", path: speakers, status: [2]int{400, 201}, fails: []string{"speakers.create.name-required", "speakers.create.unknown-role"}},
		{name: "a role of another space is accepted", method: "PATCH", path: speaker, status: [2]int{400, 200}, fails: []string{"speakers.update.foreign-role", "speakers.update.foreign-role-400"}},
		{name: "a role of another space returns 404", method: "PATCH", path: speaker, status: [2]int{400, 404}, fails: []string{"speakers.update.foreign-role-400"}},
		{name: "the response to an update has the old name", method: "PATCH", path: speaker, edit: set("before", "speaker", "name"), fails: []string{"speakers.update.status-200"}},
		{name: "labels are names", method: "GET", path: labels, edit: every("speakers", set("Ada", "label")), fails: []string{"labels.list.raw-labels", "labels.list.every-label", "labels.assign", "labels.assign.replaces"}},
		{name: "labels are always assigned", method: "GET", path: labels, edit: every("speakers", set(map[string]any{"id": "1"}, "speaker")), fails: []string{"labels.list.null-when-unassigned", "labels.list.speaker-shape", "labels.assign", "labels.assign.replaces", "labels.unassign"}},
		{name: "labels are never assigned", method: "GET", path: labels, edit: every("speakers", set(nil, "speaker")), fails: []string{"labels.list.speaker-shape", "labels.assign", "labels.assign.replaces"}},
		{name: "assigning doesn't replace", method: "GET", path: labels, edit: firstSpeaker(), fails: []string{"labels.assign.replaces"}},
		{name: "any label is accepted", method: "POST", path: assign, status: [2]int{400, 200}, fails: []string{"labels.assign.label-required", "labels.assign.speaker-required", "labels.assign.label-of-transcript", "labels.assign.unknown-label-400"}},
		{name: "a speaker of another space returns 400", method: "POST", path: assign, status: [2]int{404, 400}, fails: []string{"labels.assign.foreign-speaker-404", "isolation.labels"}},
		{name: "the response to an assignment has no speaker", method: "POST", path: assign, edit: drop("speaker"), fails: []string{"labels.assign.body"}},
		{name: "an unassigned speaker is accepted", method: "POST", path: unassign, status: [2]int{404, 200}, fails: []string{"labels.unassign.not-assigned-404"}},

		{name: "the library has no built-in prompts", method: "GET", path: "/v1/prompts$", edit: every("prompts", set("dynamic", "type")), fails: []string{"prompts.builtin-types", "prompts.list.library"}},
		{name: "prompts have no disabled member", method: "GET", path: "/v1/prompts$", edit: every("prompts", drop("disabled")), fails: []string{"prompt.field.disabled"}},
		{name: "prompts of another space", method: "GET", path: "/v1/prompts$", edit: set("00000000-0000-4000-8000-000000000000", "space", "id"), fails: []string{"prompts.list.default-space", "prompts.list.space_id", "auth.default-space"}},
		{name: "a wrong count of prompts", method: "GET", path: "/v1/prompts$", edit: set(1, "count"), fails: []string{"prompts.list.count"}},
		{name: "an incomplete prompt is accepted", method: "POST", path: "/v1/prompts$", status: [2]int{400, 201}, fails: []string{"prompts.create.name-required", "prompts.create.prompt-required", "prompts.create.missing-400", "tiers.cumulative"}},
		{name: "a prompt returns 200", method: "POST", path: "/v1/prompts$", status: [2]int{201, 200}, fails: []string{"prompts.create.status-201"}},
	}
}

// firstSpeaker replaces every assigned speaker by the first one that it sees.
func firstSpeaker() func(map[string]any) {
	var mu sync.Mutex
	var first any
	return every("speakers", func(item map[string]any) {
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = item["speaker"]
		}
		if item["speaker"] != nil {
			item["speaker"] = first
		}
	})
}
