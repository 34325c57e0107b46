package main

import "scenario/client"

func (a *actor) writePrompt() {
	r := ok(a.api.CreatePromptWithResponse(a.ctx, client.NewPrompt{Name: "Newsletter", Prompt: "Write a newsletter about this recording."}))
	made := want(r, r.JSON201).Prompt
	check(made.Type == "dynamic" && !made.Disabled && made.Description == nil, "unexpected prompt: %+v", made)
	a.promptID = made.Id.String()

	l := ok(a.api.ListPromptsWithResponse(a.ctx, &client.ListPromptsParams{SpaceId: &a.spaceID}))
	list := want(l, l.JSON200)
	types := map[string]bool{}
	for _, p := range list.Prompts {
		types[p.Type] = true
	}
	check(list.Count == len(list.Prompts) && types["dynamic"] && types["episode_overview"], "unexpected library: %+v", list)
}

func (a *actor) generate() {
	recurring := a.output(client.NewOutput{PromptId: &a.promptID})
	check(recurring.PromptId != nil && *recurring.PromptId == a.promptID, "wrong prompt_id: %+v", recurring)
	oneOff := a.output(client.NewOutput{Prompt: ptr("List three questions that this recording answers."), Name: ptr("Questions")})
	check(oneOff.PromptId == nil && oneOff.Name != nil && *oneOff.Name == "Questions", "unexpected output: %+v", oneOff)

	r := ok(a.api.ListRecordingOutputsWithResponse(a.ctx, a.recordingID, &client.ListRecordingOutputsParams{Type: ptr("dynamic")}))
	list := want(r, r.JSON200)
	check(list.RecordingId == a.recordingID && list.Count >= 2, "unexpected list: %+v", list)
}

// output runs a prompt and waits for its output.
func (a *actor) output(n client.NewOutput) (done client.Output) {
	r := ok(a.api.GenerateOutputWithResponse(a.ctx, a.recordingID, n))
	queued := want(r, r.JSON202)
	check(queued.Status == client.OutputStatusQueued && queued.OutputType == "dynamic", "unexpected output: %+v", queued)
	until("the output", func() bool {
		r := ok(a.api.GetOutputWithResponse(a.ctx, queued.OutputId.String()))
		done = want(r, r.JSON200)
		check(done.Status != client.OutputStatusFailed && done.Status != client.OutputStatusCanceled, "failed: %+v", done)
		return done.Status == client.OutputStatusCompleted
	})
	check(done.Text != nil && *done.Text != "" && done.Error == nil, "no text: %+v", done)
	return done
}

func (a *actor) ask() {
	r := ok(a.api.CreateChatWithResponse(a.ctx, client.NewChat{Message: "What do they say about " + a.word + "?", RecordingIds: []string{a.recordingID}}))
	queued := want(r, r.JSON202)
	until("the answer", func() bool {
		r := ok(a.api.GetChatWithResponse(a.ctx, queued.ChatId.String()))
		chat := want(r, r.JSON200)
		if chat.Status != client.ChatStatusCompleted {
			check(chat.Answer == nil, "answer before completion: %+v", chat)
			return false
		}
		check(chat.Answer != nil && *chat.Answer != "" && chat.RecordingIds[0] == a.recordingID, "no answer: %+v", chat)
		return true
	})
}
