//go:build ignore

// This program writes emoji.txt.gz in the current folder, render/emoji, from the SVG files of Twemoji:
//
//	npm pack @twemoji/svg@15.0.0 && tar xzf twemoji-svg-15.0.0.tgz && go run testdata/generate.go package
package main

import (
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// unit is how many units of a drawing one unit of the SVG is: its side is 36.
const unit = 5

func main() {
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*.svg"))
	if err != nil || len(files) == 0 {
		log.Fatal("no SVG files: ", err)
	}
	slices.Sort(files)
	out, err := os.Create("emoji.txt.gz")
	if err != nil {
		log.Fatal(err)
	}
	packed, _ := gzip.NewWriterLevel(out, gzip.BestCompression)
	skipped := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		if tone.MatchString(name) || strings.Contains(name, "-200d-") && !kept.MatchString(name) {
			continue // drawn without the tone, and as the first of the sequence
		}
		drawing, err := convert(file)
		if err != nil || len(drawing) > longest {
			skipped++
			continue
		}
		fmt.Fprintf(packed, "%s %s\n", name, drawing)
	}
	if err := packed.Close(); err != nil {
		log.Fatal(err)
	}
	if err := out.Close(); err != nil {
		log.Fatal(err)
	}
	log.Print("left out: ", skipped)
}

var (
	tone = regexp.MustCompile(`1f3f[b-f]`)
	kept = regexp.MustCompile(`^(2764|1f3f[34])-`) // hearts and flags
)

// longest leaves out flags with coats of arms.
const longest = 5000

// convert returns the shapes of a file: "#rrggbb path" each, separated by ";".
func convert(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var shapes, fills []string
	decoder := xml.NewDecoder(f)
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return strings.Join(shapes, ";"), nil
		}
		if err != nil {
			return "", err
		}
		switch e := token.(type) {
		case xml.EndElement:
			if len(fills) > 0 {
				fills = fills[:len(fills)-1]
			}
		case xml.StartElement:
			a := map[string]string{}
			for _, attribute := range e.Attr {
				a[attribute.Name.Local] = attribute.Value
			}
			for _, no := range []string{"transform", "opacity", "fill-opacity", "stroke", "clip-path", "style"} {
				if a[no] != "" {
					return "", fmt.Errorf("%s is not supported", no)
				}
			}
			fill := a["fill"]
			if fill == "" && len(fills) > 0 {
				fill = fills[len(fills)-1]
			}
			fills = append(fills, fill)
			p := pen{}
			switch e.Name.Local {
			case "path":
				if err := p.path(a["d"]); err != nil {
					return "", err
				}
			case "circle":
				r := number(a["r"])
				p.ellipse(number(a["cx"]), number(a["cy"]), r, r)
			case "ellipse":
				p.ellipse(number(a["cx"]), number(a["cy"]), number(a["rx"]), number(a["ry"]))
			case "svg", "g":
				continue
			default:
				return "", fmt.Errorf("<%s> is not supported", e.Name.Local)
			}
			colour, err := hex(fill)
			if err != nil {
				return "", err
			}
			if colour != "" {
				shapes = append(shapes, colour+" "+strings.TrimSpace(p.b.String()))
			}
		}
	}
}

func hex(fill string) (string, error) {
	switch {
	case fill == "none":
		return "", nil
	case fill == "":
		return "000000", nil
	case len(fill) == 7 && fill[0] == '#':
		return strings.ToLower(fill[1:]), nil
	case len(fill) == 4 && fill[0] == '#':
		return strings.ToLower(string([]byte{fill[1], fill[1], fill[2], fill[2], fill[3], fill[3]})), nil
	}
	return "", fmt.Errorf("colour %q", fill)
}

