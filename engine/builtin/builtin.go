package builtin

// Types of the built-in prompts, which are also the types of the outputs that they make.
const (
	Overview    = "episode_overview"
	Quotes      = "quotes"
	KeyTopics   = "key_topics"
	Chapters    = "chapters"
	SocialPosts = "social_posts"
)

// Prompt is a built-in prompt.
type Prompt struct {
	Type        string
	Name        string
	Description string
	Text        string // the instruction for the language model
}

// Prompts returns the built-in prompts in the order in which a space lists them.
func Prompts() []Prompt {
	return []Prompt{
		{
			Type: Overview, Name: "Overview", Description: "What the recording is about.",
			Text: "Write an overview of this recording: a short paragraph on what it is about and who speaks, then its main points as a list.",
		},
		{
			Type: Quotes, Name: "Quotes", Description: "The lines that are worth quoting, with speaker and time.",
			Text: "Choose the lines that are most worth quoting. Give each one word for word, with who says it and when.",
		},
		{
			Type: KeyTopics, Name: "Key topics", Description: "What the recording deals with.",
			Text: "List the key topics of this recording, and say in one sentence each what is said about them.",
		},
		{
			Type: Chapters, Name: "Chapters", Description: "The parts of the recording, with their times.",
			Text: "Divide this recording into chapters. Give each one its time and a title.",
		},
		{
			Type: SocialPosts, Name: "Social posts", Description: "Posts that make people want to listen.",
			Text: "Write social media posts that make people want to listen to this recording.",
		},
	}
}

// Roles returns the names of the roles, in the order in which a space lists them.
func Roles() []string { return []string{"Host", "Guest", "Producer", "Panelist"} }
