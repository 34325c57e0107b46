// Package emulatortest starts a sandbox for a Go test in one line. The server has its own address, a client that sends an API
// secret, and isolated worlds for tests that share it. It ends with the test.
//
//	sandbox := emulatortest.New(t)
//	resp, err := sandbox.Client().Get(sandbox.URL + "/v1/recordings")
//
// Methods of the server and its worlds do what the control API does: Clock advances the time, Faults makes requests fail, Webhooks
// receives and resends messages, Requests reads the request log, Wait waits for a status, and Load applies a fixture.
//
//	sandbox.Faults.Next("createUpload").Times(2).Status(503)
//	sandbox.Clock.AdvanceUntil(recording, "completed")
//
// In a testing/synctest bubble, the sandbox needs no network. It keeps rows and small files in memory, reads WAV files without ffmpeg,
// and runs on the bubble's clock. So jobs take as long as at the hosted service, but no real time.
package emulatortest
