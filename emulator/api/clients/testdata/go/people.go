package main

import (
	"strings"

	"scenario/client"
)

func (a *actor) nameSpeakers() {
	r := ok(a.api.CreateSpeakerWithResponse(a.ctx, a.spaceID, client.NewSpeaker{Name: "Ada Example", Role: ptr("host"), Email: ptr("ada@mail.example")}))
	ada := want(r, r.JSON201).Speaker
	check(ada.Role != nil && *ada.Role == "Host" && ada.SpeakerRoleId != nil && ada.Bio == nil, "unexpected speaker: %+v", ada)
	a.speakerID = ada.Id.String()
	r = ok(a.api.CreateSpeakerWithResponse(a.ctx, a.spaceID, client.NewSpeaker{Name: "Grace Example"}))
	grace := want(r, r.JSON201).Speaker

	u := ok(a.api.UpdateSpeakerWithResponse(a.ctx, grace.Id.String(), client.SpeakerChange{Emoji: ptr("🎙️"), SpeakerRoleId: ada.SpeakerRoleId}))
	changed := want(u, u.JSON200).Speaker
	check(changed.Name == grace.Name && changed.Emoji != nil && *changed.Role == "Host", "the update had no effect: %+v", changed)

	l := ok(a.api.ListSpeakersWithResponse(a.ctx, a.spaceID))
	list := want(l, l.JSON200)
	check(list.Space.Id == a.spaceID && list.Count >= 2, "unexpected list: %+v", list)
	a.assign(grace.Id.String())
}

// assign assigns the first label to Grace, then to Ada; it assigns and unassigns the second label.
func (a *actor) assign(grace string) {
	l := ok(a.api.ListRecordingSpeakersWithResponse(a.ctx, a.recordingID))
	labels := want(l, l.JSON200)
	check(labels.Count > 1 && labels.Speakers[0].Speaker == nil, "unexpected labels: %+v", labels)
	first, second := labels.Speakers[0].Label, labels.Speakers[1].Label
	for _, pair := range [][2]string{{first, grace}, {first, a.speakerID}, {second, grace}} {
		r := ok(a.api.AssignSpeakerWithResponse(a.ctx, a.recordingID, client.NewAssignment{Label: pair[0], SpeakerId: pair[1]}))
		made := want(r, r.JSON200)
		check(made.Speaker != nil && made.Speaker.Id.String() == pair[1], "unexpected assignment: %+v", made)
	}
	u := ok(a.api.UnassignSpeakerWithResponse(a.ctx, a.recordingID, client.NewAssignment{Label: second, SpeakerId: grace}))
	check(want(u, u.JSON200).Speaker == nil, "still assigned: %s", u.Body)

	l = ok(a.api.ListRecordingSpeakersWithResponse(a.ctx, a.recordingID))
	labels = want(l, l.JSON200)
	check(labels.Speakers[0].Speaker.Name == "Ada Example" && labels.Speakers[1].Speaker == nil, "unexpected labels: %+v", labels)
	captions := a.captions()
	check(strings.Contains(captions, "Ada Example") && !strings.Contains(captions, "Grace Example"), "captions without the name: %s", captions)
}
