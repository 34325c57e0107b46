package cff

// Operators of type 2 charstrings.
const (
	rlineto   = 5
	rrcurveto = 8
	endchar   = 14
	rmoveto   = 21
)

const maxArguments = 48 // on the stack

// charString encodes a glyph as a type 2 charstring.
func charString(g Glyph) []byte {
	b := appendNumber(nil, g.Width) // precedes the arguments of the first operator
	var at Point
	to := func(p Point) {
		b = appendNumber(b, p.X-at.X)
		b = appendNumber(b, p.Y-at.Y)
		at = p
	}
	for _, c := range g.Contours {
		to(c.Start)
		b = append(b, rmoveto)
		arguments, operator := 0, byte(0)
		flush := func() {
			if arguments > 0 {
				b = append(b, operator)
			}
			arguments = 0
		}
		for _, s := range c.Steps {
			op, points := byte(rlineto), s.Points[2:]
			if s.Curve {
				op, points = rrcurveto, s.Points[:]
			}
			if op != operator || arguments+2*len(points) > maxArguments {
				flush()
				operator = op
			}
			for _, p := range points {
				to(p)
			}
			arguments += 2 * len(points)
		}
		flush()
	}
	return append(b, endchar)
}
