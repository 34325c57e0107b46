// Package engine turns audio and video into recordings, speaker-labelled transcripts, and content generated from them. It is the
// Transcription and Content Service as a library: the same nouns, rules, and states, without HTTP.
//
// Outside this module, the package imports only the standard library. Everything else comes in through the ports in ports.go.
//
// Start with New, CreateAccount, and Run:
//
//	eng, err := engine.New(engine.Config{Store: store, Blobs: blobs, Media: media, Transcriber: transcriber})
//	me, err := eng.CreateAccount(ctx, engine.NewAccount{Name: "Acme"})
//	go eng.Run(ctx)
//
// The Example of this package is a complete program.
//
// # Vocabulary
//
//   - An Account pays and has storage. A User belongs to one account and to any number of Spaces. A Key lets a program act for a user,
//     with a plan Tier and a default space. A Caller identifies the user a method runs for.
//   - An Upload is a reserved object with space for the bytes of one file.
//   - A Recording is a piece of audio or video in a space, created from an upload. Its Number is the next of its space.
//   - A Transcript is the speech of a recording, or of a URL, as text: Utterances (paragraphs of one speaker) of Words with times.
//   - A speaker label ("Speaker 0") is a voice in one recording. A Speaker is a person of a space, to whom labels are assigned.
//   - An Import creates a recording from a URL. ImportFeed creates one for each new item of a podcast feed.
//   - A Prompt is an instruction to generate content. An Output is content generated from one recording's transcript.
//   - A Chat is a question about recordings and its answer, which cites Passages of them.
//   - A Window is a part of a recording; transcript.Snap moves its edges to spoken words. A Suggestion is a window worth rendering. A
//     Render is its video.
//   - A Translation is a transcript in another language. Search finds words in transcripts, titles, and outputs.
//   - A Webhook is a subscription to events. A Delivery is one event on its way to one webhook.
//   - A Job is one step of work that outlives a process.
//
// # The life of an upload
//
//  1. CreateUpload reserves an object and storage: UploadReserved.
//  2. ReceiveUpload streams the bytes into Blobs, all or nothing: UploadStored.
//  3. CreateRecording takes the object (UploadUsed), numbers the recording, and enqueues its transcription, in one transaction.
//  4. Run claims the job under a lease. The transcript changes from TranscriptQueued to TranscriptProcessing.
//  5. Media probes the file. The Transcriber returns its words.
//  6. If the words have no speakers, the Diarizer adds them in a separate job.
//  7. The words become utterances. Transcript and recording become TranscriptCompleted in the transaction that completes the job. That
//     transaction also indexes the transcript for Search, queues an Output for each prompt of the space, and writes webhook deliveries.
//  8. If a worker dies, its lease expires and another worker takes the job. Writes of the dead worker are rejected.
//  9. A failed attempt is retried with growing pauses if its error allows. Otherwise the transcript becomes TranscriptError, with a message.
//  10. GetRecordingTranscript returns the transcript. Package formats writes it as VTT, SRT, CSV, text, or JSON.
package engine
