package conformance_test

import (
	"maps"
	"slices"
)

// findingMistakes returns mistakes about clip suggestions, search, and usage.
func findingMistakes() []mistake {
	const suggestions, search, usage = "/v1/recordings/*/clip-suggestions$", "/v1/search$", "/v1/usage$"
	return []mistake{
		{name: "the worst suggestion comes first", method: "GET", path: suggestions, edit: func(v map[string]any) {
			items, _ := v["suggestions"].([]any)
			if len(items) == 0 {
				return
			}
			better := maps.Clone(items[0].(map[string]any))
			items[0].(map[string]any)["score"], better["score"] = 1, 2
			v["suggestions"], v["count"] = slices.Insert(items, 1, any(better)), len(items)+1
		}, fails: []string{"suggestions.best-first"}},
		{name: "a score above 100", method: "GET", path: suggestions, edit: every("suggestions", set(101, "score")), fails: []string{"suggestions.fields", "suggestions.best-first"}},
		{name: "an unknown kind of suggestion", method: "GET", path: suggestions, edit: every("suggestions", set("reel", "kind")), fails: []string{"suggestions.fields"}},
		{name: "a wrong count of suggestions", method: "GET", path: suggestions, edit: set(99, "count"), fails: []string{"suggestions.list.shape"}},

		{name: "results have a wrong kind", method: "GET", path: search, edit: every("results", set("person", "kind")), fails: []string{"search.transcripts", "search.titles", "search.content"}},
		{name: "a wrong count of results", method: "GET", path: search, edit: set(99, "count"), fails: []string{"search.shape"}},
		{name: "the response has another query", method: "GET", path: search, edit: set("?", "query"), fails: []string{"search.category", "search.space", "search.limit", "search.shape"}},
		{name: "results have no start_ms", method: "GET", path: search, edit: every("results", drop("start_ms")), fails: []string{"search.result.start_ms"}},
		{name: "results have an empty snippet", method: "GET", path: search, edit: every("results", set("", "snippet")), fails: []string{"search.result.snippet"}},
		{name: "invalid searches return 200", method: "GET", path: search, status: [2]int{400, 200}, fails: []string{"search.query-required", "search.category.unknown", "search.limit.zero", "errors.limit-digits"}},

		{name: "api_tier is wrong", method: "GET", path: usage, edit: set("core", "api_tier"), fails: []string{"usage.api-tier"}},
		{name: "usage is in hours", method: "GET", path: usage, edit: set("hour", "usage", "unit"), fails: []string{"usage.minutes"}},
		{name: "uploads don't count towards storage", method: "GET", path: usage, edit: set(0, "storage", "used_bytes"), fails: []string{"usage.storage.counts"}},
		{name: "usage has no period_end", method: "GET", path: usage, edit: drop("usage", "period_end"), fails: []string{"usage.period"}},
		{name: "storage has no soft limit", method: "GET", path: usage, edit: drop("storage", "soft_limit_bytes"), fails: []string{"usage.storage"}},
	}
}
