package main

import (
	"os"

	"scenario/client"
)

// beRefused provokes one error of each type in the contract.
func (a *actor) beRefused() {
	stranger := ok(newActor("sk_of_nobody").api.ListSpacesWithResponse(a.ctx))
	check(want(stranger, stranger.JSON401).Error != "", "an empty error")

	core := ok(newActor(os.Getenv("CORE_SECRET")).api.GetUsageWithResponse(a.ctx))
	tier := want(core, core.JSON403)
	check(tier.RequiredTier != nil && *tier.RequiredTier == client.Platform && *tier.CurrentTier == client.Core, "unexpected tiers: %+v", tier)

	missing := ok(a.api.GetOutputWithResponse(a.ctx, "00000000-0000-4000-8000-00000000dead"))
	check(want(missing, missing.JSON404).Error != "", "an empty error")

	used := ok(a.api.CreateRecordingWithResponse(a.ctx, client.NewRecording{ObjectId: a.objectID}))
	check(want(used, used.JSON409).Error != "", "an empty error")

	u := ok(a.api.CreateUploadWithResponse(a.ctx, client.NewUpload{Filename: "a.wav", ContentType: "audio/wav", ContentSize: 5}))
	early := ok(a.api.CreateRecordingWithResponse(a.ctx, client.NewRecording{ObjectId: want(u, u.JSON201).ObjectId}))
	check(want(early, early.JSON422).Error != "", "an empty error")

	ids := make([]string, 11)
	for i := range ids {
		ids[i] = a.recordingID
	}
	many := ok(a.api.CreateChatWithResponse(a.ctx, client.NewChat{Message: "Who speaks?", RecordingIds: ids}))
	check(want(many, many.JSON400).Error == "recording_ids is capped at 10 recordings", "unexpected error: %s", many.Body)

	bad := ok(a.api.CreateTranscriptWithResponse(a.ctx, client.NewTranscript{Url: "ftp://media.example/a.wav", LanguageCode: ptr("xx")}))
	invalid, err := want(bad, bad.JSON400).AsValidationError()
	must(err)
	check(len(invalid.Errors["url"]) == 1 && len(invalid.Errors["language_code"]) == 1 && !bool(invalid.Valid), "unexpected errors: %s", bad.Body)
}
