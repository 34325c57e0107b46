// Package translate translates the utterances of a transcript in batches and keeps protected terms unchanged.
//
// Start with [Utterances]. It calls a [Func], usually a translation service:
//
//	translated, err := translate.Utterances(ctx, t.Utterances, "de", []string{"Soundstage"}, ask)
package translate
