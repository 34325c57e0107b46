package main

import (
	"os"

	"scenario/client"
)

func (a *actor) importURL() {
	r := ok(a.api.CreateImportWithResponse(a.ctx, client.NewImport{Url: os.Getenv("MEDIA_URL"), Title: ptr("An import")}))
	made := want(r, r.JSON202)
	check(made.Status == client.ImportStatusQueued && made.Progress == 0 && made.RecordingId == nil, "unexpected import: %+v", made)
	until("the import", func() bool {
		r := ok(a.api.GetImportWithResponse(a.ctx, made.ImportId))
		now := want(r, r.JSON200)
		check(now.Error == nil && now.Progress >= made.Progress, "failed, or the progress decreased: %+v", now)
		made = now
		return now.Status == client.ImportStatusCompleted
	})
	check(made.RecordingId != nil && made.Progress == 1 && made.Source == "url", "unexpected import: %+v", made)
	a.transcribed(*made.RecordingId)
}

func (a *actor) transcribeURL() {
	r := ok(a.api.CreateTranscriptWithResponse(a.ctx, client.NewTranscript{
		Url: os.Getenv("MEDIA_URL"), LanguageCode: ptr("en"), BoostedWords: &[]string{"accountant"},
	}))
	id := want(r, r.JSON201).Id.String()
	var made client.CompletedTranscript
	until("the transcription", func() bool {
		r := ok(a.api.GetTranscriptWithResponse(a.ctx, id))
		now, err := want(r, r.JSON200).ValueByDiscriminator()
		must(err)
		_, failed := now.(client.FailedTranscript)
		check(!failed, "failed: %s", r.Body)
		var completed bool
		made, completed = now.(client.CompletedTranscript)
		return completed
	})
	check(made.AudioDuration > 0 && len(made.Utterances) > 0, "no words: %+v", made)
}
