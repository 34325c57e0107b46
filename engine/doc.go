// Package engine turns audio and video into recordings, speaker-labelled transcripts and what is made of them. It is the
// Transcription and Content Service as a library: the same nouns, rules and states, without HTTP. It is pure Go and imports
// the standard library only; everything from outside comes in through the ports in ports.go.
//
// The vocabulary:
//
//   - An Account pays and has storage. A User belongs to an account and to any number of Spaces. A Key lets a program act
//     for a user, with a plan Tier and a default space. A Caller is on whose behalf a method runs.
//   - An Upload is a reserved object with a place for the bytes of one file.
//   - A Recording is a piece of audio or video in a space, made of an upload. It has the next Number of its space.
//   - A Transcript is its speech as text, or that of a URL: Utterances (paragraphs of one speaker) of Words with times.
//   - A speaker label ("Speaker 0") is a voice in one recording; a Speaker is a person of a space, to whom labels are assigned.
//   - An Import makes a recording of a URL; ImportFeed makes one of each new item of a podcast feed.
//   - A Prompt is an instruction to make content; an Output is what was made by one of a recording's transcript.
//   - A Chat is a question about recordings and its answer, which cites Passages of them.
//   - A Window is a stretch of a recording; Snap moves one to spoken words. A Suggestion is one worth rendering; a Render is its video.
//   - A Translation is a transcript in another language; Search finds words in transcripts, titles and outputs.
//   - A Webhook is a subscription to events; a Delivery is one event on its way to one of them.
//   - A Job is one step of work that outlives a process.
//
// The life of one upload:
//
//  1. CreateUpload reserves an object and storage; its status is UploadReserved.
//  2. ReceiveUpload streams the bytes into Blobs, all or nothing: UploadStored.
//  3. CreateRecording takes the object (UploadUsed), numbers the recording, and enqueues its transcription: one transaction.
//  4. Run claims the job under a lease; the transcript goes from TranscriptQueued to TranscriptProcessing.
//  5. Media probes the file; the Transcriber turns it into words.
//  6. Words without speakers get theirs from the Diarizer, in a job of its own.
//  7. The words become utterances; transcript and recording become TranscriptCompleted in the transaction that ends the job, which
//     also indexes the transcript for Search, queues an Output for each prompt of the space, and writes the deliveries of the event.
//  8. When a worker dies, its lease runs out and another takes the job up; writes of the dead one are fenced off.
//  9. When a try fails and may be repeated, it is, with growing pauses; else the transcript is TranscriptError with a sentence.
//  10. GetRecordingTranscript reads it; package formats writes it as VTT, SRT, CSV, text or JSON.
package engine
