package engine

// The methods of watchedTx: one pair for each noun with a status, and one for everything else that is an event.

func recordingState(r Recording) rowState   { return rowState{status: string(r.TranscriptStatus)} }
func transcriptState(t Transcript) rowState { return rowState{status: string(t.Status)} }
func importState(i Import) rowState         { return rowState{status: string(i.Status), progress: i.Progress} }
func outputState(o Output) rowState         { return rowState{status: string(o.Status)} }
func chatState(c Chat) rowState             { return rowState{status: string(c.Status)} }

func renderState(r Render) rowState {
	return rowState{status: string(r.Status), progress: r.Progress, message: r.Message}
}

func (w *watchedTx) Recording(id RecordingID) (Recording, error) {
	r, err := w.Tx.Recording(id)
	return noticed(w, id, r, err, recordingState)
}

func (w *watchedTx) PutRecording(r Recording) error {
	before, _, err := putRow(w, r.ID, r, w.Recording, w.Tx.PutRecording, recordingState)
	if before == (rowState{}) {
		w.happened(Event{Kind: KindRecordingCreated, SpaceID: r.SpaceID, RecordingID: r.ID, TranscriptID: r.TranscriptID, ImportID: r.ImportID})
	}
	return err
}

func (w *watchedTx) Transcript(id TranscriptID) (Transcript, error) {
	t, err := w.Tx.Transcript(id)
	return noticed(w, id, t, err, transcriptState)
}

func (w *watchedTx) PutTranscript(t Transcript) error {
	before, now, err := putRow(w, t.ID, t, w.Transcript, w.Tx.PutTranscript, transcriptState)
	w.changed(transcriptEvent(t), KindTranscriptChanged, "", before, now, t.failure())
	return err
}

// transcriptEvent returns an event with the ids of a transcript.
func transcriptEvent(t Transcript) Event {
	return Event{UserID: t.UserID, RecordingID: t.RecordingID, TranscriptID: t.ID}
}

func (w *watchedTx) Import(id ImportID) (Import, error) {
	i, err := w.Tx.Import(id)
	return noticed(w, id, i, err, importState)
}

func (w *watchedTx) PutImport(i Import) error {
	before, now, err := putRow(w, i.ID, i, w.Import, w.Tx.PutImport, importState)
	v := Event{UserID: i.UserID, SpaceID: i.SpaceID, RecordingID: i.RecordingID, ImportID: i.ID}
	w.changed(v, KindImportChanged, KindImportProgress, before, now, i.failure())
	return err
}

func (w *watchedTx) Render(id RenderID) (Render, error) {
	r, err := w.Tx.Render(id)
	return noticed(w, id, r, err, renderState)
}

func (w *watchedTx) PutRender(r Render) error {
	before, now, err := putRow(w, r.ID, r, w.Render, w.Tx.PutRender, renderState)
	v := Event{UserID: r.UserID, RecordingID: r.RecordingID, RenderID: r.ID}
	w.changed(v, KindRenderChanged, KindRenderProgress, before, now, r.failure())
	return err
}

func (w *watchedTx) Output(id OutputID) (Output, error) {
	o, err := w.Tx.Output(id)
	return noticed(w, id, o, err, outputState)
}

func (w *watchedTx) PutOutput(o Output) error {
	before, now, err := putRow(w, o.ID, o, w.Output, w.Tx.PutOutput, outputState)
	v := Event{UserID: o.UserID, SpaceID: o.SpaceID, RecordingID: o.RecordingID, OutputID: o.ID}
	w.changed(v, KindOutputChanged, "", before, now, o.failure())
	return err
}

func (w *watchedTx) Chat(id ChatID) (Chat, error) {
	c, err := w.Tx.Chat(id)
	return noticed(w, id, c, err, chatState)
}

func (w *watchedTx) PutChat(c Chat) error {
	before, now, err := putRow(w, c.ID, c, w.Chat, w.Tx.PutChat, chatState)
	w.changed(Event{UserID: c.UserID, ChatID: c.ID}, KindChatChanged, "", before, now, nil)
	return err
}

func (w *watchedTx) PutSuggestion(s Suggestion) error {
	w.happened(Event{Kind: KindSuggestionsMade, RecordingID: s.RecordingID})
	return w.Tx.PutSuggestion(s)
}

func (w *watchedTx) PutTranslation(t Translation) error {
	of, err := w.Tx.Transcript(t.TranscriptID)
	if err != nil && CodeOf(err) != CodeNotFound {
		return err
	}
	v := transcriptEvent(of)
	v.Kind, v.TranscriptID, v.Language = KindTranslationMade, t.TranscriptID, t.Language
	w.happened(v)
	return w.Tx.PutTranslation(t)
}

func (w *watchedTx) PutSpace(s Space) error {
	w.members = true
	return w.Tx.PutSpace(s)
}

func (w *watchedTx) AddMember(id SpaceID, user UserID) error {
	w.members = true
	return w.Tx.AddMember(id, user)
}

func (w *watchedTx) RemoveMember(id SpaceID, user UserID) error {
	w.members = true
	return w.Tx.RemoveMember(id, user)
}
