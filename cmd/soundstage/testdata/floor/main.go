// Command floor is what net/http alone takes for an answer like the sandbox's: TestPeers measures it beside the others.
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
