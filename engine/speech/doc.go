// Package speech has what adapters of speech services share. Words converts a server's segments, however incomplete or
// wrong, to the words of an engine.Transcription. Parts transcribes media of any length with a server that limits its
// input. Start with one of these two:
//
//	words := speech.Words(segments, "en", info.Duration)
//	t, err := speech.Parts{Media: media, Limits: limits, Concurrency: 4}.Transcribe(ctx, request, key, send)
package speech
