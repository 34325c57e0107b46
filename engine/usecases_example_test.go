package engine_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/feed"
	"github.com/soundstage-dev/soundstage/engine/fetch"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/memory"
	"github.com/soundstage-dev/soundstage/engine/signature"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/engine/wav"
	"github.com/soundstage-dev/soundstage/engine/writer"
	"github.com/soundstage-dev/soundstage/formats"
)

// studio is a running engine that keeps everything in memory.
type studio struct {
	*engine.Engine
	ctx  context.Context
	me   engine.Caller
	stop func()
}

// newStudio starts an engine. Ports that c lacks are in memory, and every recording has the words of twoSentences.
func newStudio(c engine.Config) studio {
	if c.Store == nil {
		c.Store = memory.NewStore()
	}
	if c.Blobs == nil {
		c.Blobs = memory.NewBlobs()
	}
	c.Media, c.Transcriber = wav.Media{}, twoSentences{}
	eng := try(engine.New(c))
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { check(eng.Run(ctx)) })
	return studio{
		Engine: eng, ctx: ctx, me: try(eng.CreateAccount(ctx, engine.NewAccount{Name: "Studio"})),
		stop: func() { cancel(); running.Wait() },
	}
}

// record uploads a WAV file and returns its recording, transcribed.
func (s studio) record() engine.Recording {
	file := try(os.ReadFile("../testdata/conversation.wav"))
	upload := try(s.CreateUpload(s.ctx, s.me, engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: int64(len(file))}))
	try(s.ReceiveUpload(s.ctx, upload.ID, bytes.NewReader(file)))
	recording, _, err := s.CreateRecording(s.ctx, s.me, engine.NewRecording{ObjectID: upload.ID, Title: "Talk"})
	check(err)
	return try(s.WaitRecording(s.ctx, s.me, recording.ID))
}

// twoSentences is an engine.Transcriber that hears the same two sentences in any media.
type twoSentences struct{}

func (twoSentences) Transcribe(context.Context, engine.TranscribeRequest) (engine.Transcription, error) {
	var words []transcript.Word
	for i, text := range strings.Fields("Where do you record? In a quiet room.") {
		start := time.Duration(i) * time.Second
		words = append(words, transcript.Word{
			Text: text, Start: start, End: start + 800*time.Millisecond,
			Confidence: 0.9, Speaker: transcript.SpeakerLabel(i / 4),
		})
	}
	return engine.Transcription{Language: "en", Words: words}, nil
}

// A client sends a file directly to the storage, and reads it back. The engine verifies the bytes.
func ExampleEngine_PresignUpload() {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	direct := try(files.NewDirect(memory.NewBlobs(), files.DirectOptions{URL: server.URL + "/media"}))
	mux.Handle("/media/", direct)
	s := newStudio(engine.Config{Blobs: direct.Blobs()})
	defer s.stop()

	file := try(os.ReadFile("../testdata/conversation.wav"))
	n := engine.NewUpload{Filename: "talk.wav", ContentType: "audio/wav", Size: int64(len(file))}
	upload, put, err := s.PresignUpload(s.ctx, s.me, engine.NewDirectUpload{NewUpload: n, SHA256: sha256.Sum256(file)})
	check(err)
	status, _ := visit(put, bytes.NewReader(file)) // the client
	fmt.Println(put.Method, status)

	recording, _, err := s.CreateRecording(s.ctx, s.me, engine.NewRecording{ObjectID: upload.ID})
	check(err)
	get := try(s.PresignMedia(s.ctx, s.me, recording.ID, engine.BlobGet{TTL: time.Minute}))
	status, media := visit(get, nil) // the client
	fmt.Println(get.Method, status, bytes.Equal(file, media))
	// Output:
	// PUT 200
	// GET 200 true
}

