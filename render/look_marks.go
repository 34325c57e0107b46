package render

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// mark is something that a style draws: its markup, around a point, for some frames.
type mark struct {
	layer    int
	from, to int // frames; to is excluded
	style    string
	x, y     float64 // the middle
	reach    float64 // how far it extends above and below the middle
	body     string  // override commands, and text
	text     string
}

// pose is how something is drawn at one moment.
type pose struct {
	x, y    float64
	scale   float64
	opacity float64
	more    string // further commands
	text    string // a drawing that changes; "" for the mark's text
}

// rounded returns the pose with the precision that can be seen, so that equal poses of frames become one mark.
func (p pose) rounded() pose {
	p.x, p.y = math.Round(p.x*4)/4, math.Round(p.y*4)/4
	p.scale, p.opacity = math.Round(p.scale*500)/500, math.Round(p.opacity*50)/50
	return p
}

// easel collects marks.
type easel struct {
	rate  Rate
	marks []mark
}

// frameAt returns the first frame that is nearer to a moment, or after it, than the frame before.
func (e *easel) frameAt(t time.Duration) int {
	return max(0, int(math.Ceil(t.Seconds()*e.rate.perSecond()-0.5)))
}

// timeOf returns the moment of a frame.
func (e *easel) timeOf(frame int) time.Duration {
	return time.Duration(float64(frame) / e.rate.perSecond() * float64(time.Second))
}

// draw adds marks from one moment until another. at returns the pose at a moment, which is the middle of a frame; opacity 0 hides it.
func (e *easel) draw(m mark, from, to time.Duration, at func(time.Duration) pose) {
	first, last := e.frameAt(from), e.frameAt(to)
	half := e.timeOf(1) / 2
	var now pose
	begin := first
	flush := func(end int) {
		if end > begin && now.opacity > 0 {
			one := m
			one.from, one.to, one.x, one.y = begin, end, now.x, now.y
			one.reach *= now.scale
			if now.text != "" {
				one.text = now.text
			}
			one.body = now.commands() + one.body + now.more
			e.marks = append(e.marks, one)
		}
		begin = end
	}
	for k := first; k < last; k++ {
		if next := at(e.timeOf(k) + half).rounded(); k == first || next != now {
			flush(k)
			now = next
		}
	}
	flush(last)
}

// commands returns the scale of a pose. Its opacity belongs to the colours.
func (p pose) commands() string {
	if p.scale == 1 {
		return ""
	}
	return `\fscx` + number(p.scale*100) + `\fscy` + number(p.scale*100)
}

// lettersStyle is the ASS style of letters.
const lettersStyle = "Style: " + styleLetters + ",Noto Sans,60,&H00FFFFFF,&H00FFFFFF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,0,0,5,0,0,0,-1"

// write adds the marks to a script whose canvas begins at top.
func (e *easel) write(s *script, top float64) {
	half := e.timeOf(1) / 2
	if len(e.marks) > 0 && !slices.Contains(s.styles, lettersStyle) {
		s.styles = append(s.styles, lettersStyle)
	}
	for _, m := range e.marks {
		s.add(m.layer, e.timeOf(m.from)-half, e.timeOf(m.to)-half, m.style,
			fmt.Sprintf(`{\an5\pos(%s,%s)%s}%s`, number(m.x), number(m.y-top), m.body, m.text))
	}
}

// bounds returns where the marks are, from top to bottom.
func (e *easel) bounds() (top, bottom float64) {
	top, bottom = math.Inf(1), math.Inf(-1)
	for _, m := range e.marks {
		top, bottom = min(top, m.y-m.reach), max(bottom, m.y+m.reach)
	}
	return top, bottom
}
