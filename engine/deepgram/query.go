package deepgram

import (
	"net/url"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/speech"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

const (
	maxTerms        = 100  // boosted terms
	maxTermWords    = 20   // words in one term
	maxTermTokens   = 500  // tokens in all terms
	maxReplacements = 200  // terms to find
	maxReplaced     = 3000 // bytes of all of them in the URL; servers accept URLs of about 8,000 bytes
)

// query converts a request to query parameters. SpeakersExpected and ContextPrompt have no counterpart.
func query(req engine.TranscribeRequest, model string) url.Values {
	q := url.Values{
		"model": {model}, "diarize": {"true"}, "utterances": {"true"}, "punctuate": {"true"}, "smart_format": {"true"},
	}
	if req.Language != "" {
		q.Set("language", string(req.Language))
	} else {
		q.Set("detect_language", "true")
	}
	if parameter, ok := boosting(model); ok {
		q[parameter] = boosted(req.BoostedWords, parameter)
	}
	q["replace"] = replaced(req.Spellings)
	return q
}

// boosting returns a model's parameter for boosted words. Models before Nova-3 accept only single words, Whisper none.
// Source: https://developers.deepgram.com/docs/keyterm, https://developers.deepgram.com/docs/keywords.
func boosting(model string) (parameter string, ok bool) {
	family, _, _ := strings.Cut(strings.ToLower(model), "-")
	switch {
	case family == "whisper":
		return "", false
	case family == "enhanced", family == "base", family == "nova" && !strings.HasPrefix(strings.ToLower(model), "nova-3"):
		return "keywords", true
	}
	return "keyterm", true
}

// boosted returns the first boosted words that fit the limits. The tokens of a word are not documented; the estimate is
// one for each three bytes, plus one.
func boosted(words []string, parameter string) []string {
	most, tokens, terms := maxTermWords, 0, 0
	if parameter == "keywords" { // a colon in a keyword starts its weight
		most = 1
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(w, ":") })
	}
	return speech.Terms(words, most, func(term string) bool {
		terms++
		tokens += len(term)/3 + 1
		return terms <= maxTerms && tokens <= maxTermTokens
	})
}

// replaced returns custom spellings in the form "find:replace".
func replaced(spellings []transcript.Spelling) (all []string) {
	length := 0
	for _, s := range speech.Spellings(spellings) {
		for _, from := range s.From {
			pair := from + ":" + s.To
			if length += len("&replace=") + len(url.QueryEscape(pair)); length > maxReplaced || len(all) == maxReplacements {
				return all
			}
			all = append(all, pair)
		}
	}
	return all
}
