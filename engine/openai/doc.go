// Package openai connects the engine to servers with OpenAI's API, at OpenAI or your own. Start with NewTranscriber for
// speech (OpenAI, speaches, LocalAI, vLLM, and the server of whisper.cpp), or with NewLLM for text (OpenAI, Ollama,
// llama.cpp, vLLM):
//
//	t, err := openai.NewTranscriber(openai.TranscriberConfig{Key: key, Media: media})
//	model, err := openai.NewLLM(openai.LLMConfig{URL: "http://127.0.0.1:11434/v1", Model: "llama3"})
package openai
