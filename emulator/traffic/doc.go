// Package traffic records the HTTP exchanges between clients and a world's /v1, and injects faults into them. Exchanges can be found,
// counted, waited for, and exported as HAR. Start with New and wrap the API's handler:
//
//	t := traffic.New(traffic.Config{})
//	server := httptest.NewServer(t.Wrap(api))
//	t.AddFault(traffic.Fault{Match: traffic.FaultMatch{Op: "createUpload"}, Do: traffic.Do{Status: 503}, Times: 2})
//	t.Wait(ctx, traffic.Match{Op: "createUpload", Status: "201"}, 1) // returns when the client's third try succeeds
//
// The control API offers the same for the world named by ?world= or X-Soundstage-World:
//
//	GET    /_soundstage/requests?op=&status=&method=&path=&since=&limit=   matching exchanges, oldest first
//	GET    /_soundstage/requests.har                                       the same as an HTTP Archive 1.2
//	POST   /_soundstage/requests/find   {match, limit}                     the same by a Match
//	POST   /_soundstage/requests/count  {match}
//	POST   /_soundstage/requests/wait   {match, count, timeout_ms}         responds when count exchanges match; 408 on timeout
//	DELETE /_soundstage/requests
//	POST   /_soundstage/faults          {match, do, times, probability, seed}
//	GET    /_soundstage/faults                                             remaining and fired faults
//	DELETE /_soundstage/faults          /_soundstage/faults/{id}
//	POST   /_soundstage/faults/verify                                      409 with the faults that never fired
//
// Faults are tried in the order they were added, and at most one hits a request. They run before the API, so they also hit requests
// without a secret. Headers, queries, and bodies are logged without secrets.
package traffic
