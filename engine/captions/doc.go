// Package captions breaks transcripts into captions: for caption files, and for captions drawn into videos. Start with [Build]:
//
//	for _, cue := range captions.Build(t, names, captions.Options{}) {
//		fmt.Println(cue.Start, cue.End, cue.Text())
//	}
package captions
