package render

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // image.DecodeConfig recognizes JPEG
	_ "image/png"  // and PNG
	"slices"

	"golang.org/x/image/font/sfnt"
)

// maxPicturePixels limits a logo and a background: decoded, each pixel takes 4 bytes.
const maxPicturePixels = 16_000_000

// checkFiles checks the font and the pictures.
func (s Style) checkFiles(c *styleChecker) {
	if len(s.Font.Data) > 0 {
		c.font(s.Font.Data)
	}
	if len(s.Logo.Data) > 0 {
		c.picture("logo", s.Logo.Data, maxLogo, "png")
	}
	if len(s.Background.Data) > 0 {
		c.picture("background", s.Background.Data, maxPicture, "png", "jpeg")
	}
}

// picture checks the size and the format of a picture. It reads only the header.
func (c *styleChecker) picture(member string, data []byte, limit int, formats ...string) {
	member += ".data"
	if len(data) > limit {
		c.fail(member, fmt.Sprintf("must be at most %d KiB", limit>>10), fmt.Sprintf("%d KiB", len(data)>>10))
		return
	}
	header, format, err := image.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		c.fail(member, "must be a picture: "+alternatives(formats), "something else")
	case !slices.Contains(formats, format):
		c.fail(member, "must be a picture: "+alternatives(formats), format)
	case header.Width*header.Height > maxPicturePixels || header.Width < 1 || header.Height < 1:
		c.fail(member, fmt.Sprintf("must be of at most %d megapixels", maxPicturePixels/1_000_000), fmt.Sprintf("%d × %d", header.Width, header.Height))
	}
}

// font checks that a file is one font, whose family has a name.
func (c *styleChecker) font(data []byte) {
	const member = "font.data"
	if len(data) > maxFont {
		c.fail(member, fmt.Sprintf("must be at most %d MiB", maxFont>>20), fmt.Sprintf("%d KiB", len(data)>>10))
		return
	}
	if _, err := familyOf(data); err != nil {
		c.fail(member, "must be a TrueType or OpenType font", err.Error())
	}
}

// familyOf returns the name of a font file's family.
func familyOf(data []byte) (string, error) {
	f, err := sfnt.Parse(data)
	if err != nil {
		return "", err
	}
	name, err := f.Name(nil, sfnt.NameIDFamily)
	if err == nil && (name == "" || len(name) > maxFamilyName) {
		err = sfnt.ErrNotFound
	}
	return name, err
}
