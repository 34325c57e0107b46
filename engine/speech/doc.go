// Package speech is what adapters of speech services share: it makes an engine.Transcription's words of what a server told, however little
// or wrong that is, and cuts long audio into parts that a server takes.
package speech
