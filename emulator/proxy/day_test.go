package proxy_test

import (
	"fmt"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// day is what a client of the service does on a day: it uploads, polls, lists, reads, asks, renders, and makes mistakes.
func day(t *testing.T, c client) (recording string) {
	t.Helper()
	client{t, c.base, ""}.do("GET", "/v1/spaces", "")
	space := c.do("GET", "/v1/spaces", "").value["spaces"].([]any)[0].(map[string]any)["id"].(string)
	talk, err := os.ReadFile("../../testdata/conversation.mp3")
	require.NoError(t, err)
	object := upload(t, c, "talk.mp3", "audio/mpeg", talk)
	create := fmt.Sprintf(`{"object_id":%q}`, object)
	recording = c.do("POST", "/v1/recordings", create).text("recording", "id")
	require.NotEmpty(t, recording)
	c.do("POST", "/v1/recordings", create)
	for _, name := range []string{"second.mp3", "third.mp3"} {
		c.do("POST", "/v1/recordings", fmt.Sprintf(`{"object_id":%q}`, upload(t, c, name, "audio/mpeg", talk)))
	}
	poll(t, c, "/v1/recordings/"+recording, "completed", "recording", "transcript_status")
	page := c.do("GET", "/v1/recordings?limit=1", "")
	c.do("GET", "/v1/recordings?limit=1&cursor="+page.text("next_cursor"), "")
	c.do("GET", "/v1/recordings/00000000-0000-4000-8000-0000000000ff", "")
	for _, format := range []string{"", "?format=vtt", "?format=docx"} {
		require.Equal(t, 200, c.do("GET", "/v1/recordings/"+recording+"/transcript"+format, "").status)
	}
	speaker := c.do("POST", "/v1/spaces/"+space+"/speakers", `{"name":"Ada"}`).text("speaker", "id")
	c.do("GET", "/v1/recordings/"+recording+"/speakers", "")
	c.do("POST", "/v1/recordings/"+recording+"/speakers/assign", fmt.Sprintf(`{"label":"Speaker 0","speaker_id":%q}`, speaker))
	c.do("GET", "/v1/recordings/"+recording+"/speakers", "")
	c.do("GET", "/v1/spaces/"+space+"/speakers", "")
	output := c.do("POST", "/v1/recordings/"+recording+"/generate", `{"prompt":"Summarise it."}`).text("output_id")
	poll(t, c, "/v1/outputs/"+output, "completed", "status")
	chat := c.do("POST", "/v1/chat", fmt.Sprintf(`{"message":"Who speaks?","recording_ids":[%q]}`, recording)).text("chat_id")
	poll(t, c, "/v1/chat/"+chat, "completed", "status")
	c.do("GET", "/v1/search?query=audio&category=transcripts", "")
	hook := c.do("POST", "/v1/webhooks", `{"url":"https://example.com/hook","events":["output.completed"]}`).text("webhook", "id")
	c.do("GET", "/v1/webhooks/"+hook, "")
	c.do("DELETE", "/v1/webhooks/"+hook, "")
	c.do("GET", "/v1/webhooks/"+hook, "")
	c.do("GET", "/v1/usage", "")
	c.do("POST", "/v1/transcripts", `{"url":"talk"}`)
	c.do("POST", "/v1/recordings", `{"object_id":`)
	return recording
}

// upload uploads bytes and returns the object's id.
func upload(t *testing.T, c client, name, kind string, bytes []byte) string {
	t.Helper()
	up := c.do("POST", "/v1/uploads", fmt.Sprintf(`{"filename":%q,"content_type":%q,"content_size":%d}`, name, kind, len(bytes)))
	require.Equal(t, http.StatusOK, c.do("PUT", up.text("upload_url"), string(bytes), "Content-Type", kind).status, up.body)
	return up.text("object_id")
}

// poll gets a resource until a member of it has a value.
func poll(t *testing.T, c client, path, want string, member ...string) answered {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		a := c.do("GET", path, "")
		if a.text(member...) == want {
			return a
		}
		require.True(t, time.Now().Before(deadline), a.body)
	}
}
