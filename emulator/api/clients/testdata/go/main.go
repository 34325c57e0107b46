// Command scenario runs through the life of a recording. It uses the client that oapi-codegen generates from the contract into the package
// client, which is not committed. It prints each step and exits with 1 at the first unexpected response.
//
// Environment: BASE_URL of the server; SECRET of its platform tier; CORE_SECRET of its core tier; MEDIA, a file with speech; MEDIA_URL, the
// same file for the server to download; HOOK_URL, a receiver of webhooks.
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

// actor is one user with the resources that the steps have created so far.
type actor struct {
	ctx context.Context
	api *client.ClientWithResponses

	spaceID     string
	objectID    string
	recordingID string
	word        string // spoken in the recording
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

// answer is the common interface of the client's responses.
type answer interface {
	StatusCode() int
	GetBody() []byte
}

// ok returns a response and fails if there is none.
func ok[A answer](a A, err error) A {
	must(err)
	return a
}

// want returns the typed body of a response. The body is nil when the response was not the expected one.
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

// check exits unless a condition holds.
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
		check(time.Now().Before(deadline), "%s: timed out after %s", what, patience)
	}
}

func ptr[T any](v T) *T { return &v }
