// Package diarize finds who spoke when in 16 kHz audio of one or two channels (Run), and assigns a speaker to every word of a transcript
// (Assign). It needs no trained model: it learns the voices from the recording.
//
// Start with Run, or with Diarizer, the Diarizer of an engine.Config:
//
//	turns, err := diarize.Run(ctx, pcm, diarize.Config{})
//	words = diarize.Assign(words, turns, "en")
//
// The stages, one file each, in the order in which Run calls them:
//
//	features.go    audio → mel-frequency cepstral coefficients, 100 frames per second; frames.go stores them
//	bed.go         where music is under the speech
//	speech.go      which frames are speech; loudness.go, which of them are loud enough to identify a voice
//	windows.go     speech → windows of 1.5 s
//	tune.go        how much windows sound like music; music.go, which groups of windows are music, and dropped
//	keys.go        windows → vectors whose similarity is that of the voices; embedder.go for external embeddings
//	spectral.go, linkage.go, candidates.go
//	               vectors → the best grouping for each number of speakers
//	separation.go  the distance of two groups; channel.go, how much a narrow channel reduces it
//	count.go       the number of speakers
//	loudframes.go  speakers of frames instead of windows, where little is said (brief.go) or turns are quick (quick.go)
//	blocks.go      long recordings: blocks of at most 20 min; match.go joins their groups
//	mask.go        which voices are the same in front of another background
//	stereo.go      calls and other recordings that have their speakers apart in two channels
//	resegment.go   groups → a model of each voice → the speaker of each frame
//	edges.go       where exactly the speech of each speaker starts and ends
//	turns.go       frames → turns with a confidence
//	overlap.go     turns → turns of second speakers, if wanted; pairs.go, how much a frame sounds like two voices at once
//	assign.go      turns → the speakers of words
//	voice.go       turns → prints of the voices, to find them in other recordings
//
// It works well if all voices are recorded about equally well, as in interviews, podcasts and calls. It fails for far-field
// meetings; use an Embedder with a neural model there. Overlapped speech becomes a turn of the louder speaker; Config.Overlap
// finds the second one too, a third to half of the time. Jingles and most music are dropped, but music alone may be classified as speech. Voices are
// distinguished by timbre, not by pitch.
//
// The same samples and Config give the same turns on every machine: nothing is concurrent, random number generators have
// fixed seeds, and rounding doesn't depend on the compiler (see package dsp).
package diarize
