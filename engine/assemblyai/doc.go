// Package assemblyai is engine.Transcriber over AssemblyAI's API for media that is recorded already: the media is uploaded as it is, a
// transcript is asked for, and then asked after until it is there. What was uploaded and the transcript's id are noted before anything
// waits for them, so that a try after a crash goes on with the same transcript and nothing is paid for twice.
//
// Source: https://www.assemblyai.com/docs/api-reference, as of November 2026.
package assemblyai
