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
	maxTerms        = 100  // to boost
	maxTermWords    = 20   // of one
	maxTermTokens   = 500  // of all of them
	maxReplacements = 200  // to find
	maxReplaced     = 3000 // bytes of all of them in the address, of which servers take eight thousand or so
)

// query says what a request asks for. SpeakersExpected and ContextPrompt have no counterpart.
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

// boosting is the parameter in which a model takes words to boost: models before Nova-3 take single words, Whisper takes none.
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

// boosted are the words that come first, as far as the limits go. How many tokens a word is, nobody tells: at most one for each three
// bytes and one more is what is reckoned with.
func boosted(words []string, parameter string) []string {
	most, tokens, terms := maxTermWords, 0, 0
	if parameter == "keywords" { // of which each may have a weight behind a colon
		most = 1
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return strings.Contains(w, ":") })
	}
	return speech.Terms(words, most, func(term string) bool {
		terms++
		tokens += len(term)/3 + 1
		return terms <= maxTerms && tokens <= maxTermTokens
	})
}

// replaced are custom spellings as "what is found:what is written".
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
