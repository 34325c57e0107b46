package formats

import (
	"errors"
	"fmt"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// Fonts are the fonts that WritePDF uses. They may be used concurrently, and should be shared: opened fonts stay open.
type Fonts struct{ typeset *typeset.Fonts }

// FontFamily is a font family as the bytes of its TrueType or OpenType files. Bold may be nil. The bytes must not change.
type FontFamily struct{ Regular, Bold []byte }

// FontOptions configure NewFonts. A character is drawn with the first font that has it: the given families, the built-in Go
// fonts (Latin, Greek and Cyrillic) and Noto Emoji (in one colour), and the system's fonts, chosen by script and language.
type FontOptions struct {
	Families []FontFamily
	NoSystem bool // don't use system fonts: the same file on every machine
}

// NewFonts opens fonts. It returns CodeInvalid if a given font is invalid.
func NewFonts(o FontOptions) (*Fonts, error) {
	families := make([]typeset.Family, len(o.Families))
	for i, f := range o.Families {
		families[i] = typeset.Family(f)
	}
	opened, err := typeset.NewFonts(families, !o.NoSystem)
	if err != nil {
		return nil, fault.Errorf(fault.CodeInvalid, "NewFonts", "Invalid font: %v.", err)
	}
	return &Fonts{opened}, nil
}

// systemFonts are the fonts of a nil Options.Fonts. All writers share them.
var systemFonts = sync.OnceValues(func() (*Fonts, error) { return NewFonts(FontOptions{}) })

func (o Options) fonts() (*typeset.Fonts, error) {
	if o.Fonts != nil {
		return o.Fonts.typeset, nil
	}
	f, err := systemFonts()
	if err != nil {
		return nil, err
	}
	return f.typeset, nil
}

// fontError converts a missing font into an error with an installation hint.
func fontError(err error) error {
	var missing *typeset.MissingError
	if !errors.As(err, &missing) {
		return err
	}
	return fault.Errorf(fault.CodeUnavailable, "WritePDF", "No font found for %s text.", missing.Script).
		WithHint(fmt.Sprintf("Install one (on Debian: apt-get install %s).", missing.Debian)).
		Because(err)
}
