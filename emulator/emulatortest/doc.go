// Package emulatortest has the sandbox ready in one line of a Go test: a server of the test's own, with an address, a client that
// sends a secret, and worlds for tests that share a server. It is gone at the end of the test.
//
//	sandbox := emulatortest.New(t)
//	resp, err := sandbox.Client().Get(sandbox.URL + "/v1/recordings")
//
// Inside a bubble of testing/synctest everything stays inside: nothing is listened on, rows and small files are in memory, sound in
// WAV files is read without ffmpeg, and the bubble's time is the clock, so that work takes as long as at the hosted service, and no
// time at all.
package emulatortest