// visit does as an address says, and returns the status and the body of the answer.
func visit(a engine.Address, body io.Reader) (int, []byte) {
	req := try(http.NewRequest(a.Method, a.URL, body))
	for name, value := range a.Header {
		req.Header.Set(name, value)
	}
	resp := try(http.DefaultClient.Do(req))
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode, try(io.ReadAll(resp.Body))
}

// Media that the program has put in the storage becomes a recording where it is.
func ExampleEngine_AddObject() {
	blobs := memory.NewBlobs()
	s := newStudio(engine.Config{Blobs: blobs})
	defer s.stop()
	w := try(blobs.Create(s.ctx, "archive/2026/talk.wav", engine.BlobMeta{ContentType: "audio/wav"}))
	try(w.Write(try(os.ReadFile("../testdata/conversation.wav"))))
	try(w.Commit())

	recording := try(s.AddObject(s.ctx, s.me, "archive/2026/talk.wav", engine.NewObject{}))
	fmt.Println(recording.Title, recording.BlobKey)
	_, err := s.AddObject(s.ctx, s.me, "archive/2026/talk.wav", engine.NewObject{Size: 5})
	fmt.Println(engine.Message(err))
	// Output:
	// talk archive/2026/talk.wav
	// The storage has 796832 bytes, but 5 were declared.
}

// Transcribe a file, and wait for the transcript. The external id is the program's own: adding the file again changes nothing.
func ExampleEngine_AddFile() {
	s := newStudio(engine.Config{})
	defer s.stop()
	path := "../testdata/conversation.wav"

	n := engine.NewFile{NewRecording: engine.NewRecording{Tags: engine.Tags{ExternalID: path}, SpeakersExpected: 2}}
	recording := try(s.AddFile(s.ctx, s.me, path, n))
	recording = try(s.WaitRecording(s.ctx, s.me, recording.ID))

	again := try(s.AddFile(s.ctx, s.me, path, n))
	fmt.Println(recording.Title, recording.TranscriptStatus, again.ID == recording.ID)
	// Output: conversation completed true
}

// A user of another program joins a space, and sees its recordings.
func ExampleEngine_CreateUser() {
	s := newStudio(engine.Config{})
	defer s.stop()
	s.record()

	ann := try(s.CreateUser(s.ctx, s.me.AccountID, engine.NewUser{ID: "user-42", Name: "Ann", SpaceID: s.me.DefaultSpaceID}))
	page := try(s.ListRecordings(s.ctx, ann, engine.ListRecordings{}))
	for _, m := range try(s.ListMembers(s.ctx, s.me, s.me.DefaultSpaceID)) {
		fmt.Println(m.User.Name, m.Role)
	}

	fmt.Println(page.Recordings[0].Title)
	// Unordered output:
	// Studio owner
	// Ann member
	// Talk
}

// A page of the recordings with some metadata.
func ExampleEngine_UpdateRecording() {
	s := newStudio(engine.Config{})
	defer s.stop()
	recording := s.record()

	try(s.UpdateRecording(s.ctx, s.me, recording.ID, func(r *engine.Recording) error {
		r.Title, r.Metadata = "Episode 7", map[string]string{"show": "Quiet rooms"}
		return nil
	}))
	page := try(s.ListRecordings(s.ctx, s.me, engine.ListRecordings{
		Tags: engine.Tags{Metadata: map[string]string{"show": "Quiet rooms"}},
	}))

	fmt.Println(page.Recordings[0].Title)
	// Output: Episode 7
}

// Delete a recording with everything about it. The engine removes its bytes and rows while it runs.
func ExampleEngine_DeleteRecording() {
	s := newStudio(engine.Config{})
	defer s.stop()
	recording := s.record()

	check(s.DeleteRecording(s.ctx, s.me, recording.ID))
	_, _, err := s.GetRecording(s.ctx, s.me, recording.ID)

	fmt.Println(engine.CodeOf(err), len(try(s.ListRecordings(s.ctx, s.me, engine.ListRecordings{})).Recordings))
	// Output: not_found 0
}