func number(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

// pen writes a drawing.
type pen struct {
	b                    strings.Builder
	last                 string
	x, y, startX, startY float64
	controlX, controlY   float64
	previous             byte
}

func (p *pen) write(command string, points ...float64) {
	if command != p.last || command == "m" {
		p.b.WriteString(command + " ")
		p.last = command
	}
	for _, v := range points {
		p.b.WriteString(strconv.Itoa(int(math.Round(v*unit))) + " ")
	}
	p.x, p.y = points[len(points)-2], points[len(points)-1]
}

func (p *pen) ellipse(cx, cy, rx, ry float64) {
	const k = 0.5523
	p.write("m", cx+rx, cy)
	p.write("b", cx+rx, cy+ry*k, cx+rx*k, cy+ry, cx, cy+ry)
	p.write("b", cx-rx*k, cy+ry, cx-rx, cy+ry*k, cx-rx, cy)
	p.write("b", cx-rx, cy-ry*k, cx-rx*k, cy-ry, cx, cy-ry)
	p.write("b", cx+rx*k, cy-ry, cx+rx, cy-ry*k, cx+rx, cy)
}

var parts = regexp.MustCompile(`[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)

// counts is how many numbers each command takes.
var counts = map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 7, 'z': 0}

func (p *pen) path(d string) error {
	tokens := splitFlags(d)
	for i := 0; i < len(tokens); {
		command := tokens[i][0]
		i++
		lower := command | 0x20
		n, known := counts[lower]
		if !known {
			return fmt.Errorf("command %q", command)
		}
		if n == 0 {
			p.x, p.y, p.previous = p.startX, p.startY, 'z'
			continue
		}
		for first := true; i < len(tokens) && !isLetter(tokens[i]); first = false {
			if i+n > len(tokens) {
				return fmt.Errorf("too few numbers")
			}
			v := make([]float64, n)
			for j := range v {
				v[j] = number(tokens[i+j])
			}
			i += n
			c := lower
			if c == 'm' && !first {
				c = 'l'
			}
			p.step(c, command != lower, v)
			p.previous = c
		}
	}
	return nil
}

func isLetter(s string) bool { return s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z' }

// splitFlags splits a path, whose arcs may have flags without a space after them.
func splitFlags(d string) (tokens []string) {
	command, n := byte(0), 0
	for len(d) > 0 {
		at := parts.FindStringIndex(d)
		if at == nil {
			break
		}
		token := d[at[0]:at[1]]
		if command|0x20 == 'a' && !isLetter(token) && (n%7 == 3 || n%7 == 4) {
			token = token[:1]
		}
		d = d[at[0]+len(token):]
		if isLetter(token) {
			command, n = token[0], 0
		} else {
			n++
		}
		tokens = append(tokens, token)
	}
	return tokens
}

// step draws one command. absolute says whether its numbers are positions.
func (p *pen) step(c byte, absolute bool, v []float64) {
	x, y := p.x, p.y
	if absolute {
		x, y = 0, 0
	}
	switch c {
	case 'm':
		p.write("m", x+v[0], y+v[1])
		p.startX, p.startY = p.x, p.y
	case 'l':
		p.write("l", x+v[0], y+v[1])
	case 'h':
		p.write("l", x+v[0], p.y)
	case 'v':
		p.write("l", p.x, y+v[0])
	case 'c':
		p.curve(x+v[0], y+v[1], x+v[2], y+v[3], x+v[4], y+v[5])
	case 's':
		cx, cy := p.x, p.y
		if p.previous == 'c' || p.previous == 's' {
			cx, cy = 2*p.x-p.controlX, 2*p.y-p.controlY
		}
		p.curve(cx, cy, x+v[0], y+v[1], x+v[2], y+v[3])
	case 'q', 't':
		cx, cy := p.x, p.y
		if c == 'q' {
			cx, cy, v = x+v[0], y+v[1], v[2:]
		} else if p.previous == 'q' || p.previous == 't' {
			cx, cy = 2*p.x-p.controlX, 2*p.y-p.controlY
		}
		ex, ey, sx, sy := x+v[0], y+v[1], p.x, p.y
		p.curve(sx+(cx-sx)*2/3, sy+(cy-sy)*2/3, ex+(cx-ex)*2/3, ey+(cy-ey)*2/3, ex, ey)
		p.controlX, p.controlY = cx, cy
	case 'a':
		p.arc(v[0], v[1], v[2]*math.Pi/180, v[3] != 0, v[4] != 0, x+v[5], y+v[6])
	}
}

func (p *pen) curve(ax, ay, bx, by, x, y float64) {
	p.write("b", ax, ay, bx, by, x, y)
	p.controlX, p.controlY = bx, by
}

// arc draws an elliptical arc as curves (SVG 1.1, appendix F.6).
func (p *pen) arc(rx, ry, turn float64, large, sweep bool, x, y float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || p.x == x && p.y == y {
		p.write("l", x, y)
		return
	}
	sin, cos := math.Sincos(turn)
	dx, dy := (p.x-x)/2, (p.y-y)/2
	ux, uy := cos*dx+sin*dy, -sin*dx+cos*dy
	if over := ux*ux/(rx*rx) + uy*uy/(ry*ry); over > 1 {
		rx, ry = rx*math.Sqrt(over), ry*math.Sqrt(over)
	}
	root := math.Sqrt(max(0, (rx*rx*ry*ry-rx*rx*uy*uy-ry*ry*ux*ux)/(rx*rx*uy*uy+ry*ry*ux*ux)))
	if large == sweep {
		root = -root
	}
	cx, cy := root*rx*uy/ry, -root*ry*ux/rx
	midX, midY := cos*cx-sin*cy+(p.x+x)/2, sin*cx+cos*cy+(p.y+y)/2
	from := math.Atan2((uy-cy)/ry, (ux-cx)/rx)
	sweepBy := math.Atan2((-uy-cy)/ry, (-ux-cx)/rx) - from
	if sweep && sweepBy < 0 {
		sweepBy += 2 * math.Pi
	}
	if !sweep && sweepBy > 0 {
		sweepBy -= 2 * math.Pi
	}
	n := int(math.Ceil(math.Abs(sweepBy)/(math.Pi/2) - 1e-9))
	each := sweepBy / float64(n)
	k := 4.0 / 3 * math.Tan(each/4)
	at := func(a, b float64) (float64, float64) { return midX + cos*rx*a - sin*ry*b, midY + sin*rx*a + cos*ry*b }
	for i := range n {
		s1, c1 := math.Sincos(from + each*float64(i))
		s2, c2 := math.Sincos(from + each*float64(i+1))
		ax, ay := at(c1-k*s1, s1+k*c1)
		bx, by := at(c2+k*s2, s2-k*c2)
		ex, ey := at(c2, s2)
		p.curve(ax, ay, bx, by, ex, ey)
	}
}
