package search

import "github.com/soundstage-dev/soundstage/engine/transcript"

const (
	defaultContext = 8192 // tokens of a model that doesn't say how many it takes
	answerTokens   = 1000 // reserved for the answer
	passageShare   = 60   // percent of the context
	minimumBudget  = 100  // tokens
)

// PassageBudget returns how many tokens the passages of a request may have. It is 60 % of the model's context, or what the request's
// other texts and 1,000 tokens for the answer leave, if that is less. It is at least 100. A context of 0 or less counts as 8,192 tokens.
func PassageBudget(context int, others ...string) int {
	if context <= 0 {
		context = defaultContext
	}
	left := context - answerTokens
	for _, text := range others {
		left -= transcript.EstimateTokens(text)
	}
	return max(min(context/100*passageShare, left), minimumBudget)
}
