// Package render runs ffmpeg for the engine. It inspects media (Probe, Inspect), decodes them to PCM (Decode), and renders
// captioned clips, audiograms and their posters (Render, Poster, Loudest).
//
// Start with Renderer, the Renderer of an engine.Config, or with FFmpeg, which has every operation:
//
//	result, err := render.FFmpeg{}.Render(ctx, src, render.Request{
//		Window: transcript.Window{Start: 5 * time.Second, End: 35 * time.Second}, Words: words,
//	}, "clip.mp4", nil) // src is an engine.Source
//
// A render goes through these stages, each in the file of its name:
//
//	request     what to render: window, words, title, aspect ratio, style
//	style       a look as data: ParseStyle, Preset
//	facts       what ffprobe reports about the media; duration measures what it guesses, unless xing finds that it doesn't
//	loudness    loudness and levels of the window, measured in one pass of ffmpeg
//	plan        every decision, made without running a program: NewPlan
//	  layout      frame size and positions
//	  cue, cuebreak  breaks words into captions: CueBuilder, with engine/captions; pieces splits words of languages without spaces
//	  caption     captions as ASS, word by word; likewise title and wave; ass writes the file, text sanitises, font picks fonts
//	  layer       captions, title and filled bars, drawn only when they change
//	  crop        what a crop keeps; focus finds the faces that it follows, with package focus; halves shows
//	              two people, and pan makes moves cheap
//	  target      the ratio, the loudness, and the safe areas of a platform
//	  container   the format of the file, by its extension
//	  backdrop    the blurred copy around a picture that doesn't fill the frame
//	  cut, graph, sound   the arguments of ffmpeg: Plan.Args
//	look        captions and titles of a Style: ruler measures texts, marks draws what moves, pictures has logo, bar, and background
//	background  the image behind an audiogram
//	render      runs ffmpeg; progress, glyphs and renderfailure parse its output
//	verify      checks the result, by its index in MP4 and MOV files; part renames it into place
//	leftover    deletes what a killed process left; version checks that ffmpeg is new enough
//
// Media, words and titles are untrusted. A separate process opens the media: local files only, an allow-list of demuxers,
// and limits on pixels, memory, file size and time. Only the head of an MP3 file, 62 bytes, is read here, too. The process
// ends with the context, with the stream's Close, and on Linux with the parent process. ffmpeg-go builds the arguments, and
// its panics are recovered; this package runs the processes. Output of ffmpeg goes into the cause of an error, for the log,
// and never into its message.
package render
