package main

import (
	"bytes"
	"net/http"
	"os"
	"strings"

	"scenario/client"
)

func (a *actor) spaces() {
	r := ok(a.api.ListSpacesWithResponse(a.ctx))
	list := want(r, r.JSON200)
	check(list.Count == len(list.Spaces) && list.Count > 0, "no space: %+v", list)
	a.spaceID = list.Spaces[0].Id
}

func (a *actor) upload() {
	const contentType = "audio/mp4"
	media, err := os.ReadFile(os.Getenv("MEDIA"))
	must(err)
	r := ok(a.api.CreateUploadWithResponse(a.ctx, client.NewUpload{
		Filename: "talk.m4a", ContentType: contentType, ContentSize: int64(len(media)), SpaceId: &a.spaceID,
	}))
	u := want(r, r.JSON201)
	check(u.SpaceId == a.spaceID && u.UploadUrlExpiresInSeconds == 1800, "unexpected upload: %+v", u)
	a.objectID = u.ObjectId

	req, err := http.NewRequestWithContext(a.ctx, http.MethodPut, u.UploadUrl, bytes.NewReader(media))
	must(err)
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	must(err)
	must(resp.Body.Close())
	check(resp.StatusCode == http.StatusOK, "storage status %s", resp.Status)
}

func (a *actor) record() {
	r := ok(a.api.CreateRecordingWithResponse(a.ctx, client.NewRecording{ObjectId: a.objectID, Title: ptr("A talk"), SpeakersExpected: ptr(2)}))
	made := want(r, r.JSON201).Recording
	check(made.Title == "A talk" && !made.HasTranscript && made.Rss == nil, "unexpected recording: %+v", made)
	a.recordingID = made.Id.String()
	a.transcribed(a.recordingID)

	page := ok(a.api.ListRecordingsWithResponse(a.ctx, &client.ListRecordingsParams{SpaceId: &a.spaceID, Query: ptr("TALK"), Limit: ptr(1)}))
	list := want(page, page.JSON200)
	check(list.Count == 1 && list.Recordings[0].Id == made.Id, "the list lacks the newest recording: %+v", list)
}

// transcribed waits for the transcript of a recording.
func (a *actor) transcribed(recordingID string) {
	until("the transcript", func() bool {
		r := ok(a.api.GetRecordingWithResponse(a.ctx, recordingID))
		rec := want(r, r.JSON200).Recording
		check(rec.TranscriptStatus != client.RecordingTranscriptStatusError, "the transcription failed: %+v", rec)
		return rec.HasTranscript
	})
}

func (a *actor) read() {
	r := ok(a.api.GetRecordingTranscriptWithResponse(a.ctx, a.recordingID, nil))
	t := want(r, r.JSON200)
	check(t.Language == client.En && len(t.Utterances) > 1, "unexpected transcript: %+v", t)
	for _, w := range t.Utterances[0].Words {
		if w := strings.Trim(w.Text, ".,!?"); len(w) > len(a.word) {
			a.word = w
		}
	}
	r = ok(a.api.GetRecordingTranscriptWithResponse(a.ctx, a.recordingID, &client.GetRecordingTranscriptParams{Language: ptr(client.De)}))
	translated := want(r, r.JSON200)
	check(translated.Language == client.De && len(translated.Utterances) == len(t.Utterances), "unexpected translation: %+v", translated)
	check(translated.Utterances[0].Text != t.Utterances[0].Text, "nothing was translated")
	check(strings.HasPrefix(a.captions(), "WEBVTT"), "the captions are not WebVTT")
}

func (a *actor) captions() string {
	r := ok(a.api.GetRecordingTranscriptWithResponse(a.ctx, a.recordingID, &client.GetRecordingTranscriptParams{Format: ptr(client.Vtt)}))
	check(r.StatusCode() == http.StatusOK, "status %s: %s", r.Status(), r.Body)
	return string(r.Body)
}
