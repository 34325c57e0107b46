// Package record stores HTTP exchanges with a service in a folder, without secrets, and reads them back. `soundstage proxy --record`
// writes such a folder; replay, drift reports, fixtures, and conformance read it.
//
//	r, err := record.Create(dir, record.Options{To: "https://api.example.com"})
//	r.Add(record.Raw{Method: "GET", Path: "/v1/spaces", Status: 200})
//	err = r.Close()
//
//	f, err := record.Open(dir)
//	err = f.Each(func(x *record.Exchange) error { … })
//
// The folder has two files that only its owner can read. recording.json is the [Manifest]. exchanges.jsonl has one [Exchange] on each line,
// in the order in which they ended.
//
// Secrets never reach the disk. Headers that are not known to be harmless lose their value, and so does the query of a signed URL. Members
// of JSON whose name says that they are secret lose theirs. The secret that a request carried is removed wherever it is repeated.
package record
