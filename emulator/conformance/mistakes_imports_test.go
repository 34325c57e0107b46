package conformance_test

// importMistakes returns mistakes about imports.
func importMistakes() []mistake {
	return []mistake{
		{name: "an import returns 200", method: "POST", path: "/v1/imports$", status: [2]int{202, 200}, fails: []string{"imports.create.status-202"}},
		{name: "an import starts as processing", method: "POST", path: "/v1/imports$", edit: set("processing", "status"),
			fails: []string{"imports.create.queued", "states.import.entry"}},
		{name: "progress starts at 0.5", method: "POST", path: "/v1/imports$", edit: set(0.5, "progress"), fails: []string{"imports.create.progress-0"}},
		{name: "source is upload", method: "POST", path: "/v1/imports$", edit: set("upload", "source"), fails: []string{"import.field.source"}},
		{name: "a queued import has no error member", method: "POST", path: "/v1/imports$", edit: when("status", "queued", drop("error")), fails: []string{"imports.create.error-null", "imports.get.same-object"}},
		{name: "progress ends at 0.99", method: "GET", path: "/v1/imports/*$", edit: set(0.99, "progress"), fails: []string{"import.progress.whole"}},
		{name: "a completed import has no recording", method: "GET", path: "/v1/imports/*$", edit: set(nil, "recording_id"), fails: []string{"states.import.recording"}},
		{name: "an unknown import returns 400", method: "GET", path: "/v1/imports/*$", status: [2]int{404, 400}, fails: []string{"imports.get.unknown", "isolation.imports"}},
		{name: "any request is accepted", method: "POST", path: "/v1/imports$", status: [2]int{400, 202}, fails: []string{"imports.create.url-required", "imports.create.bad-url"}},
	}
}
