package speech

import "time"

const (
	// overlap is the overlap of two parts if there is no silence to cut in.
	overlap = time.Second
	// search is how far before a part's limit silence is searched, and at most a quarter of a part.
	search = time.Minute
	// shortest is the minimum limit of a part, so that there is room for the overlap.
	shortest = 4 * time.Second
	// longest limits a part if nothing else does: its size must fit into the header of a WAV file.
	longest = 6 * time.Hour
)

// duration returns the maximum duration of a part.
func (l Limits) duration() time.Duration {
	d := longest
	if l.MaxDuration > 0 {
		d = min(d, l.MaxDuration)
	}
	if l.MaxBytes > 0 {
		d = min(d, timeOf(max(0, l.MaxBytes-WAVHeaderSize)))
	}
	return max(d, shortest).Truncate(frame)
}

// cut divides the audio into parts. Two parts meet in the middle of a silence within search before the limit. Without a
// silence, they overlap at the quietest point.
func (s *sound) cut(limits Limits) (parts []Part) {
	most, end := limits.duration(), s.duration()
	start, shared := time.Duration(0), time.Duration(0)
	for start < end {
		part := Part{Start: start, Duration: end - start, overlap: shared, file: s.file}
		shared = 0
		if part.Duration > most {
			limit := start + most - overlap/2
			at, silent := s.levels.quietest(int((limit-min(search, most/4))/frame), int(limit/frame))
			if !silent {
				shared = overlap
			}
			part.Duration = time.Duration(at)*frame + shared/2 - start
		}
		start = part.Start + part.Duration - shared
		parts = append(parts, part)
	}
	for i := range parts {
		p := &parts[i]
		p.Index, p.Count = i, len(parts)
		p.levels = s.levels[p.Start/frame : min(int64((p.Start+p.Duration+frame-1)/frame), int64(len(s.levels)))]
	}
	return parts
}
