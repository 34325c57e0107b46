// Package traffic stands between the clients of a world and its /v1. It remembers the exchanges — find them, count them, wait for
// them, export them as HAR — and breaks those that a fault was added for, each exactly as often as was asked.
//
// The control API has the same verbs, of the world that ?world= or X-Soundstage-World names:
//
//	GET    /_soundstage/requests?op=&status=&method=&path=&since=&limit=   the exchanges that fit, the oldest first
//	GET    /_soundstage/requests.har                                       the same as a HTTP Archive 1.2
//	POST   /_soundstage/requests/find   {match, limit}                     the same, by a Match
//	POST   /_soundstage/requests/count  {match}
//	POST   /_soundstage/requests/wait   {match, count, timeout_ms}         answers when so many fit; 408 in the end
//	DELETE /_soundstage/requests
//	POST   /_soundstage/faults          {match, do, times, probability, seed}
//	GET    /_soundstage/faults                                             what remains and what has fired
//	DELETE /_soundstage/faults          /_soundstage/faults/{id}
//	POST   /_soundstage/faults/verify                                      409 with the faults that never happened
//
// Faults are tried in the order in which they were added, and a request is hit by one at most. They come before everything that the API
// does, so that a request without a secret is hit too. Bodies are logged as they are, headers and queries without their secrets.
package traffic
