// Package command is an engine.Transcriber that runs a program which reads a WAV file and outputs words as JSON: whisper.cpp's
// whisper-cli, WhisperX, or a script around a model. The program may print the JSON or write it next to the WAV file. The format is
// detected.
//
// Start with [New]:
//
//	transcriber, err := command.New(command.Config{
//		Program: "whisper-cli", Media: render.FFmpeg{},
//		Args:    []string{"-m", "ggml-base.bin", "-f", "{wav}", "-l", "{language}", "-ojf"},
//	})
//
// Programs run without a shell. Users' text is always part of a single argument, and never the start of one.
package command
