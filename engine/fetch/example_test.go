package fetch_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fetch"
)

func ExampleNew() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "audio/mpeg")
		_, _ = w.Write([]byte("ID3"))
	}))
	defer server.Close()

	var file bytes.Buffer
	_, err := fetch.New(fetch.Config{}).Fetch(context.Background(), engine.FetchRequest{URL: "http://127.0.0.1/a.mp3"}, &file)
	fmt.Println(engine.CodeOf(err), "-", engine.Message(err))

	sandbox := fetch.New(fetch.Config{AllowPrivate: true})
	info, err := sandbox.Fetch(context.Background(), engine.FetchRequest{URL: server.URL + "/episode.mp3"}, &file)
	fmt.Println(info.Filename, info.ContentType, info.Size, err)
	// Output:
	// not_public - url must resolve to a public address
	// episode.mp3 audio/mpeg 3 <nil>
}

func ExampleCheckURL() {
	u, err := fetch.CheckURL("HTTPS://Example.com.:443/my show.mp3#t=10")
	fmt.Println(u, err)
	_, err = fetch.CheckURL("http://0x7f.1/")
	fmt.Println(engine.Message(err))
	// Output:
	// https://example.com/my%20show.mp3 <nil>
	// url must resolve to a public address
}

func ExamplePublic() {
	fmt.Println(fetch.Public(netip.MustParseAddr("8.8.8.8")))
	fmt.Println(fetch.Public(netip.MustParseAddr("::ffff:169.254.169.254")))
	// Output:
	// true
	// false
}

func ExampleDirectLink() {
	fmt.Println(fetch.DirectLink("https://www.dropbox.com/scl/fi/abc/show.mp3?rlkey=key&dl=0"))
	fmt.Println(fetch.DirectLink("https://example.com/show.mp3"))
	// Output:
	// https://www.dropbox.com/scl/fi/abc/show.mp3?rlkey=key&dl=1 Dropbox
	// https://example.com/show.mp3
}

func ExampleNewSender() {
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprint(w, "busy: ", r.Header.Get("Webhook-Id"))
	}))
	defer receiver.Close()

	sender := fetch.NewSender(fetch.Config{AllowPrivate: true})
	defer sender.Close()
	answer, err := sender.Send(context.Background(), engine.SendRequest{
		URL: receiver.URL, Header: map[string]string{"webhook-id": "msg_1"}, Body: []byte(`{"type":"transcript.completed"}`),
	})
	fmt.Println(answer.Status, string(answer.Body), answer.RetryAfter, err)
	// Output: 503 busy: msg_1 30s <nil>
}

func ExampleNewYTDLP() {
	_, err := fetch.NewYTDLP(fetch.YTDLPConfig{Path: "/opt/yt-dlp/that/is/not/there"})
	fmt.Println(engine.CodeOf(err), "-", engine.Message(err))
	// Output: unavailable - Pages of video and audio sites can't be imported because yt-dlp is not installed.
}
