// Package deepgram is engine.Transcriber over Deepgram's listen endpoint for media that is recorded already: the media is the body of one
// request, and its answer has the words. There is no work on the server that a later try could ask after; what can be kept is the answer,
// which is noted as soon as it is there, so that a crash after it pays for nothing twice.
//
// Source: https://developers.deepgram.com/reference, as of November 2026.
package deepgram
