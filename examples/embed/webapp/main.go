// Command webapp is a web application with users of its own. They send media from the browser to the storage, follow the transcription,
// and play it with captions.
//
//	go run ./examples/embed/webapp DATA localhost:8080
package main

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/fake"
	"github.com/soundstage-dev/soundstage/engine/files"
	"github.com/soundstage-dev/soundstage/engine/sqlite"
	"github.com/soundstage-dev/soundstage/formats"
	"github.com/soundstage-dev/soundstage/render"
)

//go:embed page.html
var page []byte

// app is the engine, and what it doesn't know: who the users are.
type app struct {
	*engine.Engine
	sessions sync.Map // name by cookie
	folder   string
	mu       sync.Mutex
	users    map[string]user // by name; stored in users.json
}

type user struct{ Salt, Hash []byte }

func main() {
	ctx, folder, listener := context.Background(), os.Args[1], try(net.Listen("tcp", os.Args[2]))
	address := "http://" + listener.Addr().String()
	media := try(files.NewDirect(try(files.New(filepath.Join(folder, "blobs"), files.Options{})), files.DirectOptions{URL: address + "/media"}))
	a := &app{folder: folder, users: map[string]user{}}
	if text, err := os.ReadFile(filepath.Join(folder, "users.json")); err == nil {
		try(0, json.Unmarshal(text, &a.users))
	}
	a.Engine = try(engine.New(engine.Config{
		Store: try(sqlite.Open(ctx, filepath.Join(folder, "app.db"))), Blobs: media.Blobs(), Media: render.FFmpeg{},
		Transcriber: &fake.Transcriber{Media: render.FFmpeg{}}, // invents the words; docs/backends.md has real ones
	}))
	try(a.CreateAccount(ctx, engine.NewAccount{AccountID: "webapp"})) // at each start the same
	go func() { log.Fatal(a.Run(ctx)) }()
	http.Handle("/media/", media)
	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(page) })
	http.HandleFunc("POST /login", a.login)
	http.HandleFunc("GET /events", a.as(a.events))
	http.HandleFunc("POST /uploads", a.as(a.upload))
	http.HandleFunc("POST /recordings", a.as(a.record))
	http.HandleFunc("GET /recordings/{id}/media", a.as(a.media))
	http.HandleFunc("GET /recordings/{id}/captions", a.as(a.captions))
	log.Print("open ", address)
	log.Fatal(http.Serve(listener, nil)) //nolint:gosec // an example
}

// login starts a session. A new name is a new user.
func (a *app) login(w http.ResponseWriter, r *http.Request) {
	name, password := strings.TrimSpace(r.FormValue("name")), r.FormValue("password")
	a.mu.Lock()
	defer a.mu.Unlock()
	u, known := a.users[name]
	if !known {
		u.Salt = []byte(rand.Text())
	}
	hash := try(pbkdf2.Key(sha256.New, password, u.Salt, 600_000, 32))
	if name == "" || password == "" || known && !hmac.Equal(hash, u.Hash) {
		http.Error(w, "The name or the password is wrong.", http.StatusUnauthorized)
		return
	}
	if !known {
		a.users[name] = user{u.Salt, hash}
		try(0, os.WriteFile(filepath.Join(a.folder, "users.json"), try(json.Marshal(a.users)), 0o600))
	}
	session := rand.Text()
	a.sessions.Store(session, name)
	http.SetCookie(w, &http.Cookie{Name: "session", Value: session, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// as calls a handler for the user of the session, who has a space of their own in the engine.
func (a *app) as(h func(http.ResponseWriter, *http.Request, engine.Caller) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("session")
		if err != nil {
			cookie = &http.Cookie{}
		}
		found, ok := a.sessions.Load(cookie.Value)
		if !ok {
			http.Error(w, "Log in first.", http.StatusUnauthorized)
			return
		}
		name := found.(string)
		me, err := a.CallerOf(r.Context(), engine.UserID(name))
		if engine.CodeOf(err) == engine.CodeNotFound {
			me, err = a.CreateUser(r.Context(), "webapp", engine.NewUser{ID: engine.UserID(name), Name: name})
		}
		if err == nil {
			err = h(w, r, me)
		}
		if err != nil {
			log.Print(r.Method, " ", r.URL.Path, ": ", err)
			http.Error(w, engine.Message(err), http.StatusBadRequest)
		}
	}
}

// upload returns an id, and the address to which the browser sends the bytes.
func (a *app) upload(w http.ResponseWriter, r *http.Request, me engine.Caller) error {
	var n engine.NewUpload
	if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
		return err
	}
	u, to, err := a.PresignUpload(r.Context(), me, engine.NewDirectUpload{NewUpload: n})
	if err == nil {
		err = json.NewEncoder(w).Encode(map[string]any{"id": u.ID, "to": to})
	}
	return err
}

// record makes a recording of an upload whose bytes were sent.
func (a *app) record(w http.ResponseWriter, r *http.Request, me engine.Caller) error {
	_, _, err := a.CreateRecording(r.Context(), me, engine.NewRecording{ObjectID: engine.UploadID(r.FormValue("upload"))})
	return err
}

// events sends the user's recordings, newest first, now and when one changes, and the progress of transcriptions.
func (a *app) events(w http.ResponseWriter, r *http.Request, me engine.Caller) error {
	w.Header().Set("Content-Type", "text/event-stream")
	events := a.Subscribe(r.Context(), me, engine.EventFilter{})
	a.sendList(w, r, me)
	for event, err := range events {
		switch {
		case err != nil:
			return nil //nolint:nilerr // the browser has gone, or connects again
		case event.Kind == engine.KindTranscriptProgress:
			send(w, map[string]any{"id": event.RecordingID, "progress": event.Progress})
		default:
			a.sendList(w, r, me)
		}
	}
	return nil
}

func (a *app) sendList(w http.ResponseWriter, r *http.Request, me engine.Caller) {
	list := []map[string]any{}
	found, err := a.ListRecordings(r.Context(), me, engine.ListRecordings{Limit: engine.MaxPageSize})
	for _, rec := range found.Recordings {
		list = append(list, map[string]any{"id": rec.ID, "title": rec.Title, "status": rec.TranscriptStatus})
	}
	if err == nil {
		send(w, map[string]any{"list": list})
	}
}

func send(w http.ResponseWriter, event any) {
	_, _ = fmt.Fprintf(w, "data: %s\n\n", try(json.Marshal(event)))
	_ = http.NewResponseController(w).Flush()
}

// media sends the browser to the bytes of a recording.
func (a *app) media(w http.ResponseWriter, r *http.Request, me engine.Caller) error {
	from, err := a.PresignMedia(r.Context(), me, engine.RecordingID(r.PathValue("id")), engine.BlobGet{})
	if err == nil {
		http.Redirect(w, r, from.URL, http.StatusSeeOther)
	}
	return err
}

// captions writes WebVTT.
func (a *app) captions(w http.ResponseWriter, r *http.Request, me engine.Caller) error {
	talk, err := a.GetRecordingTranscript(r.Context(), me, engine.RecordingID(r.PathValue("id")))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/vtt")
	return formats.WriteVTT(w, talk.Transcript, formats.Options{Names: talk.Names})
}

// try returns the value, and panics on an error.
func try[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
