package engine_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// client is a user who works on whichever process answers. It remembers what was acknowledged.
type client struct {
	*simulation
	caller  engine.Caller
	name    string
	other   *client
	reached *process

	recordings  []engine.RecordingID
	transcripts []engine.TranscriptID
	imports     []engine.ImportID
	outputs     []engine.OutputID
	chats       []engine.ChatID
	renders     []engine.RenderID
	hooks       []engine.WebhookID
}

// did remembers an acknowledged row.
func did[ID ~string](c *client, err error, noun string, list *[]ID, id ID) {
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	*list = append(*list, id)
	c.acknowledged = append(c.acknowledged, noun+" "+string(id))
}

// any returns one of the ids, or "".
func pick[ID ~string](c *client, list *[]ID) (id ID) {
	n := c.below(1000, c.name+"pick")
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(*list) > 0 {
		id = (*list)[n%len(*list)]
	}
	return id
}

// work makes n requests.
func (c *client) work(n int) {
	if c.percent(50, c.name+"first") {
		c.hook(context.Background(), c.anyProcess(c.name).engine)
	}
	for range n {
		time.Sleep(c.span(40*time.Second, c.name+"think"))
		c.reached = c.anyProcess(c.name)
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		c.request(ctx, c.reached.engine)
		cancel()
	}
}

// request makes one random request.
func (c *client) request(ctx context.Context, e *engine.Engine) {
	recording := pick(c, &c.recordings)
	if c.percent(10, c.name+"another") {
		c.hook(ctx, e)
	}
	switch c.below(22, c.name+"request") {
	case 0, 1, 2, 3, 4:
		c.upload(ctx, e)
	case 5, 6:
		url := []string{"https://media.example/talk.mp3", "https://www.youtube.com/watch?v=one"}[c.below(2, c.name)]
		i, err := e.CreateImport(ctx, c.caller, engine.NewImport{URL: url})
		did(c, err, "import", &c.imports, i.ID)
	case 7:
		feed, err := e.ImportFeed(ctx, c.caller, engine.NewFeedImport{URL: "https://media.example/feed.xml"})
		for _, i := range feed.Imports {
			did(c, err, "import", &c.imports, i.ID)
		}
	case 8:
		t, err := e.CreateTranscript(ctx, c.caller, engine.NewTranscript{URL: "https://media.example/talk.mp3"})
		did(c, err, "transcript", &c.transcripts, t.ID)
	case 9:
		o, err := e.GenerateOutput(ctx, c.caller, engine.NewOutput{RecordingID: recording, Prompt: "Sum it up."})
		did(c, err, "output", &c.outputs, o.ID)
	case 10:
		chat, err := e.CreateChat(ctx, c.caller, engine.NewChat{Message: "What breaks first?", RecordingIDs: []engine.RecordingID{recording}})
		did(c, err, "chat", &c.chats, chat.ID)
	case 11, 12:
		r, err := e.CreateRender(ctx, c.caller, engine.NewRender{RecordingID: recording, Window: transcript.Window{End: 3 * time.Second}})
		did(c, err, "render", &c.renders, r.ID)
	case 13:
		_, _ = e.ListSuggestions(ctx, c.caller, recording, true)
	case 14:
		_, _ = e.TranslateTranscript(ctx, c.caller, recording, "de")
	case 15:
		c.speak(ctx, e, recording)
	case 16:
		c.hook(ctx, e)
	case 17:
		c.changeHook(ctx, e, pick(c, &c.hooks))
	case 18:
		_ = e.CancelImport(ctx, pick(c, &c.imports))
	case 19:
		_, _ = e.CancelJobsOf(ctx, c.anyRef())
	default:
		c.trespass(ctx, e)
	}
}

// anyRef returns the ref of a job that may be canceled.
func (c *client) anyRef() string {
	refs := []string{
		string(pick(c, &c.outputs)), string(pick(c, &c.chats)), string(pick(c, &c.renders)), string(pick(c, &c.transcripts)), string(pick(c, &c.imports)),
	}
	return refs[c.below(len(refs), c.name+"ref")]
}

// upload reserves an object, sends bytes, and creates a recording. It may stop early, or send bytes twice.
func (c *client) upload(ctx context.Context, e *engine.Engine) {
	const media = "five!"
	u, err := e.CreateUpload(ctx, c.caller, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: int64(len(media))})
	if err != nil || c.percent(5, c.name) {
		return
	}
	for range 1 + c.below(2, c.name) {
		sent := media
		if c.percent(5, c.name+"short") {
			sent = media[:2]
		}
		_, _ = e.ReceiveUpload(ctx, u.ID, strings.NewReader(sent))
	}
	for range 1 + c.below(2, c.name) {
		r, _, err := e.CreateRecording(ctx, c.caller, engine.NewRecording{ObjectID: u.ID})
		did(c, err, "recording", &c.recordings, r.ID)
	}
}

