// Package cff writes CID-keyed Compact Font Format fonts for PDF (Adobe Technical Notes 5176 and 5177): outlines only,
// without hints or subroutines. A glyph's CID is its index.
//
//	program := cff.Write("Subset", bbox, glyphs)
package cff

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Glyph is one glyph in thousandths of an em, y upwards.
type Glyph struct {
	Width    int
	Contours []Contour
}

// Contour is a closed outline.
type Contour struct {
	Start Point
	Steps []Step
}

// Step draws to its last point: a line, or if Curve is true a cubic Bézier with the first two points as controls.
type Step struct {
	Curve  bool
	Points [3]Point // a line uses only the last
}

// Point is a position in thousandths of an em.
type Point struct{ X, Y int }

// Operators of DICTs.
var (
	opFontBBox    = []byte{5}
	opCharset     = []byte{15}
	opCharStrings = []byte{17}
	opPrivate     = []byte{18}
	opDefaultW    = []byte{20}
	opNominalW    = []byte{21}
	opROS         = []byte{12, 30}
	opCIDCount    = []byte{12, 34}
	opFDArray     = []byte{12, 36}
	opFDSelect    = []byte{12, 37}
)

// SIDs of the first non-standard strings.
const (
	sidAdobe    = 391
	sidIdentity = 392
)

// Write returns the font program. The first glyph is .notdef; there must be 1 to 65,535 glyphs.
func Write(name string, bbox [4]int, glyphs []Glyph) []byte {
	charStrings := make([][]byte, len(glyphs))
	for i, g := range glyphs {
		charStrings[i] = charString(g)
	}
	private := slices.Concat(number(0), opDefaultW, number(0), opNominalW)
	charset := []byte{0}
	if n := len(glyphs) - 1; n > 0 {
		charset = binary.BigEndian.AppendUint16([]byte{2, 0, 1}, uint16(n-1)) // one range from 1
	}
	fdSelect := binary.BigEndian.AppendUint16([]byte{3, 0, 1, 0, 0, 0}, uint16(len(glyphs)))

	head := slices.Concat([]byte{1, 0, 4, 4}, index([][]byte{[]byte(name)}))
	tail := slices.Concat(index([][]byte{[]byte("Adobe"), []byte("Identity")}), index(nil))
	// Offsets have a fixed length, so the dictionary has the same length with zeros.
	top := func(charsetAt, fdSelectAt, charStringsAt, fdArrayAt int) []byte {
		var d []byte
		d = slices.Concat(d, number(sidAdobe), number(sidIdentity), number(0), opROS)
		for _, v := range bbox {
			d = append(d, number(v)...)
		}
		d = append(d, opFontBBox...)
		d = slices.Concat(d, number(len(glyphs)), opCIDCount)
		d = slices.Concat(d, offset(charsetAt), opCharset, offset(fdSelectAt), opFDSelect)
		d = slices.Concat(d, offset(charStringsAt), opCharStrings, offset(fdArrayAt), opFDArray)
		return index([][]byte{d})
	}
	charsetAt := len(head) + len(top(0, 0, 0, 0)) + len(tail)
	fdSelectAt := charsetAt + len(charset)
	charStringsAt := fdSelectAt + len(fdSelect)
	chars := index(charStrings)
	privateAt := charStringsAt + len(chars)
	fdArrayAt := privateAt + len(private)
	fd := slices.Concat(offset(len(private)), offset(privateAt), opPrivate)

	return bytes.Join([][]byte{head, top(charsetAt, fdSelectAt, charStringsAt, fdArrayAt), tail, charset, fdSelect, chars, private, index([][]byte{fd})}, nil)
}

// index encodes an INDEX structure.
func index(items [][]byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(items)))
	if len(items) == 0 {
		return b
	}
	b = append(b, 4)
	at := uint32(1)
	for _, item := range items {
		b = binary.BigEndian.AppendUint32(b, at)
		at += uint32(len(item))
	}
	b = binary.BigEndian.AppendUint32(b, at)
	for _, item := range items {
		b = append(b, item...)
	}
	return b
}

// offset encodes an integer in five bytes.
func offset(v int) []byte { return binary.BigEndian.AppendUint32([]byte{29}, uint32(v)) }

// number encodes an integer from -32768 to 32767 in as few bytes as possible. DICTs and charstrings use the same encoding.
func number(v int) []byte { return appendNumber(nil, v) }

func appendNumber(b []byte, v int) []byte {
	switch {
	case v >= -107 && v <= 107:
		return append(b, byte(v+139))
	case v >= 108 && v <= 1131:
		v -= 108
		return append(b, byte(v>>8+247), byte(v))
	case v >= -1131 && v <= -108:
		v = -v - 108
		return append(b, byte(v>>8+251), byte(v))
	}
	v = min(max(v, -32768), 32767)
	return append(b, 28, byte(v>>8), byte(v))
}
