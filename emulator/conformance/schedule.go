package conformance

import "slices"

// early lists the checks that wait longest and those that create resources for many others. They start first, so they overlap.
var early = []string{
	"renders.completes", "renders.audiogram-style", "transcripts.completes", "imports.source.direct", "recordings.transcript.silence",
	"recordings.transcript.needs-completed", "prompts.recurring", "events.transcript-completed", "events.output-completed",
	"generate.completes", "chat.completes", "suggestions.list.shape", "transcript.field.error", "webhooks.retry.same-id",
}

// last is the check that starts last: the server renders a whole suggestion, which would slow down the others.
const last = "renders.create.suggestion"

// scheduled sorts checks into the order in which they start.
func scheduled(checks []check) []check {
	rank := func(c check) int {
		if c.id == last {
			return len(early) + 1
		}
		if i := slices.Index(early, c.id); i >= 0 {
			return i
		}
		return len(early)
	}
	sorted := slices.Clone(checks)
	slices.SortStableFunc(sorted, func(a, b check) int { return rank(a) - rank(b) })
	return sorted
}
