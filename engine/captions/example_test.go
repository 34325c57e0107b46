package captions_test

import (
	"fmt"
	"time"

	"github.com/soundstage-dev/soundstage/engine/captions"
	"github.com/soundstage-dev/soundstage/engine/transcript"
)

var example = transcript.Transcript{Language: "en", Duration: 4 * time.Second, Utterances: []transcript.Utterance{
	{Speaker: "Speaker 0", Text: "Who wrote the first program?", Start: 0, End: 2 * time.Second},
	{Speaker: "Speaker 1", Text: "Ada Lovelace.", Start: 2100 * time.Millisecond, End: 3 * time.Second},
}}

// Build breaks a transcript into cues of one or two lines.
func ExampleBuild() {
	for _, c := range captions.Build(example, nil, captions.Options{Columns: 20}) {
		fmt.Printf("%v-%v %q\n", c.Start, c.End, c.Text())
	}
	// Output:
	// 0s-2.016s "Who wrote\nthe first program?"
	// 2.1s-3.5s "Ada Lovelace."
}

// A profile has the limits of a style guide, and a field that is set replaces one of them.
func ExampleProfile() {
	o, _ := captions.Profile("bbc")
	o.Lines = 1
	limits := o.WithDefaults("en")
	fmt.Println(limits.Columns, limits.Lines, limits.ReadingSpeed)
	// Output: 37 1 15
}