// Correct a transcript: the words that stay keep their times, and search finds the new ones.
func ExampleEngine_EditTranscript() {
	s := newStudio(engine.Config{})
	defer s.stop()
	recording := s.record()

	rt := try(s.EditTranscript(s.ctx, s.me, recording.ID, engine.TranscriptEdit{
		Revision: recording.Revision, // that you have seen
		Operations: []engine.EditOperation{
			{Kind: engine.EditSetText, Utterance: 1, Text: "In a very quiet room."},
			{Kind: engine.EditSplit, Utterance: 0, Word: 1},
		},
	}))

	for _, u := range rt.Transcript.Utterances {
		fmt.Println(u.Start, u.Text)
	}
	fmt.Println(len(try(s.Search(s.ctx, s.me, engine.SearchRequest{Query: "very quiet"}))))
	// Output:
	// 0s Where
	// 1s do you record?
	// 4s In a very quiet room.
	// 1
}

// Transcribe a recording again, with other settings. Edits are made again where they still fit.
func ExampleEngine_TranscribeAgain() {
	s := newStudio(engine.Config{})
	defer s.stop()
	recording := s.record()
	edit := engine.EditOperation{Kind: engine.EditSetText, Utterance: 1, Text: "In a quiet loft."}
	try(s.EditTranscript(s.ctx, s.me, recording.ID, engine.TranscriptEdit{Operations: []engine.EditOperation{edit}}))

	try(s.TranscribeAgain(s.ctx, s.me, recording.ID, engine.TranscribeSettings{SpeakersExpected: 2}))
	recording = try(s.WaitRecording(s.ctx, s.me, recording.ID))
	rt := try(s.GetRecordingTranscript(s.ctx, s.me, recording.ID))
	edits := try(s.ListEdits(s.ctx, s.me, recording.ID))

	fmt.Println(rt.Transcript.Utterances[1].Text, recording.Revision, edits[0].Dropped())
	// Output: In a quiet loft. 2 false
}

// Transcribe a file in three steps, as a client of the API does: upload it, make a recording of it, and wait for its transcript.
func ExampleEngine_CreateRecording() {
	s := newStudio(engine.Config{})
	defer s.stop()
	file := try(os.Open("../testdata/conversation.wav"))
	defer func() { check(file.Close()) }()
	size := try(file.Stat()).Size()

	upload := try(s.CreateUpload(s.ctx, s.me, engine.NewUpload{
		Filename: "talk.wav", ContentType: "audio/wav", Size: size,
	}))
	try(s.ReceiveUpload(s.ctx, upload.ID, file))
	recording, _, err := s.CreateRecording(s.ctx, s.me, engine.NewRecording{ObjectID: upload.ID, SpeakersExpected: 2})
	check(err)
	recording = try(s.WaitRecording(s.ctx, s.me, recording.ID))

	fmt.Println(recording.TranscriptStatus)
	for _, u := range try(s.GetRecordingTranscript(s.ctx, s.me, recording.ID)).Transcript.Utterances {
		fmt.Printf("%v %s: %s\n", u.Start, u.Speaker, u.Text)
	}
	// Output:
	// completed
	// 0s Speaker 0: Where do you record?
	// 4s Speaker 1: In a quiet room.
}

// Export a transcript: any writer of package formats takes it.
func ExampleEngine_GetRecordingTranscript() {
	s := newStudio(engine.Config{})
	defer s.stop()
	recording := s.record()

	ada := try(s.CreateSpeaker(s.ctx, s.me, engine.NewSpeaker{SpaceID: recording.SpaceID, Name: "Ada"}))
	try(s.AssignSpeaker(s.ctx, s.me, engine.Assignment{RecordingID: recording.ID, Label: "Speaker 0", SpeakerID: ada.Speaker.ID}))
	talk := try(s.GetRecordingTranscript(s.ctx, s.me, recording.ID))
	check(formats.WriteTXT(os.Stdout, talk.Transcript, formats.Options{Names: talk.Names}))
	// Output:
	// [00:00:00] Ada:
	// Where do you record?
	//
	// [00:00:04] Speaker 2:
	// In a quiet room.
}

