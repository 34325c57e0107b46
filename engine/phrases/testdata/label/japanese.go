package main

import (
	"log"
	"slices"

	"github.com/ikawaha/kagome-dict/ipa"
	"github.com/ikawaha/kagome/v2/tokenizer"
)

// japanese returns a function that splits text into words. A phrase is a content word with the particles and endings after it (bunsetsu).
func japanese() func(string) []word {
	t, err := tokenizer.New(ipa.Dict(), tokenizer.OmitBosEos())
	if err != nil {
		log.Fatal(err)
	}
	return func(text string) (words []word) {
		var before []string
		for _, token := range t.Tokenize(text) {
			pos := token.POS()
			words = append(words, word{text: token.Surface, starts: before != nil && starts(before, pos, token.Surface)})
			before = pos
		}
		return words
	}
}

// starts reports whether a word begins a phrase, by the parts of speech of the word before it and its own.
func starts(before, pos []string, text string) bool {
	switch {
	case before[0] == "接頭詞", before[1] == "括弧開", pos[1] == "接尾", pos[1] == "非自立":
		return false
	case slices.Contains([]string{"助詞", "助動詞", "記号", "フィラー"}, pos[0]):
		return pos[1] == "括弧開"
	case pos[0] == "名詞" && before[0] == "名詞":
		return before[1] == "副詞可能" || before[1] == "接尾" && before[2] == "副詞可能"
	case pos[0] == "動詞" && before[0] == "名詞":
		return before[1] != "サ変接続" && before[1] != "接尾" || !slices.Contains([]string{"する", "し", "さ", "せ", "でき", "できる", "すれ", "しよ"}, text)
	}
	return true
}
