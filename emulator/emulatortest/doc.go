// Package emulatortest has the sandbox ready in one line of a Go test: a server of the test's own, with an address, a client that
// sends a secret, and worlds for tests that share a server. It is gone at the end of the test.
//
//	sandbox := emulatortest.New(t)
//	resp, err := sandbox.Client().Get(sandbox.URL + "/v1/recordings")
//
// What the control API does, a test does by methods, of the server or of one of its worlds: Clock advances the time, Faults makes requests
// go wrong, Webhooks receives and repeats messages, Requests tells what was asked, Wait waits for a status, Load plants a fixture.
//
//	sandbox.Faults.Next("createUpload").Times(2).Status(503)
//	sandbox.Clock.AdvanceUntil(recording, "completed")
//
// Inside a bubble of testing/synctest everything stays inside: nothing is listened on, rows and small files are in memory, sound in
// WAV files is read without ffmpeg, and the bubble's time is the clock, so that work takes as long as at the hosted service, and no
// time at all.
package emulatortest
