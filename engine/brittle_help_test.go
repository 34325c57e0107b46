package engine_test

import (
	"context"
	"errors"
	"time"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// brittle is a store of which one operation fails: the fails-th from now on. 0 means none. It is for one goroutine.
type brittle struct {
	engine.Store
	fails, done int
}

var (
	errBrittle  = engine.Errorf(engine.CodeNoSpace, "", "The disk is full.")
	errReadOnly = errors.New("only read")
)

// View runs in a transaction that is rolled back, so that brittleTx needs no second type.
func (s *brittle) View(ctx context.Context, fn func(engine.ReadTx) error) error {
	var failed error
	err := s.Store.Update(ctx, func(tx engine.Tx) error {
		failed = fn(brittleTx{tx, s})
		return errReadOnly
	})
	if errors.Is(err, errReadOnly) {
		return failed
	}
	return err
}

func (s *brittle) Update(ctx context.Context, fn func(engine.Tx) error) error {
	return s.Store.Update(ctx, func(tx engine.Tx) error { return fn(brittleTx{tx, s}) })
}

type brittleTx struct {
	engine.Tx
	s *brittle
}

func (tx brittleTx) do(operation func() error) error {
	if tx.s.done++; tx.s.done == tx.s.fails {
		return errBrittle
	}
	return operation()
}

func get[T any](tx brittleTx, operation func() (T, error)) (v T, err error) {
	err = tx.do(func() error {
		v, err = operation()
		return err
	})
	return v, err
}

func (tx brittleTx) Account(a engine.AccountID) (engine.Account, error) {
	return get(tx, func() (engine.Account, error) { return tx.Tx.Account(a) })
}
func (tx brittleTx) Accounts(a engine.AccountID, b int) ([]engine.Account, error) {
	return get(tx, func() ([]engine.Account, error) { return tx.Tx.Accounts(a, b) })
}
func (tx brittleTx) Users(a engine.AccountID) ([]engine.User, error) {
	return get(tx, func() ([]engine.User, error) { return tx.Tx.Users(a) })
}
func (tx brittleTx) User(a engine.UserID) (engine.User, error) {
	return get(tx, func() (engine.User, error) { return tx.Tx.User(a) })
}
func (tx brittleTx) KeyByHash(a [32]byte) (engine.Key, error) {
	return get(tx, func() (engine.Key, error) { return tx.Tx.KeyByHash(a) })
}
func (tx brittleTx) Keys(a engine.UserID) ([]engine.Key, error) {
	return get(tx, func() ([]engine.Key, error) { return tx.Tx.Keys(a) })
}
func (tx brittleTx) Space(a engine.SpaceID) (engine.Space, error) {
	return get(tx, func() (engine.Space, error) { return tx.Tx.Space(a) })
}
func (tx brittleTx) SpacesOf(a engine.UserID) ([]engine.Space, error) {
	return get(tx, func() ([]engine.Space, error) { return tx.Tx.SpacesOf(a) })
}
func (tx brittleTx) Members(a engine.SpaceID) ([]engine.UserID, error) {
	return get(tx, func() ([]engine.UserID, error) { return tx.Tx.Members(a) })
}
func (tx brittleTx) Upload(a engine.UploadID) (engine.Upload, error) {
	return get(tx, func() (engine.Upload, error) { return tx.Tx.Upload(a) })
}
func (tx brittleTx) Recording(a engine.RecordingID) (engine.Recording, error) {
	return get(tx, func() (engine.Recording, error) { return tx.Tx.Recording(a) })
}
func (tx brittleTx) Recordings(a engine.RecordingQuery) ([]engine.Recording, error) {
	return get(tx, func() ([]engine.Recording, error) { return tx.Tx.Recordings(a) })
}
func (tx brittleTx) RecordingByExternalID(a engine.SpaceID, b string) (engine.Recording, error) {
	return get(tx, func() (engine.Recording, error) { return tx.Tx.RecordingByExternalID(a, b) })
}
func (tx brittleTx) Transcript(a engine.TranscriptID) (engine.Transcript, error) {
	return get(tx, func() (engine.Transcript, error) { return tx.Tx.Transcript(a) })
}
func (tx brittleTx) Speaker(a engine.SpeakerID) (engine.Speaker, error) {
	return get(tx, func() (engine.Speaker, error) { return tx.Tx.Speaker(a) })
}
func (tx brittleTx) Speakers(a engine.SpaceID) ([]engine.Speaker, error) {
	return get(tx, func() ([]engine.Speaker, error) { return tx.Tx.Speakers(a) })
}
func (tx brittleTx) Roles(a engine.SpaceID) ([]engine.Role, error) {
	return get(tx, func() ([]engine.Role, error) { return tx.Tx.Roles(a) })
}
func (tx brittleTx) Assignments(a engine.RecordingID) ([]engine.Assignment, error) {
	return get(tx, func() ([]engine.Assignment, error) { return tx.Tx.Assignments(a) })
}
func (tx brittleTx) Prompt(a engine.PromptID) (engine.Prompt, error) {
	return get(tx, func() (engine.Prompt, error) { return tx.Tx.Prompt(a) })
}
func (tx brittleTx) Prompts(a engine.SpaceID) ([]engine.Prompt, error) {
	return get(tx, func() ([]engine.Prompt, error) { return tx.Tx.Prompts(a) })
}
func (tx brittleTx) Output(a engine.OutputID) (engine.Output, error) {
	return get(tx, func() (engine.Output, error) { return tx.Tx.Output(a) })
}
func (tx brittleTx) Outputs(a engine.RecordingID) ([]engine.Output, error) {
	return get(tx, func() ([]engine.Output, error) { return tx.Tx.Outputs(a) })
}
func (tx brittleTx) Chat(a engine.ChatID) (engine.Chat, error) {
	return get(tx, func() (engine.Chat, error) { return tx.Tx.Chat(a) })
}
func (tx brittleTx) Suggestion(a engine.SuggestionID) (engine.Suggestion, error) {
	return get(tx, func() (engine.Suggestion, error) { return tx.Tx.Suggestion(a) })
}
func (tx brittleTx) Suggestions(a engine.RecordingID) ([]engine.Suggestion, error) {
	return get(tx, func() ([]engine.Suggestion, error) { return tx.Tx.Suggestions(a) })
}
func (tx brittleTx) Import(a engine.ImportID) (engine.Import, error) {
	return get(tx, func() (engine.Import, error) { return tx.Tx.Import(a) })
}
func (tx brittleTx) ImportsOfItem(a engine.SpaceID, b string) ([]engine.Import, error) {
	return get(tx, func() ([]engine.Import, error) { return tx.Tx.ImportsOfItem(a, b) })
}
func (tx brittleTx) ImportsOfExternalID(a engine.SpaceID, b string) ([]engine.Import, error) {
	return get(tx, func() ([]engine.Import, error) { return tx.Tx.ImportsOfExternalID(a, b) })
}
func (tx brittleTx) Translation(a engine.TranscriptID, b transcript.Language) (engine.Translation, error) {
	return get(tx, func() (engine.Translation, error) { return tx.Tx.Translation(a, b) })
}
func (tx brittleTx) Postings(a search.PostingQuery) ([]search.Posting, error) {
	return get(tx, func() ([]search.Posting, error) { return tx.Tx.Postings(a) })
}
func (tx brittleTx) Webhook(a engine.WebhookID) (engine.Webhook, error) {
	return get(tx, func() (engine.Webhook, error) { return tx.Tx.Webhook(a) })
}
func (tx brittleTx) Webhooks(a engine.UserID) ([]engine.Webhook, error) {
	return get(tx, func() ([]engine.Webhook, error) { return tx.Tx.Webhooks(a) })
}
func (tx brittleTx) Delivery(a engine.DeliveryID) (engine.Delivery, error) {
	return get(tx, func() (engine.Delivery, error) { return tx.Tx.Delivery(a) })
}
func (tx brittleTx) Deliveries(a engine.WebhookID, b int) ([]engine.Delivery, error) {
	return get(tx, func() ([]engine.Delivery, error) { return tx.Tx.Deliveries(a, b) })
}
func (tx brittleTx) Render(a engine.RenderID) (engine.Render, error) {
	return get(tx, func() (engine.Render, error) { return tx.Tx.Render(a) })
}
func (tx brittleTx) PutAccount(a engine.Account) error {
	return tx.do(func() error { return tx.Tx.PutAccount(a) })
}
func (tx brittleTx) PutUser(a engine.User) error {
	return tx.do(func() error { return tx.Tx.PutUser(a) })
}
func (tx brittleTx) PutKey(a engine.Key) error { return tx.do(func() error { return tx.Tx.PutKey(a) }) }
func (tx brittleTx) DeleteKey(a engine.KeyID) error {
	return tx.do(func() error { return tx.Tx.DeleteKey(a) })
}
func (tx brittleTx) PutSpace(a engine.Space) error {
	return tx.do(func() error { return tx.Tx.PutSpace(a) })
}
func (tx brittleTx) DeleteUser(a engine.UserID) error {
	return tx.do(func() error { return tx.Tx.DeleteUser(a) })
}
func (tx brittleTx) RemoveMember(a engine.SpaceID, b engine.UserID) error {
	return tx.do(func() error { return tx.Tx.RemoveMember(a, b) })
}
func (tx brittleTx) AddMember(a engine.SpaceID, b engine.UserID) error {
	return tx.do(func() error { return tx.Tx.AddMember(a, b) })
}
func (tx brittleTx) PutUpload(a engine.Upload) error {
	return tx.do(func() error { return tx.Tx.PutUpload(a) })
}
func (tx brittleTx) PutRecording(a engine.Recording) error {
	return tx.do(func() error { return tx.Tx.PutRecording(a) })
}
func (tx brittleTx) PutTranscript(a engine.Transcript) error {
	return tx.do(func() error { return tx.Tx.PutTranscript(a) })
}
func (tx brittleTx) PutSpeaker(a engine.Speaker) error {
	return tx.do(func() error { return tx.Tx.PutSpeaker(a) })
}
func (tx brittleTx) PutRole(a engine.Role) error {
	return tx.do(func() error { return tx.Tx.PutRole(a) })
}
func (tx brittleTx) PutAssignment(a engine.Assignment) error {
	return tx.do(func() error { return tx.Tx.PutAssignment(a) })
}
func (tx brittleTx) DeleteAssignment(a engine.RecordingID, b string) error {
	return tx.do(func() error { return tx.Tx.DeleteAssignment(a, b) })
}
func (tx brittleTx) PutPrompt(a engine.Prompt) error {
	return tx.do(func() error { return tx.Tx.PutPrompt(a) })
}
func (tx brittleTx) PutOutput(a engine.Output) error {
	return tx.do(func() error { return tx.Tx.PutOutput(a) })
}
func (tx brittleTx) PutChat(a engine.Chat) error {
	return tx.do(func() error { return tx.Tx.PutChat(a) })
}
func (tx brittleTx) PutSuggestion(a engine.Suggestion) error {
	return tx.do(func() error { return tx.Tx.PutSuggestion(a) })
}
func (tx brittleTx) PutImport(a engine.Import) error {
	return tx.do(func() error { return tx.Tx.PutImport(a) })
}
func (tx brittleTx) PutTranslation(a engine.Translation) error {
	return tx.do(func() error { return tx.Tx.PutTranslation(a) })
}
func (tx brittleTx) PutDocument(a search.Document, b map[string][]int) error {
	return tx.do(func() error { return tx.Tx.PutDocument(a, b) })
}
func (tx brittleTx) PutWebhook(a engine.Webhook) error {
	return tx.do(func() error { return tx.Tx.PutWebhook(a) })
}
func (tx brittleTx) DeleteWebhook(a engine.WebhookID) error {
	return tx.do(func() error { return tx.Tx.DeleteWebhook(a) })
}
func (tx brittleTx) PutDelivery(a engine.Delivery) error {
	return tx.do(func() error { return tx.Tx.PutDelivery(a) })
}
func (tx brittleTx) DeleteDeliveries(a time.Time, b int) (int, error) {
	return get(tx, func() (int, error) { return tx.Tx.DeleteDeliveries(a, b) })
}
func (tx brittleTx) PutRender(a engine.Render) error {
	return tx.do(func() error { return tx.Tx.PutRender(a) })
}
func (tx brittleTx) JobByKey(a string) (queue.Job, error) {
	return get(tx, func() (queue.Job, error) { return tx.Tx.JobByKey(a) })
}
func (tx brittleTx) Enqueue(a queue.Job) error {
	return tx.do(func() error { return tx.Tx.Enqueue(a) })
}
func (tx brittleTx) PutJob(a queue.Job) error { return tx.do(func() error { return tx.Tx.PutJob(a) }) }
