// Package backend is the HTTP client for adapters of speech and language services. A Client sends one request at a time,
// turns failures into engine errors, limits size and time, and decodes responses leniently. Start with New:
//
//	c, err := backend.New(backend.Config{Name: "OpenAI", URL: "https://api.openai.com/v1", Header: header})
//	err = c.Get(ctx, backend.Request{Path: "/models"}, &models)
//
// A Recorder writes exchanges to a folder, and a Player replays them without a network.
//
// Responses are untrusted. A server's own error text goes to the log, never to a user.
package backend
