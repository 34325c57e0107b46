// Command floor answers every request with a fixed response like the sandbox's, using net/http alone. TestPeers measures it as the lower
// bound.
//
//	floor HOST:PORT
package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	const body = `{"spaces":[{"id":"00000000-0000-4000-8000-000000000030","name":"Sandbox","language":"en"}],"count":1}`
	log.Fatal(http.ListenAndServe(os.Args[1], http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	})))
}