// Make a clip: the window snaps to words. A real program takes render.Renderer{}, which needs ffmpeg.
func ExampleEngine_CreateRender() {
	s := newStudio(engine.Config{Renderer: textRenderer{}})
	defer s.stop()
	recording := s.record()

	clip := try(s.CreateRender(s.ctx, s.me, engine.NewRender{
		RecordingID: recording.ID, AspectRatio: engine.AspectSquare,
		Window: transcript.Window{Start: 4100 * time.Millisecond, End: 7500 * time.Millisecond},
	}))
	clip = try(s.WaitRender(s.ctx, s.me, clip.ID))
	video := try(s.OpenAsset(s.ctx, s.me, clip.ID, 0, -1))
	defer func() { check(video.Close()) }()

	fmt.Println(clip.Status, clip.Window.Start, clip.Window.End)
	fmt.Printf("%s\n", try(io.ReadAll(video)))
	// Output:
	// completed 4s 7.8s
	// 1:1: In a quiet room.
}

// textRenderer is an engine.Renderer that writes the captions and no video.
type textRenderer struct{}

func (textRenderer) Render(_ context.Context, req engine.RenderRequest) (string, error) {
	words := make([]string, len(req.Words))
	for i, w := range req.Words {
		words[i] = w.Text
	}
	_, err := fmt.Fprintf(req.Output, "%s: %s", req.AspectRatio, strings.Join(words, " "))
	return "", err
}

// Search transcripts, titles, and generated content.
func ExampleEngine_Search() {
	s := newStudio(engine.Config{})
	defer s.stop()
	s.record()

	for _, found := range try(s.Search(s.ctx, s.me, engine.SearchRequest{Query: "quiet room", Category: engine.SearchTranscripts})) {
		fmt.Println(found.RecordingTitle, found.Start, found.Snippet)
	}
	// Output: Talk 6s In a quiet room.
}

// Ask a question about recordings. The answer cites the transcript.
func ExampleEngine_CreateChat() {
	s := newStudio(engine.Config{LLM: writer.LLM{}})
	defer s.stop()
	recording := s.record()

	chat := try(s.CreateChat(s.ctx, s.me, engine.NewChat{Message: "Which room?", RecordingIDs: []engine.RecordingID{recording.ID}}))
	chat = try(s.WaitChat(s.ctx, s.me, chat.ID))
	fmt.Println(chat.Status, strings.Contains(chat.Answer, "In a quiet room."))
	// Output: completed true
}

// Generate content from a transcript by an instruction of your own.
func ExampleEngine_GenerateOutput() {
	s := newStudio(engine.Config{LLM: writer.LLM{}})
	defer s.stop()
	recording := s.record()

	output := try(s.GenerateOutput(s.ctx, s.me, engine.NewOutput{RecordingID: recording.ID, Prompt: "Write one quote."}))
	output = try(s.WaitOutput(s.ctx, s.me, output.ID))
	fmt.Println(output.Status, strings.Contains(output.Text, "record?") || strings.Contains(output.Text, "quiet room."))
	// Output: completed true
}

