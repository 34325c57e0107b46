package conformance_test

// importMistakes is what a server can do wrong about imports.
func importMistakes() []mistake {
	return []mistake{
		{name: "an import is 200", method: "POST", path: "/v1/imports$", status: [2]int{202, 200}, fails: []string{"imports.create.status-202"}},
		{name: "an import is processing at once", method: "POST", path: "/v1/imports$", edit: set("processing", "status"),
			fails: []string{"imports.create.queued", "states.import.entry"}},
		{name: "progress begins in the middle", method: "POST", path: "/v1/imports$", edit: set(0.5, "progress"), fails: []string{"imports.create.progress-0"}},
		{name: "a source of another kind", method: "POST", path: "/v1/imports$", edit: set("upload", "source"), fails: []string{"import.field.source"}},
		{name: "no error member", method: "POST", path: "/v1/imports$", edit: when("status", "queued", drop("error")), fails: []string{"imports.create.error-null", "imports.get.same-object"}},
		{name: "progress stays behind", method: "GET", path: "/v1/imports/*$", edit: set(0.99, "progress"), fails: []string{"import.progress.whole"}},
		{name: "no recording of an import", method: "GET", path: "/v1/imports/*$", edit: set(nil, "recording_id"), fails: []string{"states.import.recording"}},
		{name: "an unknown import is 400", method: "GET", path: "/v1/imports/*$", status: [2]int{404, 400}, fails: []string{"imports.get.unknown", "isolation.imports"}},
		{name: "an import of anything", method: "POST", path: "/v1/imports$", status: [2]int{400, 202}, fails: []string{"imports.create.url-required", "imports.create.bad-url"}},
	}
}
