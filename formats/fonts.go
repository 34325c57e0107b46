package formats

import (
	"errors"
	"fmt"
	"sync"

	"github.com/soundstage-dev/soundstage/engine/fault"
	"github.com/soundstage-dev/soundstage/formats/internal/typeset"
)

// Fonts are what pdf is drawn with. They may be used by any number of writers at once, and should be: fonts that were
// opened stay open.
type Fonts struct{ typeset *typeset.Fonts }

// FontFamily is a font as the bytes of its TrueType or OpenType files. Bold may be nil. The bytes must not change.
type FontFamily struct{ Regular, Bold []byte }

// FontOptions say what Fonts consist of, best first: the given families, the Go fonts (which are built in and have Latin,
// Greek and Cyrillic), and the fonts that are installed on the system, by script and language.
type FontOptions struct {
	Families []FontFamily
	NoSystem bool // don't look for installed fonts: the same file on every machine
}

// NewFonts opens fonts. CodeInvalid when a given one is none.
func NewFonts(o FontOptions) (*Fonts, error) {
	families := make([]typeset.Family, len(o.Families))
	for i, f := range o.Families {
		families[i] = typeset.Family(f)
	}
	opened, err := typeset.NewFonts(families, !o.NoSystem)
	if err != nil {
		return nil, fault.Errorf(fault.CodeInvalid, "NewFonts", "A font can't be used: %v.", err)
	}
	return &Fonts{opened}, nil
}

// systemFonts are the fonts of a nil Options.Fonts. They are the machine's, so all writers share them.
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

// fontError makes a missing font an error that says what to do.
func fontError(err error) error {
	var missing *typeset.MissingError
	if !errors.As(err, &missing) {
		return err
	}
	return fault.Errorf(fault.CodeUnavailable, "WritePDF", "There is no font for %s text.", missing.Script).
		WithHint(fmt.Sprintf("Install one, on Debian with: apt-get install %s. Or give one with FontOptions.", missing.Debian)).
		Because(err)
}
