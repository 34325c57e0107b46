// Command scenario lives through a whole recording with the client that oapi-codegen makes of the contract: the package client
// beside it, which is not kept. It prints what it does, and ends with 1 at the first answer that isn't the one it expects.
//
// Its environment: BASE_URL of the server, SECRET of its platform tier and CORE_SECRET of its core tier, MEDIA, a file with
// speech, MEDIA_URL, where the server can download the same, and HOOK_URL, which takes webhooks.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"scenario/client"
)

func main() {
	a := newActor(os.Getenv("SECRET"))
	for _, step := range []struct {
		name string
		run  func(*actor)
	}{
		{"spaces", (*actor).spaces},
		{"upload", (*actor).upload},
		{"recording", (*actor).record},
		{"transcript", (*actor).read},
		{"speakers", (*actor).nameSpeakers},
		{"prompts", (*actor).writePrompt},
		{"outputs", (*actor).generate},
		{"chat", (*actor).ask},
		{"clip suggestions", (*actor).suggest},
		{"render", (*actor).render},
		{"search", (*actor).search},
		{"usage", (*actor).measure},
		{"import", (*actor).importURL},
		{"transcription of a URL", (*actor).transcribeURL},
		{"webhooks", (*actor).subscribe},
		{"errors", (*actor).beRefused},
	} {
		fmt.Println(step.name)
		step.run(a)
	}
}

// actor is one user and what the steps so far have made.
type actor struct {
	ctx context.Context
	api *client.ClientWithResponses

	spaceID     string
	objectID    string
	recordingID string
	word        string // that is said in the recording
	speakerID   string
	promptID    string
	suggestion  client.Suggestion
}

func newActor(secret string) *actor {
	api, err := client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(
		func(_ context.Context, req *http.Request) error {
			req.Header.Set("Authorization", "Bearer "+secret)
			return nil
		}))
	must(err)
	return &actor{ctx: context.Background(), api: api}
}

// answer is what all answers of the client have.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

// ok returns an answer that came at all.
func ok[A answer](a A, err error) A {
	must(err)
	return a
}

// want returns the typed body of an answer; it is nil when the answer was another one than expected.
func want[B any](a answer, body *B) B {
	if body == nil {
		fail("answered with %d: %s", a.StatusCode(), a.GetBody())
	}
	return *body
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

// check fails unless something holds.
func check(holds bool, format string, args ...any) {
	if !holds {
		fail(format, args...)
	}
}

func fail(format string, args ...any) {
	fmt.Printf("  "+format+"\n", args...)
	os.Exit(1)
}

const (
	patience = 90 * time.Second
	pause    = 20 * time.Millisecond
)

// until polls until done returns true.
func until(what string, done func() bool) {
	for deadline := time.Now().Add(patience); !done(); time.Sleep(pause) {
		check(time.Now().Before(deadline), "%s: not within %s", what, patience)
	}
}

func ptr[T any](v T) *T { return &v }
