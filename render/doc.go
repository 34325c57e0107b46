// Package render is what the engine does with ffmpeg: it looks into media (Probe, Inspect), decodes them to PCM (Decode),
// and makes captioned clips and audiograms of them (Render, Poster, Loudest).
//
// A render goes through these stages, each in the file of its name:
//
//	request     what is asked for: window, words, title, aspect ratio, style
//	facts       what has to be known of the media: ffprobe's report
//	listen      how loud it is, and when: one pass of ffmpeg
//	plan        all decisions, without running anything: NewPlan
//	  layout      sizes and where things go
//	  cue, group  words to captions: a CueBuilder, and a simple one
//	  caption     captions to ASS, word by word; title, wave likewise; ass writes the file, text makes it safe, font chooses fonts
//	  layer       captions, a title and full bars, drawn when they change: laid over a clip's frames, part of an audiogram's
//	  ground      a picture that doesn't fill the frame, on itself, blurred
//	  cut, graph, sound   what ffmpeg is to do: Plan.Args
//	background  what is behind an audiogram, drawn here
//	render      runs ffmpeg; progress, glyphs and renderfailure read what it says
//	verify      looks at the result; part gives it its name
//	leftover    what a process that was killed couldn't remove; version: which ffmpeg is new enough
//
// Media are untrusted, and so are words and titles. Media are opened by a process of its own that may open local files
// only, by a short list of demuxers, with limits on pixels, memory, file size and time; the process dies with the context,
// with the stream's Close, and on Linux with our own process. Arguments are built by ffmpeg-go, whose panics are caught;
// processes are run by this package. What ffmpeg prints goes into the cause of an error, for the log, and never into its
// sentence.
package render
