package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/didyoumean"
)

// words of a style's members.
var (
	cases        = []string{"as-spoken", "upper", "lower"}
	titleCases   = []string{"as-written", "upper", "lower"}
	positions    = []string{"bottom", "middle", "top"}
	aligns       = []string{"left", "centre", "right"}
	boxedParts   = []string{"line", "caption", "word"}
	titleParts   = []string{"line", "title"}
	highlights   = []string{"none", "colour", "pill", "underline", "fill"}
	entrances    = []string{"none", "pop", "rise", "fade"}
	moved        = []string{"word", "caption"}
	eases        = []string{"out", "back", "linear"}
	paints       = []string{"nothing", "text", "highlight", "box"}
	titleShows   = []string{"always", "start", "never"}
	barPositions = []string{"none", "top", "bottom"}
	corners      = []string{"top-left", "top-right", "bottom-left", "bottom-right"}
	backgrounds  = []string{"auto", "colour", "gradient", "picture", "blur", "cover"}
	covers       = []string{"square", "circle", "none"}
	waves        = []string{"none", "bars", "levels", "line", "circle"}
)

const maxStyleName, maxFamilyName = 100, 100 // bytes

// Validate returns what is wrong with the style, as CodeInvalid: values out of range, and fonts and pictures that can't be used.
func (s Style) Validate() error {
	c := styleChecker{}
	c.line("name", s.Name, maxStyleName)
	s.checkText(&c)
	s.checkCaptions(&c)
	s.checkRest(&c)
	s.checkFiles(&c)
	return c.err
}

