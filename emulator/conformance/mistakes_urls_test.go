package conformance_test

// urlMistakes is what it can do wrong about transcripts of URLs.
func urlMistakes() []mistake {
	return []mistake{
		{name: "a transcript is 200", method: "POST", path: "/v1/transcripts$", status: [2]int{201, 200}, fails: []string{"transcripts.create.status-201"}},
		{name: "a transcript is processing at once", method: "POST", path: "/v1/transcripts$", edit: set("processing", "status"), fails: []string{"transcripts.create.queued"}},
		{name: "invalid is 422", method: "POST", path: "/v1/transcripts$", status: [2]int{400, 422}, fails: []string{"transcripts.create.invalid-400"}},
		{name: "no valid", method: "POST", path: "/v1/transcripts$", edit: drop("valid"), fails: []string{"transcripts.create.valid-false"}},
		{name: "one wrong field at a time", method: "POST", path: "/v1/transcripts$", edit: func(v map[string]any) {
			if e, ok := v["errors"].(map[string]any); ok && len(e) > 3 {
				delete(e, "language_detection")
			}
		}, fails: []string{"transcripts.create.all-fields"}},
		{name: "an unknown code", method: "POST", path: "/v1/transcripts$", request: replaceBody(`"language_code":"sv"`, `"language_code":"xx"`), fails: []string{"languages.supported"}},
		{name: "one speaker", method: "GET", path: "/v1/transcripts/", edit: every("utterances", set("Speaker 0", "speaker")), fails: []string{"service.diarization-default"}},
		{name: "no utterances", method: "GET", path: "/v1/transcripts/", edit: drop("utterances"), fails: []string{"transcript.field.utterances"}},
		{name: "a duration of text", method: "GET", path: "/v1/transcripts/", edit: set("28", "audio_duration"), fails: []string{"transcript.field.audio_duration"}},
		{name: "no error of a failure", method: "GET", path: "/v1/transcripts/", edit: when("status", "error", drop("error")), fails: []string{"transcript.field.error"}},
	}
}