// speak assigns a speaker, which starts the summary of the speaker.
func (c *client) speak(ctx context.Context, e *engine.Engine, id engine.RecordingID) {
	p, err := e.CreateSpeaker(ctx, c.caller, engine.NewSpeaker{SpaceID: c.caller.DefaultSpaceID, Name: "Ann"})
	if err == nil {
		_, _ = e.AssignSpeaker(ctx, c.caller, engine.Assignment{RecordingID: id, Label: "Speaker 0", SpeakerID: p.ID})
	}
}

// hook creates a webhook for one or both events.
func (c *client) hook(ctx context.Context, e *engine.Engine) {
	events := []engine.EventType{engine.EventTranscriptCompleted, engine.EventOutputCompleted}[c.below(2, c.name):]
	w, _, err := e.CreateWebhook(ctx, c.caller, engine.NewWebhook{URL: "https://receiver.example/hook", Events: events})
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hooks = append(c.hooks, w.ID)
	}
}

func (c *client) changeHook(ctx context.Context, e *engine.Engine, id engine.WebhookID) {
	disabled := c.percent(70, c.name+"disable")
	switch c.below(6, c.name+"hook") {
	case 0, 5:
		_, _ = e.UpdateWebhook(ctx, c.caller, id, engine.WebhookChange{Disabled: &disabled})
	case 1, 2:
		_, _ = e.TestWebhook(ctx, c.caller, id)
	case 3:
		if log, err := e.ListDeliveries(ctx, c.caller, id, 0); err == nil && len(log) > 0 {
			_, _ = e.ReplayDelivery(ctx, c.caller, id, log[c.below(len(log), c.name)].ID)
		}
	case 4:
		if c.percent(30, c.name+"delete") {
			_ = e.DeleteWebhook(ctx, c.caller, id)
		}
	}
}

// trespass reads what belongs to the other user, by id and by lists.
func (c *client) trespass(ctx context.Context, e *engine.Engine) {
	o := c.other
	for _, read := range []func() error{
		func() error { _, _, err := e.GetRecording(ctx, c.caller, pick(o, &o.recordings)); return err },
		func() error { _, err := e.GetTranscript(ctx, c.caller, pick(o, &o.transcripts)); return err },
		func() error { _, err := e.GetImport(ctx, c.caller, pick(o, &o.imports)); return err },
		func() error { _, err := e.GetOutput(ctx, c.caller, pick(o, &o.outputs)); return err },
		func() error { _, err := e.GetChat(ctx, c.caller, pick(o, &o.chats)); return err },
		func() error { _, err := e.GetRender(ctx, c.caller, pick(o, &o.renders)); return err },
		func() error { _, err := e.GetWebhook(ctx, c.caller, pick(o, &o.hooks)); return err },
		func() error { _, _, err := e.ListSpeakers(ctx, c.caller, o.caller.DefaultSpaceID); return err },
	} {
		if read() == nil {
			c.violate("tenant", "%s reads a row of %s", c.name, o.name)
		}
	}
	page, _ := e.ListRecordings(ctx, c.caller, engine.ListRecordings{})
	for _, r := range page.Recordings {
		if r.SpaceID != c.caller.DefaultSpaceID {
			c.violate("tenant", "%s lists a recording of %s", c.name, r.SpaceID)
		}
	}
	found, _ := e.Search(ctx, c.caller, engine.SearchRequest{Query: "engines"})
	for _, f := range found {
		if _, _, err := e.GetRecording(ctx, c.caller, f.RecordingID); engine.CodeOf(err) == engine.CodeNotFound {
			c.violate("tenant", "%s finds recording %s of another user", c.name, f.RecordingID)
		}
	}
}

// account creates a client.
func (s *simulation) account(e *engine.Engine, name string) *client {
	caller, err := e.CreateAccount(context.Background(), engine.NewAccount{
		Name: name, AccountID: engine.AccountID("account-" + name), UserID: engine.UserID("user-" + name), SpaceID: engine.SpaceID("space-" + name),
	})
	if err != nil {
		panic(fmt.Sprint("setup: ", err))
	}
	return &client{simulation: s, caller: caller, name: name}
}