func (s Style) checkText(c *styleChecker) {
	c.line("font.family", s.Font.Family, maxFamilyName)
	if strings.ContainsAny(s.Font.Family, `,{}\`) {
		c.fail("font.family", "must be the name of one family", s.Font.Family)
	}
	c.within("font.size", s.Font.Size, 0, 300)
	c.within("font.weight", float64(s.Font.Weight), 100, 900)
	c.within("font.spacing", s.Font.Spacing, -10, 40)
	c.oneOf("font.case", s.Font.Case, cases)
	c.colour("text.colour", s.Text.Colour, true)
	c.colour("text.outline.colour", s.Text.Outline.Colour, false)
	c.within("text.outline.width", s.Text.Outline.Width, 0, 30)
	c.colour("text.shadow.colour", s.Text.Shadow.Colour, false)
	c.within("text.shadow.x", s.Text.Shadow.X, -40, 40)
	c.within("text.shadow.y", s.Text.Shadow.Y, -40, 40)
	c.within("text.shadow.blur", s.Text.Shadow.Blur, 0, 30)
}

func (s Style) checkCaptions(c *styleChecker) {
	c.oneOf("captions.position", s.Captions.Position, positions)
	c.oneOf("captions.align", s.Captions.Align, aligns)
	c.within("captions.words", float64(s.Captions.Words), 0, 30)
	c.within("captions.lines", float64(s.Captions.Lines), 1, 4)
	c.box("captions.box", s.Captions.Box)
	c.oneOf("captions.box_of", s.Captions.BoxOf, boxedParts)
	c.oneOf("highlight.kind", s.Highlight.Kind, highlights)
	c.colour("highlight.colour", s.Highlight.Colour, false)
	c.colour("highlight.unspoken", s.Highlight.Unspoken, false)
	c.box("highlight.box", s.Highlight.Box)
	c.within("highlight.scale", s.Highlight.Scale, 0.5, 1.5)
	c.within("highlight.glide_ms", float64(s.Highlight.GlideMS), 0, 400)
	c.oneOf("motion.entrance", s.Motion.Entrance, entrances)
	c.oneOf("motion.of", s.Motion.Of, moved)
	c.within("motion.entrance_ms", float64(s.Motion.EntranceMS), 80, 400)
	c.oneOf("motion.ease", s.Motion.Ease, eases)
	c.colour("emphasis.colour", s.Emphasis.Colour, false)
	c.within("emphasis.scale", s.Emphasis.Scale, 0.5, 1.5)
	if len(s.Speakers.Colours) > 20 {
		c.fail("speakers.colours", "must be at most 20 colours", fmt.Sprint(len(s.Speakers.Colours)))
	}
	for i, colour := range s.Speakers.Colours {
		c.colour(fmt.Sprintf("speakers.colours[%d]", i), colour, true)
	}
	c.oneOf("speakers.paint", s.Speakers.Paint, paints)
}

func (s Style) checkRest(c *styleChecker) {
	c.oneOf("title.show", s.Title.Show, titleShows)
	c.within("title.seconds", s.Title.Seconds, 0.5, 30)
	c.within("title.size", s.Title.Size, 0, 300)
	c.colour("title.colour", s.Title.Colour, true)
	c.oneOf("title.case", s.Title.Case, titleCases)
	c.box("title.box", s.Title.Box)
	c.oneOf("title.box_of", s.Title.BoxOf, titleParts)
	c.oneOf("progress.position", s.Progress.Position, barPositions)
	c.within("progress.height", s.Progress.Height, 2, 60)
	c.colour("progress.colour", s.Progress.Colour, true)
	c.colour("progress.track", s.Progress.Track, false)
	c.oneOf("logo.corner", s.Logo.Corner, corners)
	c.within("logo.width", s.Logo.Width, 20, 600)
	c.within("logo.margin", s.Logo.Margin, 0, 300)
	c.within("logo.opacity", s.Logo.Opacity, 0.05, 1)
	c.oneOf("background.kind", s.Background.Kind, backgrounds)
	for i, colour := range s.Background.Colours {
		c.colour(fmt.Sprintf("background.colours[%d]", i), colour, true)
	}
	c.backgroundColours(s.Background)
	c.within("background.angle", s.Background.Angle, -360, 360)
	c.oneOf("background.cover", s.Background.Cover, covers)
	c.oneOf("wave.kind", s.Wave.Kind, waves)
	c.colour("wave.colour", s.Wave.Colour, true)
	c.colour("wave.rest", s.Wave.Rest, true)
	if s.Cut.FadeMS != 0 {
		c.within("cut.fade_ms", float64(s.Cut.FadeMS), 20, 80)
	}
	c.within("cut.handle_ms", float64(s.Cut.HandleMS), 0, 150)
}

// styleChecker collects the first error.
type styleChecker struct{ err error }

func (c *styleChecker) fail(member, must, got string) {
	if c.err == nil {
		c.err = engine.Errorf(engine.CodeInvalid, "Style", "The style's %s %s (got %s).", member, must, got)
	}
}

func (c *styleChecker) line(member, v string, most int) {
	if len(v) > most || strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		c.fail(member, fmt.Sprintf("must be one line of at most %d bytes", most), fmt.Sprintf("%d bytes", len(v)))
	}
}

func (c *styleChecker) within(member string, v, least, most float64) {
	if !(v >= least && v <= most) { // also refuses NaN
		c.fail(member, fmt.Sprintf("must be from %s to %s", number(least), number(most)), number(v))
	}
}

func (c *styleChecker) oneOf(member, v string, words []string) {
	if slices.Contains(words, v) {
		return
	}
	must := "must be " + alternatives(words)
	if meant := didyoumean.Suggest(v, words); meant != "" {
		must += "; did you mean " + meant + "?"
	}
	c.fail(member, must, fmt.Sprintf("%.50q", v))
}

func (c *styleChecker) colour(member string, v Colour, needed bool) {
	if _, ok := v.parse(); ok || v == "" && !needed {
		return
	}
	c.fail(member, `must be a colour in quotes, such as "#ffd54a" or, half transparent, "#ffd54a80"`, fmt.Sprintf("%.50q", string(v)))
}

func (c *styleChecker) box(member string, b StyleBox) {
	c.colour(member+".colour", b.Colour, false)
	c.within(member+".radius", b.Radius, 0, 200)
	c.within(member+".padding", b.Padding, 0, 200)
}

func (c *styleChecker) backgroundColours(b StyleBackground) {
	n := len(b.Colours)
	switch {
	case b.Kind == "colour" && n != 1:
		c.fail("background.colours", "must be one colour for the kind colour", fmt.Sprint(n))
	case b.Kind == "gradient" && n != 2:
		c.fail("background.colours", "must be two colours for the kind gradient", fmt.Sprint(n))
	case b.Kind == "picture" && len(b.Data) == 0:
		c.fail("background.data", "must be a picture for the kind picture", "none")
	}
}

// alternatives joins words for a sentence: "a, b, or c".
func alternatives(words []string) string {
	last := len(words) - 1
	if last < 2 {
		return strings.Join(words, " or ")
	}
	return strings.Join(words[:last], ", ") + ", or " + words[last]
}
