// Package deepgram implements engine.Transcriber with Deepgram's listen endpoint for pre-recorded media. Start with New:
//
//	t, err := deepgram.New(deepgram.Config{Key: key})
//
// A transcription is one request with the media as its body; the response has the words. The server keeps no job that a
// later attempt could poll. The response is stored in the request's notes immediately, so that nothing is paid for twice
// after a crash.
//
// Source: https://developers.deepgram.com/reference, as of November 2026.
package deepgram
