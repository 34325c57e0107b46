package render

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"io"
	"path/filepath"

	"golang.org/x/image/draw"
)

// coverFile has the cover of the result, in ffmpeg's working folder.
const coverFile = "cover.jpg"

// holdsCover reports whether the result can have a cover. Of the containers, ffmpeg writes covers into MP4 alone.
func (p Plan) holdsCover() bool {
	c := p.request.container
	return p.still == nil && (c == MP4 || c == "")
}

// decodeCover returns the cover art of the media if it is needed, or nil. One that can't be decoded is a note.
func (f FFmpeg) decodeCover(ctx context.Context, op string, file localFile, p *Plan) (image.Image, error) {
	if p.facts.Cover < 0 || !p.Audiogram && !p.holdsCover() {
		return nil, nil
	}
	cover, err := f.cover(ctx, op, file, p.facts.Cover)
	switch {
	case err == nil:
		return cover, nil
	case ctx.Err() != nil:
		return nil, canceled(ctx, op)
	case p.Audiogram:
		p.Notes = append(p.Notes, "The cover picture can't be decoded; the background is plain.")
	default:
		p.Notes = append(p.Notes, "The cover picture can't be decoded, and was left out.")
	}
	return nil, nil
}

// writeCover writes the cover of the result: that of the media, or the picture that the Style has as its background. It is encoded again,
// since the media's own may be huge, or say where it was taken.
func (p *Plan) writeCover(ctx context.Context, op, folder string, cover image.Image) error {
	if !p.holdsCover() {
		return nil
	}
	if look := p.request.Look; cover == nil && look != nil && look.Background.Kind == "picture" {
		picture, _, err := image.Decode(bytes.NewReader(look.Background.Data))
		if err != nil {
			return pictureError(ctx, op, err)
		}
		cover = atMost(picture, coverSize)
	}
	if cover == nil {
		return nil
	}
	p.cover = true
	const quality = 90
	return writePicture(op, filepath.Join(folder, coverFile), func(w io.Writer) error {
		return jpeg.Encode(w, cover, &jpeg.Options{Quality: quality})
	})
}

// atMost returns a picture whose sides are at most side.
func atMost(img image.Image, side int) image.Image {
	b := img.Bounds()
	part := float64(side) / float64(max(b.Dx(), b.Dy()))
	if part >= 1 {
		return img
	}
	small := image.NewRGBA(image.Rect(0, 0, max(int(float64(b.Dx())*part), 1), max(int(float64(b.Dy())*part), 1)))
	draw.CatmullRom.Scale(small, small.Rect, img, b, draw.Src, nil)
	return small
}
