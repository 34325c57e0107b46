package llm

import "github.com/soundstage-dev/soundstage/engine"

// writing is the part of a prompt that depends on the task.
type writing struct {
	rules string // rules of this task
	what  string
	wish  string // name of the part with the request's prompt
}

// writingOf returns the writing of a request. ok is false for an unknown task. An unknown type is treated as dynamic.
func writingOf(req engine.WriteRequest) (w writing, ok bool) {
	switch req.Task {
	case engine.TaskChat:
		return writing{citeRules, chatInstructions, "question"}, true
	case engine.TaskSpeaker:
		return writing{"", speakerInstructions, "name"}, true
	case engine.TaskGenerate:
		what, known := outputInstructions[req.Type]
		if !known {
			what = outputInstructions[engine.OutputDynamic]
		}
		return writing{markRules, what, "wish"}, true
	}
	return writing{}, false
}

const (
	chatInstructions = `Answer the question of the part "question" from the passages of the part "transcript", directly and briefly. Say who said what where that matters. If the passages don't answer it, say so in one sentence and end with ` + engine.NoSupport + `; if they answer a part of it, answer that part and say what is missing, without ` + engine.NoSupport + `.`

	speakerInstructions = `The part "name" has the name of a person, and the part "transcript" what this person says. Describe in two to four sentences who this person is and what they speak about, by name and in the third person. Leave out what the words don't tell: no guesses at age, origin, health, faith or politics. One paragraph, without a heading, a list, citations or times.`
)

// outputInstructions has the instructions for each type of output.
var outputInstructions = map[engine.OutputType]string{
	engine.OutputOverview: `Write an overview of the recording: one short paragraph on what it is about and who speaks, then its three to seven main points as a list.`,
	engine.OutputQuotes: `Choose the three to eight lines that are most worth quoting. Give each one as a block quote, word for word in its own language, never translated, shortened or joined from several places; behind it, in the same block quote, on a line of its own: a dash, the speaker's name in bold, a comma, the mark of the line. For example:
> The words.
>
> — **Name**, [@12]`,
	engine.OutputKeyTopics: `List the three to eight key topics of the recording, the most important first, as a list: each topic in bold, a colon, and one sentence on what is said about it.`,
	engine.OutputChapters: `Divide the recording into chapters, in order, three to ten of them, fewer where it is short. Write a list, one chapter a line: the mark of the line with which it begins, a blank, a title of two to eight words. The first chapter begins with the first line. For example:
- [@1] Title`,
	engine.OutputSocialPosts: `Write three posts for social networks that make people want to listen to the recording: each below 280 characters, with a hook from what is really said, and at most two hashtags. Head each one with its number in bold, such as **1**.`,
	engine.OutputDynamic:     `Write what the part "wish" asks for, from the recording. Where it leaves open how, be brief and keep the order of the recording.`,
}
