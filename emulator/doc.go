// Package emulator is the sandbox as a library: the Transcription and Content Service's /v1 over an engine, on a real socket,
// with users and secrets that are always the same. `soundstage serve` is this package and flags.
package emulator
