package render

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// parse returns the colour. ok is false if it isn't "#rrggbb" or "#rrggbbaa".
func (c Colour) parse() (rgba color.NRGBA, ok bool) {
	hex, ok := strings.CutPrefix(string(c), "#")
	if len(hex) == 6 {
		hex += "ff"
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	if !ok || len(hex) != 8 || err != nil {
		return color.NRGBA{}, false
	}
	return color.NRGBA{uint8(v >> 24), uint8(v >> 16), uint8(v >> 8), uint8(v)}, true
}

// rgba returns a checked colour, or transparent black for "".
func (c Colour) rgba() color.NRGBA {
	rgba, _ := c.parse()
	return rgba
}

// ass returns a checked colour as ASS writes it in an override, and its transparency.
func (c Colour) ass() (colour, alpha string) {
	v := c.rgba()
	return fmt.Sprintf("&H%02X%02X%02X&", v.B, v.G, v.R), fmt.Sprintf("&H%02X&", 255-v.A)
}
