package library

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/soundstage-dev/soundstage/assistant"
)

// prompt is a job that people often have.
type prompt struct {
	name, title, description string
	optional                 *mcp.PromptArgument // besides the recording
	text                     string              // %[1]s is the recording, %[2]s the other argument
	writes                   bool
}

var prompts = []prompt{
	{
		name: "summarize", title: "Summarize with quotes", description: "A summary of a recording, with quotes and times.",
		optional: &mcp.PromptArgument{Name: "focus", Title: "Focus", Description: "what the summary should be about; default everything"},
		text: `Summarize recording %[1]s of the library.%[2]s Read all of it with get_transcript: while there is a next_cursor, call it again. Write at most
300 words: first what it is about, then the main points. Support each point with a short quote. Check each quote with the quote tool, and give its
speaker and its time as h:mm:ss. Say what is unclear instead of guessing.`,
	},
	{
		name: "find_clips", title: "Find the best clips", description: "Finds the parts of a recording that would make the best clips.",
		optional: &mcp.PromptArgument{Name: "audience", Title: "Audience", Description: "who should watch the clips, and where; default anybody"},
		text: `Find the three best clips of recording %[1]s of the library.%[2]s Call suggest_clips, and read around each suggestion with get_transcript, from
20 s before to 20 s after it. A good clip makes sense alone, begins with a strong sentence, and ends with a complete thought. Propose start and end
(as h:mm:ss and in milliseconds), a title of at most 8 words, and one sentence why. Ask before you call make_clip.`,
		writes: true,
	},
	{
		name: "minutes", title: "Minutes of a meeting", description: "Writes the minutes of a recorded meeting.",
		optional: &mcp.PromptArgument{Name: "participants", Title: "Participants", Description: "who takes part, to find the names of the speakers"},
		text: `Write the minutes of the meeting in recording %[1]s of the library.%[2]s Call speakers, then read all of it with get_transcript: while there is a
next_cursor, call it again. List participants, topics, decisions, and tasks with who does them by when. Give the time of each decision and task as
h:mm:ss, and check its words with the quote tool. Write "not decided" where nobody decided. Use labels such as "Speaker 0" for people whose name nobody says.`,
	},
}

// addPrompts adds the prompts to a server. Those that need tools which write are for servers that have them.
func addPrompts(s *mcp.Server, writes bool) {
	for _, p := range prompts {
		if p.writes && !writes {
			continue
		}
		arguments := []*mcp.PromptArgument{{Name: "recording", Title: "Recording", Description: "id or number of the recording", Required: true}, p.optional}
		s.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.description, Arguments: arguments},
			func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				recording, err := assistant.Required(req, "recording")
				if err != nil {
					return nil, err
				}
				other := assistant.Argument(req, p.optional.Name)
				if other != "" {
					other = fmt.Sprintf(" %s: %s.", p.optional.Title, strings.TrimSuffix(other, "."))
				}
				text := strings.ReplaceAll(fmt.Sprintf(p.text, recording, other), "\n", " ")
				return assistant.Prompt(p.description, text), nil
			})
	}
}
