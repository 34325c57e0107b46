// Command label marks words and phrases in the sentences that engine/phrases learns from and is judged by. It is a module of its own,
// because its dictionaries are large:
//
//	cd engine/phrases/testdata/label && go run .          # rewrites ../train and ../judge
//	cd engine/phrases/testdata/label && go run . -check   # fails if they are not as the dictionaries have them
//
// A bar is where a phrase begins, a space where another word begins. Japanese words are those of the IPA dictionary (kagome), Chinese words
// those of jieba's dictionary (gse), whose most
// frequent words are learned, too.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-ego/gse"
)

// word is a word of a dictionary; starts reports whether a phrase may begin with it.
type word struct {
	text   string
	starts bool
}

func main() {
	check := flag.Bool("check", false, "compare the files instead of writing them")
	flag.Parse()
	seg, err := gse.NewEmbed("zh_s")
	if err != nil {
		log.Fatal(err)
	}
	if err := write(filepath.Join("..", "train", "zh-words.txt"), frequentWords(&seg), *check); err != nil {
		log.Fatal(err)
	}
	if err := write(filepath.Join("..", "..", "zh-words.txt"), lexicon(&seg), *check); err != nil {
		log.Fatal(err)
	}
	for language, split := range map[string]func(string) []word{"ja": japanese(), "zh": chinese(&seg)} {
		for _, set := range []string{"train", "judge"} {
			if err := label(filepath.Join("..", set, language+".txt"), split, *check); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// label rewrites a file of sentences with marks.
func label(file string, split func(string) []word, check bool) error {
	before, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var after strings.Builder
	for line := range strings.Lines(strings.NewReplacer(" ", "", "|", "").Replace(string(before))) {
		for i, w := range split(strings.TrimSpace(line)) {
			switch {
			case i == 0:
			case w.starts:
				after.WriteByte('|')
			default:
				after.WriteByte(' ')
			}
			after.WriteString(w.text)
		}
		after.WriteByte('\n')
	}
	return write(file, after.String(), check)
}

// write writes a file, or checks that it has this text.
func write(file, text string, check bool) error {
	if !check {
		return os.WriteFile(file, []byte(text), 0o644)
	}
	if before, err := os.ReadFile(file); err != nil || string(before) != text {
		return fmt.Errorf("%s is not as the dictionaries have it: run go run . (%v)", file, err)
	}
	return nil
}
