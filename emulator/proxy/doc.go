// Package proxy stands between a client and the service. It forwards every request, gives a copy of each exchange to a recorder, and can answer
// from what was recorded.
//
//	p, err := proxy.New(proxy.Config{To: "https://api.example.com", Recorder: recorder})
//	server := http.Server{Handler: p}
//
// Bodies are streamed in both directions and never held as a whole; only the first bytes of each are copied. The one exception is the JSON of
// an upload or a render, at most 1 MiB, in which the signed URL is replaced by one that leads through the proxy. See [Proxy] and [Replay].
package proxy
