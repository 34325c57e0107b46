package extract

import (
	"slices"

	"github.com/soundstage-dev/soundstage/emulator/record"
)

// space is a space with its people and prompts as they were last seen.
type space struct {
	id, name, language string
	speakers, prompts  map[string]map[string]any
	speakerOrder       []string
	promptOrder        []string
}

// space notes a space. A reference to one has no language.
func (e *Extractor) space(fields map[string]any) *space {
	id := text(fields, "id")
	if id == "" {
		return nil
	}
	s := e.spaces[id]
	if s == nil {
		s = &space{id: id, speakers: map[string]map[string]any{}, prompts: map[string]map[string]any{}}
		e.spaces[id] = s
		e.spaceOrder = append(e.spaceOrder, id)
	}
	if name := text(fields, "name"); name != "" {
		s.name = name
	}
	if language := text(fields, "language"); language != "" {
		s.language = language
	}
	return s
}

// speakers notes listed, created, and changed speakers.
func (e *Extractor) speakers(x *record.Exchange, body map[string]any) {
	if x.Op == "updateSpeaker" {
		changed := member(body, "speaker")
		for _, s := range e.spaces {
			if s.speakers[text(changed, "id")] != nil {
				s.speaker(changed)
			}
		}
		return
	}
	s := e.space(map[string]any{"id": x.Resource})
	if listed := member(body, "space"); listed != nil {
		s = e.space(listed)
	}
	if s == nil {
		return
	}
	for _, one := range append(objects(body["speakers"]), member(body, "speaker")) {
		s.speaker(one)
	}
}

func (s *space) speaker(fields map[string]any) {
	id := text(fields, "id")
	if id == "" {
		return
	}
	old := s.speakers[id]
	if old == nil {
		s.speakerOrder = append(s.speakerOrder, id)
	} else if fields["emoji"] == nil { // lists don't have it
		fields["emoji"] = old["emoji"]
	}
	s.speakers[id] = fields
}

// prompts notes custom prompts. The sandbox has the built-in ones.
func (e *Extractor) prompts(sent, body map[string]any) {
	s := e.space(member(body, "space"))
	if s == nil {
		s = e.space(map[string]any{"id": text(sent, "space_id")})
	}
	if s == nil && len(e.spaceOrder) > 0 {
		s = e.spaces[e.spaceOrder[0]]
	}
	for _, p := range append(objects(body["prompts"]), member(body, "prompt")) {
		id := text(p, "id")
		if s == nil || id == "" || text(p, "type") != "dynamic" {
			continue
		}
		if s.prompts[id] == nil {
			s.promptOrder = append(s.promptOrder, id)
		}
		s.prompts[id] = p
	}
}

// speakerName returns the name of a speaker of a space.
func (s *space) speakerName(id string) string {
	if s == nil || !slices.Contains(s.speakerOrder, id) {
		return ""
	}
	return text(s.speakers[id], "name")
}
