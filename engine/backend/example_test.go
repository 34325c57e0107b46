package backend_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/soundstage-dev/soundstage/engine/backend"
)

// Record a server's response once, then replay it without the server.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"text":"hello"}`)
	}))
	dir, err := os.MkdirTemp("", "exchanges")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ask := func(url string, transport http.RoundTripper) {
		c, err := backend.New(backend.Config{Name: "The server", URL: url, Transport: transport, Header: map[string]string{"Authorization": "Bearer secret"}})
		if err != nil {
			panic(err)
		}
		var answer struct{ Text string }
		if err := c.Get(context.Background(), backend.Request{Path: "/say", Body: backend.Bytes("text/plain", []byte("hi"))}, &answer); err != nil {
			panic(err)
		}
		fmt.Println(answer.Text)
	}

	recorder, err := backend.NewRecorder(backend.RecorderConfig{Dir: dir})
	if err != nil {
		panic(err)
	}
	ask(server.URL, recorder)
	server.Close()

	player, err := backend.NewPlayer(dir)
	if err != nil {
		panic(err)
	}
	ask("http://anywhere", player)
	entries, _ := os.ReadDir(dir)
	fmt.Println(entries[0].Name())
	// Output:
	// hello
	// hello
	// 000001-POST-say.json
}
