package conformance_test

// contentMistakes returns mistakes about generation, outputs, and chats.
func contentMistakes() []mistake {
	const generate, outputs, output, chat = "/v1/recordings/*/generate$", "/v1/recordings/*/outputs$", "/v1/outputs/*$", "/v1/chat/*$"
	return []mistake{
		{name: "prompt and prompt_id are accepted together", method: "POST", path: generate, request: replaceBody(`"prompt":"Summarize.","prompt_id"`, `"prompt_id"`),
			fails: []string{"generate.exactly-one", "generate.exactly-one-400"}},
		{name: "generation returns 201", method: "POST", path: generate, status: [2]int{202, 201}, fails: []string{"generate.status-202"}},
		{name: "generation returns completed", method: "POST", path: generate, edit: set("completed", "status"), fails: []string{"states.output.entry", "generate.queued"}},
		{name: "a custom output has a built-in type", method: "POST", path: generate, edit: set("episode_overview", "output_type"), fails: []string{"generate.output_type"}},
		{name: "the output names another prompt", method: "POST", path: generate, edit: set("00000000-0000-4000-8000-000000000000", "prompt_id"), fails: []string{"generate.prompt_id", "generate.prompt_id.null-for-one-off"}},
		{name: "not ready returns 409", method: "POST", path: generate, status: [2]int{400, 409}, fails: []string{"generate.exactly-one-400", "generate.not-ready-400", "generate.builtin-400"}},
		{name: "not ready omits the status", method: "POST", path: generate, edit: set("Not yet.", "error"), fails: []string{"generate.not-ready-sentence"}},
		{name: "an output has no text", method: "GET", path: output, edit: set("", "text"), fails: []string{"output.field.text"}},
		{name: "a completed output has an error", method: "GET", path: output, edit: set("None.", "error"), fails: []string{"outputs.get.shape"}},
		{name: "the type filter is ignored", method: "GET", path: outputs, edit: every("outputs", set("quotes", "output_type")), fails: []string{"recordings.outputs.type"}},

		{name: "11 recordings are accepted", method: "POST", path: "/v1/chat$", bodyContains: "capped at 10", status: [2]int{400, 202}, fails: []string{"chat.create.at-most-ten", "chat.create.capped-sentence"}},
		{name: "a chat returns 200", method: "POST", path: "/v1/chat$", status: [2]int{202, 200}, fails: []string{"chat.create.status-202"}},
		{name: "a queued chat has an answer", method: "POST", path: "/v1/chat$", edit: when("status", "queued", func(v map[string]any) { v["answer"] = "" }), fails: []string{"states.chat.queued-null"}},
		{name: "a completed chat has no answer", method: "GET", path: chat, edit: set(nil, "answer"), fails: []string{"states.chat.completed-answer"}},
		{name: "a chat starts as processing", method: "POST", path: "/v1/chat$", edit: set("processing", "status"), fails: []string{"chat.create.queued", "states.chat.entry", "states.chat.values"}},
		{name: "a chat has no recordings", method: "GET", path: chat, edit: set([]any{}, "recording_ids"), fails: []string{"chat.field.recording_ids", "chat.create.several"}},
	}
}
