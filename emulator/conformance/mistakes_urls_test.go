package conformance_test

// urlMistakes returns mistakes about transcripts of URLs.
func urlMistakes() []mistake {
	return []mistake{
		{name: "a transcript returns 200", method: "POST", path: "/v1/transcripts$", status: [2]int{201, 200}, fails: []string{"transcripts.create.status-201"}},
		{name: "a transcript starts as processing", method: "POST", path: "/v1/transcripts$", edit: set("processing", "status"), fails: []string{"transcripts.create.queued"}},
		{name: "invalid returns 422", method: "POST", path: "/v1/transcripts$", status: [2]int{400, 422}, fails: []string{"transcripts.create.invalid-400"}},
		{name: "the error has no valid member", method: "POST", path: "/v1/transcripts$", edit: drop("valid"), fails: []string{"transcripts.create.valid-false"}},
		{name: "an invalid field is not reported", method: "POST", path: "/v1/transcripts$", edit: func(v map[string]any) {
			if e, ok := v["errors"].(map[string]any); ok && len(e) > 3 {
				delete(e, "language_detection")
			}
		}, fails: []string{"transcripts.create.all-fields"}},
		{name: "a supported language is rejected", method: "POST", path: "/v1/transcripts$", request: replaceBody(`"language_code":"sv"`, `"language_code":"xx"`), fails: []string{"languages.supported"}},
		{name: "all utterances have one speaker", method: "GET", path: "/v1/transcripts/", edit: every("utterances", set("Speaker 0", "speaker")), fails: []string{"service.diarization-default"}},
		{name: "no utterances", method: "GET", path: "/v1/transcripts/", edit: drop("utterances"), fails: []string{"transcript.field.utterances"}},
		{name: "audio_duration is a string", method: "GET", path: "/v1/transcripts/", edit: set("28", "audio_duration"), fails: []string{"transcript.field.audio_duration"}},
		{name: "a failed transcript has no error", method: "GET", path: "/v1/transcripts/", edit: when("status", "error", drop("error")), fails: []string{"transcript.field.error"}},
	}
}
