// Package markers writes timelines for video editors: one media file with marks at its chapters, clips, and turns of speakers. Start with
// a Timeline and one of the writers:
//
//	rate, err := markers.ParseRate("29.97df")
//	err = markers.WriteEDL(w, markers.Timeline{Name: "Talk", Rate: rate, Length: time.Hour, Markers: marks})
//
// WriteOTIO is for OpenTimelineIO (DaVinci Resolve, Premiere Pro, and others), WriteFCPXML for Final Cut Pro and Resolve, and WriteEDL for
// the timeline markers of Resolve. The same timeline gives the same bytes.
package markers
