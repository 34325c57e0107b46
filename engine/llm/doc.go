// Package llm makes a language model do the engine's text work: it generates content, answers questions, suggests clips,
// and translates. It writes the prompts, fits them into the model's context, parses responses leniently, and makes their
// text safe to show. A Completer connects it to an API; packages openai and anthropic have one each, and return the
// *Model for it. Start with New:
//
//	model, err := llm.New(llm.Config{Completer: completer, ContextTokens: 32_000})
//	text, err := model.Write(ctx, request)
//
// Transcripts, titles, names, prompts, and context prompts are untrusted data. They are placed between fences that nobody
// can forge (see fence), under rules that say so. The model has no tools, and nothing is fetched. Its response is
// untrusted too: times and citations are numbers that are looked up, and no HTML, image, or hidden link stays in a text.
// Nothing fully prevents prompt injection (OWASP LLM01); these measures limit what it can achieve.
package llm
