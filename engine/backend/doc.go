// Package backend is how adapters of speech and language services talk to them over HTTP: one exchange at a time, with its errors made
// the engine's, its size and time bounded, and its answer read leniently. An exchange can be kept in a folder, and be answered from there
// without a network (Recorder, Player).
//
// Answers are untrusted. What a server says about an error goes to the log, never to a user.
package backend
