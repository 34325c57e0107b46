// Package diarize finds out who spoke when in 16 kHz mono audio, and gives every word of a transcript its speaker. It needs
// no trained model: what a voice sounds like is learnt from the recording itself.
//
// The stages, one file each, in the order in which Run calls them:
//
//	features.go    audio → mel-frequency cepstral coefficients, 100 frames a second; frames.go keeps them in bytes
//	speech.go      which frames are speech; loudness.go, which of them are loud enough to know a voice by
//	windows.go     speech → windows of 1.5 s
//	keys.go        windows → vectors that tell how alike two windows sound; embedder.go lets somebody plug in better ones
//	spectral.go, linkage.go, candidates.go
//	               vectors → for each number of speakers the best grouping
//	separation.go  how far two groups are apart
//	count.go       how many speakers there are
//	blocks.go      long recordings: blocks of at most 20 minutes, whose speakers are then matched
//	resegment.go   groups → a model of each voice → who speaks in each frame
//	turns.go       frames → turns with a confidence
//	assign.go      turns → the speakers of words
//
// It works well where voices are recorded about equally well, as in interviews, podcasts and calls, and has no chance in
// far-field meetings; an Embedder with a neural model is the way out there. Two people who talk at the same time are
// one turn, of the louder one. Music alone may be taken for speech. Voices are told apart by timbre, not by pitch.
//
// The same samples and Config give the same turns on every machine: nothing is concurrent, generators of random numbers
// have fixed seeds, and no floating-point operation is left to the compiler's choice (see package dsp).
package diarize
