package engine

import (
	"context"
	"strings"

	"github.com/soundstage-dev/soundstage/engine/answer"
	"github.com/soundstage-dev/soundstage/engine/queue"
	"github.com/soundstage-dev/soundstage/engine/search"
)

// runChat answers a question. An answer without citations gets a sentence that says so.
func (e *Engine) runChat(ctx context.Context, w *work) (func(Tx) error, error) {
	chat, recordings, about, err := e.readChat(ctx, ChatID(w.job.Ref))
	if err != nil {
		return nil, err
	}
	language := answer.CommonLanguage(recordings)
	req := WriteRequest{Task: TaskChat, Prompt: chat.Message, Language: language, Context: answer.Context(about)}
	req.Passages = search.ChoosePassages(chat.Message, recordings, e.passageBudget(req))
	if len(req.Passages) == 0 {
		return e.finishChat(chat.ID, answer.NoticesFor(language).Silent), nil
	}
	text, err := e.write(ctx, req)
	if err != nil {
		return nil, err
	}
	text, admitted := strings.CutSuffix(text, NoSupport)
	reply, cited := answer.MapCitations(text, answer.Citations(req.Passages))
	reply = strings.TrimSpace(reply)
	switch {
	case reply == "" && admitted:
		reply = answer.NoticesFor(language).Unsupported
	case reply == "":
		return nil, errNoAnswer.Transient()
	case !cited && !admitted:
		reply += "\n\n" + answer.NoticesFor(language).Unsupported
	}
	return e.finishChat(chat.ID, reply), nil
}

// readChat reads a chat and what it is grounded in.
func (e *Engine) readChat(ctx context.Context, id ChatID) (chat Chat, recordings []search.Grounding, about []string, err error) {
	err = e.store.View(ctx, func(tx ReadTx) error {
		if chat, err = tx.Chat(id); err != nil {
			return err
		}
		recordings, about = nil, nil
		for _, id := range chat.RecordingIDs {
			g, said, err := readGrounding(tx, id)
			if err != nil {
				return err
			}
			recordings, about = append(recordings, g), append(about, said)
		}
		return nil
	})
	return chat, recordings, about, err
}

// readGrounding returns the text of a recording, and the user's description of it.
func readGrounding(tx ReadTx, id RecordingID) (g search.Grounding, about string, err error) {
	r, err := tx.Recording(id)
	if err != nil {
		return g, "", err
	}
	t, err := tx.Transcript(r.TranscriptID)
	if err != nil {
		return g, "", err
	}
	names, err := speakerNames(tx, id)
	return search.Grounding{Title: r.Title, Transcript: t.Transcript, Names: names}, t.ContextPrompt, err
}

// finishChat returns the write that completes a chat.
func (e *Engine) finishChat(id ChatID, answer string) func(Tx) error {
	return func(tx Tx) error {
		chat, err := tx.Chat(id)
		if err != nil {
			return err
		}
		if err := chat.apply(ChatAnswered); err != nil {
			return err
		}
		chat.Answer, chat.UpdatedAt = answer, e.now()
		return tx.PutChat(chat)
	}
}

// failChat completes a chat whose job failed permanently, with an answer that says so.
func (e *Engine) failChat(tx Tx, j queue.Job, cause error) error {
	chat, err := tx.Chat(ChatID(j.Ref))
	if err != nil {
		return err
	}
	r, err := tx.Recording(chat.RecordingIDs[0])
	if err != nil {
		return err
	}
	return e.finishChat(chat.ID, answer.NoticesFor(r.Language).Failed+" "+Message(cause))(tx)
}

var errNoAnswer = Errorf(CodeUnavailable, "Chat", "The language model gave no usable answer.")

// passageBudget returns how many tokens the passages of a request may have.
func (e *Engine) passageBudget(req WriteRequest) int {
	all := 0
	if e.llm != nil { // a later configuration may have no LLM; write returns the error
		all = e.llm.ContextTokens()
	}
	return search.PassageBudget(all, req.Prompt, req.Context)
}