// Import a podcast feed: each episode becomes a recording. A second import skips the episodes that are there.
func ExampleEngine_ImportFeed() {
	podcast := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/1.wav" {
			http.ServeFile(w, r, "../testdata/conversation.wav")
			return
		}
		_, _ = fmt.Fprint(w, `<rss version="2.0"><channel><title>The Show</title>
			<item><title>Pilot</title><guid>1</guid><enclosure url="/1.wav" type="audio/wav"/></item></channel></rss>`)
	}))
	defer podcast.Close()
	web := fetch.New(fetch.Config{AllowPrivate: true}) // the podcast is on this machine
	s := newStudio(engine.Config{Fetcher: web, Feeds: feed.New(web)})
	defer s.stop()

	show := try(s.ImportFeed(s.ctx, s.me, engine.NewFeedImport{URL: podcast.URL + "/feed.xml"}))
	for _, i := range show.Imports {
		i = try(s.WaitImport(s.ctx, s.me, i.ID))
		recording := try(s.WaitRecording(s.ctx, s.me, i.RecordingID))
		fmt.Println(show.Title, "-", recording.Title, recording.TranscriptStatus)
	}
	show = try(s.ImportFeed(s.ctx, s.me, engine.NewFeedImport{URL: podcast.URL + "/feed.xml"}))
	fmt.Println(len(show.Imports), "new,", show.Skipped, "skipped")
	// Output:
	// The Show - Pilot completed
	// 0 new, 1 skipped
}

// Send events to a webhook. The receiver checks the signature.
func ExampleEngine_CreateWebhook() {
	received := make(chan *http.Request, 1)
	bodies := make(chan []byte, 1)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		bodies <- try(io.ReadAll(r.Body))
		received <- r
	}))
	defer receiver.Close()
	s := newStudio(engine.Config{Sender: fetch.NewSender(fetch.Config{AllowPrivate: true})})
	defer s.stop()

	_, secret, err := s.CreateWebhook(s.ctx, s.me, engine.NewWebhook{URL: receiver.URL, Events: []engine.EventType{engine.EventTranscriptCompleted}})
	check(err)
	s.record()

	body, r := <-bodies, <-received
	var seconds int64
	try(fmt.Sscan(r.Header.Get("webhook-timestamp"), &seconds))
	want := try(signature.Sign(secret, r.Header.Get("webhook-id"), time.Unix(seconds, 0), body))
	fmt.Println(r.Header.Get("webhook-signature") == want, strings.Contains(string(body), `"transcript.completed"`))
	// Output: true true
}

// Use a store of your own: implement View and Update on your database, and run enginetest.TestStore on it.
func ExampleNew_ownStore() {
	store := &auditedStore{Store: memory.NewStore()}
	s := newStudio(engine.Config{Store: store})
	defer s.stop()

	s.record()
	fmt.Println(store.updates.Load() > 0)
	// Output: true
}

// auditedStore counts the transactions that reach a store.
type auditedStore struct {
	engine.Store
	updates atomic.Int64
}

func (s *auditedStore) Update(ctx context.Context, fn func(engine.Tx) error) error {
	s.updates.Add(1)
	return s.Store.Update(ctx, fn)
}

// Follow what happens. A program that starts again goes on after the cursor that it saved.
func ExampleEngine_Subscribe() {
	s := newStudio(engine.Config{})
	defer s.stop()
	saved := engine.EventsFromStart
	s.record()

	for v, err := range s.Subscribe(s.ctx, s.me, engine.EventFilter{After: saved}) {
		check(err)
		if v.Kind == engine.KindTranscriptChanged {
			fmt.Println(v.Status, v.Over(), v.Err())
		}
		saved = v.Cursor() // store it when v is handled
		if v.Status == string(engine.TranscriptCompleted) {
			break
		}
	}
	fmt.Println(saved)
	// Output:
	// queued false <nil>
	// processing false <nil>
	// completed true <nil>
	// ev_4
}

// Follow changes: take the channel first, then look, then wait.
func ExampleEngine_Changes() {
	s := newStudio(engine.Config{})
	defer s.stop()
	recording := s.record()

	for {
		changed := s.Changes()
		got, _, err := s.GetRecording(s.ctx, s.me, recording.ID)
		check(err)
		if got.TranscriptStatus == engine.TranscriptCompleted {
			fmt.Println(got.Title)
			return
		}
		<-changed
	}
	// Output: Talk
}
