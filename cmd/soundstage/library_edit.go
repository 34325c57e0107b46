package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// libraryEditFlags are the parsed flags of `soundstage library edit`.
type libraryEditFlags struct {
	library                         libraryFlags
	replace, text, speakers, splits []string
	merges, removes                 []int
	details                         libraryDetails
}

func newLibraryEdit(std streams) *cobra.Command {
	var o libraryEditFlags
	cmd := &cobra.Command{
		Use:   "edit REC",
		Short: "Correct the transcript, the title, or the tags of a recording",
		Long: `Corrects a transcript and keeps the times of its words. “show --numbers” prints the numbers of utterances. All numbers are those of
the transcript as it is shown, whatever else the command changes. Either every change is made or none. Search, exports, and clips have the
new text from then on.

--title, --tag, and --untag change the recording itself, in a command of their own.

Exit codes: 2 wrong flags or numbers, 3 no such recording, or a text or tag that it doesn't have, 4 another process uses the folder,
6 the transcription failed, 10 it isn't finished.`,
		Example: `  soundstage library edit 1 --replace "Jon=John" --data ./lib
  soundstage library edit 1 --text "3=Where do you record?" --speaker "4=Speaker 0" --data ./lib
  soundstage library edit 1 --split 3=5 --merge 7 --remove 9 --data ./lib
  soundstage library edit 1 --title "Board meeting" --tag show=News --untag draft --data ./lib`,
		Args: exactArgs(1, "one recording"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.details.retitle = cmd.Flags().Changed("title")
			run, words, details := o.run, len(o.replace)+len(o.text)+len(o.speakers)+len(o.splits)+len(o.merges)+len(o.removes) > 0, o.details.any()
			switch {
			case words && details:
				return usageError(cmd, errors.New("--title, --tag, and --untag can't be combined with changes of the transcript"))
			case details:
				run = o.runDetails
			case !words:
				return usageError(cmd, errors.New("expected a change, such as --replace"))
			}
			return o.library.open(cmd, func(ctx context.Context, lib *library) error { return run(ctx, lib, args[0], std.out) })
		},
	}
	f := cmd.Flags()
	o.library.add(f)
	f.StringArrayVar(&o.replace, "replace", nil, "`old=new`: replace words wherever they are spoken; repeatable")
	f.StringArrayVar(&o.text, "text", nil, "`number=text`: the text of an utterance; repeatable")
	f.StringArrayVar(&o.speakers, "speaker", nil, "`number=label`: who says an utterance, such as 4=Speaker 0; repeatable")
	f.StringArrayVar(&o.splits, "split", nil, "`number=word`: begin a new utterance at a word, counted from 1; repeatable")
	f.IntSliceVar(&o.merges, "merge", nil, "`number` of an utterance to join with the next one; repeatable")
	f.IntSliceVar(&o.removes, "remove", nil, "`number` of an utterance to remove; repeatable")
	o.details.add(f)
	return cmd
}

func (o *libraryEditFlags) run(ctx context.Context, lib *library, name string, out io.Writer) error {
	r, err := lib.recording(ctx, name)
	if err != nil {
		return err
	}
	t, err := lib.transcript(ctx, r.ID)
	if err != nil {
		return err
	}
	operations, err := o.operations(t)
	if err != nil {
		return err
	}
	edited, err := lib.EditTranscript(ctx, lib.me, r.ID, engine.TranscriptEdit{Revision: t.Recording.Revision, Operations: operations})
	if err != nil {
		return err
	}
	if o.library.asJSON {
		return json.NewEncoder(out).Encode(map[string]any{"recording": describeRecording(edited.Recording), "revision": edited.Recording.Revision, "operations": len(operations)})
	}
	_, err = fmt.Fprintf(out, "#%d %s: %s, revision %d\n", r.Number, r.Title, plural(len(operations), "change", "changes"), edited.Recording.Revision)
	return err
}

// operations returns what the flags ask for: first what keeps the numbers of utterances, then the rest from the last utterance to the first.
func (o *libraryEditFlags) operations(t engine.RecordingTranscript) (all []engine.EditOperation, err error) {
	texts, err := o.texts(t)
	if err != nil {
		return nil, err
	}
	draft := t.Transcript
	for i, u := range t.Transcript.Utterances {
		if texts[i] != u.Text {
			all = append(all, engine.EditOperation{Kind: engine.EditSetText, Utterance: i, Text: texts[i]})
			if strings.TrimSpace(texts[i]) == "" {
				return nil, engine.Errorf(engine.CodeInvalid, "edit", "The text of utterance %d would be blank.", i+1).
					WithHint(fmt.Sprintf("--remove %d removes the utterance.", i+1))
			}
			draft, _ = transcript.SetText(draft, i, transcript.OneLine(texts[i]))
		}
	}
	for _, pair := range o.speakers {
		i, label, err := numbered("speaker", pair, len(texts))
		if err != nil {
			return nil, err
		}
		if next := draft.NextLabel(); label != next && !slices.Contains(draft.Labels(), label) {
			return nil, engine.Errorf(engine.CodeInvalid, "edit", "--speaker: there is no speaker label %.100q.", label).
				WithHint(labelHint(draft.Labels()) + " " + next + " is a new speaker.")
		}
		all = append(all, engine.EditOperation{Kind: engine.EditSetSpeaker, Utterance: i, Speaker: label})
		draft = transcript.SetSpeaker(draft, i, label)
	}
	shape, err := o.shape(draft)
	return append(all, shape...), err
}

