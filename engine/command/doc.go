// Package command is engine.Transcriber over any program that reads a WAV file and tells words as JSON: whisper.cpp's whisper-cli, WhisperX,
// a script around a model. The JSON may be printed or be written beside the WAV file; whose it is, is told by its members.
//
// There is no shell anywhere: a program gets its arguments as they are, and what users wrote is always within one of them.
package command
