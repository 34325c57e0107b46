// Package render is what the engine does with ffmpeg: it looks into media (Probe) and decodes them to PCM (Decode).
//
// Media are untrusted. Each is opened by a process of its own that may open local files only, by a short list of
// demuxers, with limits on pixels, memory and time; the process dies with the context, with the stream's Close, and on
// Linux with our own process. Arguments are built by ffmpeg-go, whose panics are caught; processes are run by this
// package. What ffmpeg prints goes into the cause of an error, for the log, and never into its sentence.
package render
