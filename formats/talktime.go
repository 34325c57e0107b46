package formats

import (
	"math"
	"strconv"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// talkTime is how much a speaker speaks.
type talkTime struct {
	name  string
	time  time.Duration // from starts to ends of utterances; overlaps count once
	turns int           // how often the speaker takes the floor
	share float64       // of the sum of all speakers' times, 0 to 1
}

// talkTimes returns the times of the speakers in order of appearance. Speech of unknown speakers isn't counted.
func (d document) talkTimes() []talkTime {
	var all []talkTime
	var ends []time.Duration
	rows := map[string]int{}
	var total time.Duration
	last := ""
	for _, u := range d.Utterances {
		i, ok := rows[u.Name]
		if u.Name != "" {
			if !ok {
				i = len(all)
				rows[u.Name] = i
				all, ends = append(all, talkTime{name: u.Name}), append(ends, 0)
			}
			if u.Name != last {
				all[i].turns++
			}
			fresh := max(u.End-max(u.Start, ends[i]), 0)
			all[i].time += fresh
			total += fresh
			ends[i] = max(ends[i], u.End)
		}
		last = u.Name
	}
	for i := range all {
		all[i].share = float64(all[i].time) / float64(total)
	}
	return all
}

// clock returns the time in whole seconds.
func (t talkTime) clock() string { return clock(t.time.Round(time.Second)) }

// percent returns a share in whole percent, as the language writes it.
func percent(share float64, l transcript.Language) string {
	n := strconv.Itoa(int(math.Round(share * 100)))
	switch l {
	case "tr":
		return "%" + n
	case "de", "es", "no", "ru", "sv":
		return n + "\u00a0%"
	case "fr":
		return n + "\u202f%"
	}
	return n + "%"
}
