// Package backends opens the speech and language services that an engine uses. Start with a Config, and pass the ports
// that Config.Open returns to the engine:
//
//	b, err := backends.Config{
//		Transcriber: backends.Service{Kind: "whispercpp"},
//		LLM:         backends.Service{Kind: "openai", URL: "http://127.0.0.1:11434/v1", Model: "llama3"},
//	}.Open()
//
// Keys come from the environment or from files, never from a Config.
package backends