// texts returns the new text of each utterance.
func (o *libraryEditFlags) texts(t engine.RecordingTranscript) (texts []string, err error) {
	for _, u := range t.Transcript.Utterances {
		texts = append(texts, u.Text)
	}
	for _, pair := range o.replace {
		old, text, ok := strings.Cut(pair, "=")
		if !ok || strings.TrimSpace(old) == "" {
			return nil, engine.Errorf(engine.CodeInvalid, "edit", "--replace must be old=new (got %q).", pair)
		}
		found := 0
		for i := range texts {
			var n int
			texts[i], n = replaceWords(texts[i], old, text)
			found += n
		}
		if found == 0 {
			return nil, engine.Errorf(engine.CodeNotFound, "edit", "The transcript doesn't have %q.", old).WithHint("Case counts, and only whole words match.")
		}
	}
	for _, pair := range o.text {
		i, text, err := numbered("text", pair, len(texts))
		if err != nil {
			return nil, err
		}
		texts[i] = text
	}
	return texts, nil
}

// shape returns the splits, merges, and removals, from the last utterance to the first, so that none changes the number of another one.
func (o *libraryEditFlags) shape(t transcript.Transcript) (all []engine.EditOperation, err error) {
	count := len(t.Utterances)
	for _, pair := range o.splits {
		i, word, err := numbered("split", pair, count)
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(word)
		if err != nil || n < 2 {
			return nil, engine.Errorf(engine.CodeInvalid, "edit", "--split must be number=word, with a word from 2 (got %q).", pair)
		}
		if words := len(t.Utterances[i].Words); n > words {
			return nil, engine.Errorf(engine.CodeInvalid, "edit", "--split: utterance %d has %s (got word %d).", i+1, plural(words, "word", "words"), n)
		}
		all = append(all, engine.EditOperation{Kind: engine.EditSplit, Utterance: i, Word: n - 1})
	}
	for kind, list := range map[engine.EditKind][]int{engine.EditMerge: o.merges, engine.EditRemove: o.removes} {
		for _, n := range list {
			if n < 1 || n > count {
				return nil, noUtterance(string(kind), strconv.Itoa(n), count)
			}
			if kind == engine.EditMerge && n == count {
				return nil, engine.Errorf(engine.CodeInvalid, "edit", "--merge: utterance %d is the last, and there is no next one.", n)
			}
			all = append(all, engine.EditOperation{Kind: kind, Utterance: n - 1})
		}
	}
	slices.SortFunc(all, func(a, b engine.EditOperation) int {
		return cmp.Or(b.Utterance-a.Utterance, cmp.Compare(a.Kind, b.Kind), b.Word-a.Word)
	})
	for i := 1; i < len(all); i++ {
		if a, b := all[i-1], all[i]; a.Utterance == b.Utterance && (a.Kind != engine.EditSplit || b.Kind != engine.EditSplit || a.Word == b.Word) {
			return nil, engine.Errorf(engine.CodeInvalid, "edit", "Utterance %d is split, merged, or removed twice.", a.Utterance+1).WithHint("Make one of the changes first.")
		}
	}
	return all, nil
}

// numbered splits the value of a flag: the number of an utterance from 1, and what to do with it. The returned number is from 0.
func numbered(flag, pair string, count int) (i int, value string, err error) {
	number, value, ok := strings.Cut(pair, "=")
	n, err := strconv.Atoi(strings.TrimSpace(number))
	switch {
	case !ok || err != nil:
		return 0, "", engine.Errorf(engine.CodeInvalid, "edit", "--%s must begin with the number of an utterance and = (got %q).", flag, pair)
	case n < 1 || n > count:
		return 0, "", noUtterance(flag, number, count)
	}
	return n - 1, value, nil
}

func noUtterance(flag, number string, count int) error {
	return engine.Errorf(engine.CodeInvalid, "edit", "--%s: there is no utterance %s.", flag, number).
		WithHint(fmt.Sprintf("The transcript has %s; “soundstage library show --numbers” prints them.", plural(count, "utterance", "utterances")))
}
