package library

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/soundstage-dev/soundstage/assistant"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/search"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

type searchIn struct {
	Query string                `json:"query" jsonschema:"words to find"`
	In    engine.SearchCategory `json:"in,omitempty" jsonschema:"what to search"`
	Limit int                   `json:"limit,omitempty" jsonschema:"most results of each kind"`
}

type searchOut struct {
	assistant.Untrusted
	Results []searchResult `json:"results"`
	More    string         `json:"more,omitempty" jsonschema:"how to get the rest"`
}

type searchResult struct {
	ref
	Kind    string `json:"kind" jsonschema:"transcript, recording (a title), or content"`
	StartMS *int64 `json:"start_ms,omitempty" jsonschema:"of transcripts: when the words are spoken"`
	At      string `json:"at,omitempty" jsonschema:"start_ms as h:mm:ss"`
	Snippet string `json:"snippet"`
}

const maxSnippet = 800 // bytes

func (t *tools) search(ctx context.Context, _ assistant.Call, in searchIn) (*searchOut, error) {
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*searchOut, error) {
		found, err := l.Search(ctx, l.Me, engine.SearchRequest{Query: in.Query, Category: in.In, SpaceID: l.Me.DefaultSpaceID, Limit: in.Limit})
		if err != nil {
			return nil, err
		}
		out, kinds := &searchOut{Results: []searchResult{}}, map[search.DocumentKind]int{}
		for _, f := range found {
			r, _, err := l.GetRecording(ctx, l.Me, f.RecordingID)
			if engine.CodeOf(err) == engine.CodeNotFound {
				continue // deleted in the meantime
			}
			if err != nil {
				return nil, err
			}
			result := searchResult{ref: refer(r), Kind: string(f.Kind), Snippet: assistant.Shorten(transcript.OneLine(f.Snippet), maxSnippet)}
			if f.Kind == search.DocumentTranscript {
				ms := f.Start.Milliseconds()
				result.StartMS, result.At = &ms, clock(f.Start)
			}
			out.Results = append(out.Results, result)
			if kinds[f.Kind]++; kinds[f.Kind] == in.Limit {
				out.More = "There may be more results. Use rarer words, or a higher limit."
			}
		}
		return out, nil
	})
}

type whoIn struct {
	Text      string        `json:"text" jsonschema:"words that somebody said"`
	Recording recordingName `json:"recording,omitempty" jsonschema:"id or number of a recording; default all"`
	Speaker   string        `json:"speaker,omitempty" jsonschema:"name or label of a speaker, to find only what they said"`
	Limit     int           `json:"limit,omitempty" jsonschema:"most passages to return"`
}

type whoOut struct {
	assistant.Untrusted
	Passages []whoPassage `json:"passages"`
	More     string       `json:"more,omitempty" jsonschema:"how to get the rest"`
}

type whoPassage struct {
	ref
	passage
}

func (t *tools) whoSaid(ctx context.Context, _ assistant.Call, in whoIn) (*whoOut, error) {
	return use(ctx, t, Reading, func(ctx context.Context, l Open) (*whoOut, error) {
		out := &whoOut{Passages: []whoPassage{}}
		add := func(rt engine.RecordingTranscript, i int) bool {
			p := describePassage(rt, i)
			p.Text = assistant.Shorten(p.Text, maxSnippet)
			if in.Speaker != "" && !isSpeaker(rt, p.Label, in.Speaker) {
				return true
			}
			if len(out.Passages) == in.Limit {
				out.More = "There are more passages. Add words, a speaker, or a recording, or set a higher limit."
				return false
			}
			out.Passages = append(out.Passages, whoPassage{refer(rt.Recording), p})
			return true
		}
		if in.Recording != "" {
			return out, l.whoIn(ctx, in, add)
		}
		return out, l.whoAnywhere(ctx, in, add)
	})
}

// whoIn finds the passages of a recording that have all the words.
func (l Open) whoIn(ctx context.Context, in whoIn, add func(engine.RecordingTranscript, int) bool) error {
	rt, err := l.read(ctx, in.Recording)
	if err != nil {
		return err
	}
	wanted := search.Terms(in.Text)
	for i, u := range rt.Transcript.Utterances {
		said := search.Terms(u.Text)
		if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(term string) bool { return !slices.Contains(said, term) }) && !add(rt, i) {
			break
		}
	}
	return nil
}

// whoAnywhere finds the best passage of each recording that has all the words.
func (l Open) whoAnywhere(ctx context.Context, in whoIn, add func(engine.RecordingTranscript, int) bool) error {
	found, err := l.Search(ctx, l.Me, engine.SearchRequest{
		Query: in.Text, Category: engine.SearchTranscripts, SpaceID: l.Me.DefaultSpaceID, Limit: engine.MaxSearchLimit,
	})
	if err != nil {
		return err
	}
	for _, f := range found {
		rt, err := l.GetRecordingTranscript(ctx, l.Me, f.RecordingID)
		if err != nil {
			continue // deleted, or being transcribed again
		}
		if i := utteranceAt(rt.Transcript, f.Start); i >= 0 && !add(rt, i) {
			break
		}
	}
	return nil
}

// utteranceAt returns the number of the utterance in which a word starts at a time, -1 for none.
func utteranceAt(t transcript.Transcript, at time.Duration) int {
	return slices.IndexFunc(t.Utterances, func(u transcript.Utterance) bool { return u.Start <= at && at < u.End })
}

// isSpeaker reports whether a label belongs to the speaker that an assistant names: by label, or by a part of the name.
func isSpeaker(rt engine.RecordingTranscript, label, name string) bool {
	name = transcript.Fold(strings.TrimSpace(name))
	return transcript.Fold(label) == name || rt.Names[label] != "" && strings.Contains(transcript.Fold(rt.Names[label]), name)
}
