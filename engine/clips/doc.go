// Package clips suggests parts of a transcript for clips and carousels. Start with [Suggest]; [Check] corrects the suggestions of a
// language model:
//
//	suggestions := clips.Suggest(t)
//	suggestions = clips.Check(t, fromModel)
package clips
