// Package openai talks to servers of OpenAI's protocol, at OpenAI or at home. Its Transcriber hears speech (OpenAI, speaches, LocalAI, vLLM,
// and the server that comes with whisper.cpp), its language model writes texts by chat completions (OpenAI, Ollama, llama.cpp, vLLM).
package openai
