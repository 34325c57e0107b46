package conformance_test

// contentMistakes is what a server can do wrong about generation, outputs and chats.
func contentMistakes() []mistake {
	const generate, outputs, output, chat = "/v1/recordings/*/generate$", "/v1/recordings/*/outputs$", "/v1/outputs/*$", "/v1/chat/*$"
	return []mistake{
		{name: "both prompts are taken", method: "POST", path: generate, request: replaceBody(`"prompt":"Summarize.","prompt_id"`, `"prompt_id"`),
			fails: []string{"generate.exactly-one", "generate.exactly-one-400"}},
		{name: "generation is 201", method: "POST", path: generate, status: [2]int{202, 201}, fails: []string{"generate.status-202"}},
		{name: "generation is over at once", method: "POST", path: generate, edit: set("completed", "status"), fails: []string{"states.output.entry", "generate.queued"}},
		{name: "custom outputs of a built-in type", method: "POST", path: generate, edit: set("episode_overview", "output_type"), fails: []string{"generate.output_type"}},
		{name: "another prompt than asked for", method: "POST", path: generate, edit: set("00000000-0000-4000-8000-000000000000", "prompt_id"), fails: []string{"generate.prompt_id", "generate.prompt_id.null-for-one-off"}},
		{name: "not ready is 409", method: "POST", path: generate, status: [2]int{400, 409}, fails: []string{"generate.exactly-one-400", "generate.not-ready-400", "generate.builtin-400"}},
		{name: "not ready without the status", method: "POST", path: generate, edit: set("Not yet.", "error"), fails: []string{"generate.not-ready-sentence"}},
		{name: "an output without text", method: "GET", path: output, edit: set("", "text"), fails: []string{"output.field.text"}},
		{name: "an output with a failure", method: "GET", path: output, edit: set("None.", "error"), fails: []string{"outputs.get.shape"}},
		{name: "outputs of every type", method: "GET", path: outputs, edit: every("outputs", set("quotes", "output_type")), fails: []string{"recordings.outputs.type"}},

		{name: "11 recordings are taken", method: "POST", path: "/v1/chat$", saying: "capped at 10", status: [2]int{400, 202}, fails: []string{"chat.create.at-most-ten", "chat.create.capped-sentence"}},
		{name: "a chat is 200", method: "POST", path: "/v1/chat$", status: [2]int{202, 200}, fails: []string{"chat.create.status-202"}},
		{name: "an answer while it is queued", method: "POST", path: "/v1/chat$", edit: when("status", "queued", func(v map[string]any) { v["answer"] = "" }), fails: []string{"states.chat.queued-null"}},
		{name: "a chat without an answer", method: "GET", path: chat, edit: set(nil, "answer"), fails: []string{"states.chat.completed-answer"}},
		{name: "a chat is processing", method: "POST", path: "/v1/chat$", edit: set("processing", "status"), fails: []string{"chat.create.queued", "states.chat.entry", "states.chat.values"}},
		{name: "a chat about nothing", method: "GET", path: chat, edit: set([]any{}, "recording_ids"), fails: []string{"chat.field.recording_ids", "chat.create.several"}},
	}
}
