package main

import (
	"bytes"
	"io"
	"net/http"

	"scenario/client"
)

func (a *actor) suggest() {
	until("the suggestions", func() bool {
		r := ok(a.api.ListClipSuggestionsWithResponse(a.ctx, a.recordingID, &client.ListClipSuggestionsParams{Generate: ptr(true)}))
		list := want(r, r.JSON200)
		for _, s := range list.Suggestions {
			if s.Kind == client.Clip {
				a.suggestion = s
			}
		}
		return a.suggestion.Title != ""
	})
	s := a.suggestion
	check(s.StartMs != nil && s.EndMs != nil && *s.StartMs < *s.EndMs, "a clip without a window: %+v", s)
}

func (a *actor) render() {
	r := ok(a.api.CreateRenderWithResponse(a.ctx, client.NewRender{
		RecordingId: a.recordingID, SuggestionId: ptr(a.suggestion.Id.String()), AspectRatio: ptr("1:1"),
	}))
	made := want(r, r.JSON202).Render
	check(made.Status == client.RenderStatusRendering && made.AssetUrl == nil, "unexpected render: %+v", made)
	until("the render", func() bool {
		r := ok(a.api.GetRenderWithResponse(a.ctx, made.Id.String()))
		made = want(r, r.JSON200).Render
		check(made.Status != client.RenderStatusFailed, "failed: %+v", made)
		return made.Status == client.RenderStatusCompleted
	})
	check(made.AssetUrl != nil && made.Progress == 1, "no video: %+v", made)

	req, err := http.NewRequestWithContext(a.ctx, http.MethodGet, *made.AssetUrl, nil)
	must(err)
	resp, err := http.DefaultClient.Do(req)
	must(err)
	head, err := io.ReadAll(io.LimitReader(resp.Body, 12))
	must(err)
	must(resp.Body.Close())
	check(resp.StatusCode == http.StatusOK && bytes.HasSuffix(head[:8], []byte("ftyp")), "no video at %s: %s", *made.AssetUrl, resp.Status)
}

func (a *actor) search() {
	r := ok(a.api.SearchWithResponse(a.ctx, &client.SearchParams{Query: a.word, SpaceId: &a.spaceID}))
	found := want(r, r.JSON200)
	check(found.Query == a.word && found.Count == len(found.Results), "unexpected results: %+v", found)
	kinds := map[string]int{}
	for _, result := range found.Results {
		hit, err := result.ValueByDiscriminator()
		must(err)
		switch hit := hit.(type) {
		case client.TranscriptHit:
			kinds["transcript"]++
			check(hit.RecordingId == a.recordingID && hit.Snippet != "", "unexpected hit: %+v", hit)
		case client.RecordingHit:
			kinds["recording"]++
		case client.ContentHit:
			kinds["content"]++
			check(hit.OutputId != "" && hit.OutputType != "", "unexpected hit: %+v", hit)
		}
	}
	check(kinds["transcript"] > 0, "%q is not found in the transcript: %s", a.word, r.Body)

	r = ok(a.api.SearchWithResponse(a.ctx, &client.SearchParams{Query: "talk", Category: ptr(client.SearchParamsCategoryRecordings)}))
	found = want(r, r.JSON200)
	check(found.Count > 0, "the title is not found: %s", r.Body)
	_, err := found.Results[0].AsRecordingHit()
	must(err)
}

func (a *actor) measure() {
	r := ok(a.api.GetUsageWithResponse(a.ctx))
	u := want(r, r.JSON200)
	check(u.ApiTier == client.Platform && u.Usage.PeriodStart.Before(u.Usage.PeriodEnd), "unexpected usage: %+v", u)
	check(u.Storage.UsedBytes > 0 && u.Usage.Unlimited == (u.Usage.Limit == nil), "unexpected usage: %+v", u)
}
