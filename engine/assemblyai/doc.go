// Package assemblyai implements engine.Transcriber with AssemblyAI's API for pre-recorded media. Start with New:
//
//	t, err := assemblyai.New(assemblyai.Config{Key: key})
//
// A transcription uploads the media unchanged, requests a transcript, and polls until it is complete. It stores the
// upload's URL and the transcript's ID in the request's notes before it waits, so that an attempt after a crash continues
// with the same transcript and nothing is paid for twice.
//
// Source: https://www.assemblyai.com/docs/api-reference, as of November 2026.
package assemblyai
