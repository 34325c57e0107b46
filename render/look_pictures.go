package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	ffmpeg "github.com/u2takey/ffmpeg-go"
	"golang.org/x/image/draw"

	"github.com/soundstage-dev/soundstage/engine"
)

// Names in ffmpeg's working folder.
const (
	backdropFile = "backdrop.png"
	logoFile     = "logo.png"
	trackFile    = "track.png"
	playedFile   = "played.png"
)

// unit returns how many pixels of the frame a pixel of a style is.
func (p Plan) unit() float64 { return float64(min(p.Width, p.Height)) / shortSide }

// ownBackdrop reports whether the Style fills the frame around a clip's picture with a picture of its own.
func (p Plan) ownBackdrop() bool {
	return p.request.Look != nil && !p.Audiogram && p.whole != p.size() && p.request.Fit != Crop && p.request.Look.Background.drawn()
}

// drawn reports whether a background doesn't depend on the media.
func (b StyleBackground) drawn() bool {
	return b.Kind == "colour" || b.Kind == "gradient" || b.Kind == "picture"
}

// draw draws a background that doesn't depend on the media.
func (b StyleBackground) draw(frame size) (*image.RGBA, error) {
	img := image.NewRGBA(image.Rect(0, 0, frame.w, frame.h))
	switch b.Kind {
	case "colour":
		draw.Draw(img, img.Rect, image.NewUniform(b.Colours[0].rgba()), image.Point{}, draw.Src)
	case "gradient":
		blend(img, b.Colours[0].rgba(), b.Colours[1].rgba(), b.Angle)
	case "picture":
		picture, _, err := image.Decode(bytes.NewReader(b.Data))
		if err != nil {
			return nil, err
		}
		draw.CatmullRom.Scale(img, img.Rect, picture, middleOf(picture.Bounds(), frame.ratio()), draw.Src, nil)
	}
	return img, nil
}

// middleOf returns the largest part of a picture that has a ratio of width to height.
func middleOf(b image.Rectangle, ratio float64) image.Rectangle {
	w, h := float64(b.Dx()), float64(b.Dy())
	w, h = min(w, h*ratio), min(h, w/ratio)
	x, y := b.Min.X+int((float64(b.Dx())-w)/2), b.Min.Y+int((float64(b.Dy())-h)/2)
	return image.Rect(x, y, x+max(int(w), 1), y+max(int(h), 1))
}

// blend fills a picture with a gradient between two colours.
func blend(img *image.RGBA, from, to color.NRGBA, angle float64) {
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	sin, cos := math.Sincos(angle * math.Pi / 180)
	reach := math.Abs(w*sin) + math.Abs(h*cos)
	mix := func(a, b uint8, part float64) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*part + 0.5) }
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride:]
		for x := range img.Rect.Dx() {
			part := min(max(((float64(x)-w/2)*sin+(float64(y)-h/2)*cos)/reach+0.5, 0), 1)
			row[x*4], row[x*4+1], row[x*4+2], row[x*4+3] = mix(from.R, to.R, part), mix(from.G, to.G, part), mix(from.B, to.B, part), 0xff
		}
	}
}

// writePictures writes the pictures of the Style into ffmpeg's folder.
func (p Plan) writePictures(ctx context.Context, folder string) error {
	if p.request.Look == nil {
		return nil
	}
	pictures := map[string]func() (image.Image, error){}
	if p.ownBackdrop() {
		pictures[backdropFile] = func() (image.Image, error) { return p.request.Look.Background.draw(p.size()) }
	}
	if len(p.request.Look.Logo.Data) > 0 {
		pictures[logoFile] = p.logo
	}
	if bar := p.request.Look.Progress; bar.Position != "none" {
		pictures[playedFile] = func() (image.Image, error) { return p.bar(bar.Colour), nil }
		if x, _, _, _ := p.barPlace(); x > 0 || bar.Track != "" {
			pictures[trackFile] = func() (image.Image, error) { return p.bar(bar.Track), nil }
		}
	}
	for name, draw := range pictures {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		img, err := draw()
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, img); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// pictureError is the error of writePictures: a damaged picture, a full disk, or the end of the context.
func pictureError(ctx context.Context, op string, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx, op)
	}
	if _, ok := errors.AsType[*os.PathError](err); ok {
		return writeError(op, err)
	}
	return engine.Errorf(engine.CodeInvalid, op, "A picture of the style is damaged: %s.", err)
}

// logo draws the logo in its size.
func (p Plan) logo() (image.Image, error) {
	logo := p.request.Look.Logo
	img, err := png.Decode(bytes.NewReader(logo.Data))
	if err != nil {
		return nil, fmt.Errorf("logo: %w", err)
	}
	b := img.Bounds()
	scale := logoScale(logo.Width*p.unit(), b.Dx(), b.Dy(), min(p.Width, p.Height))
	in := even(float64(b.Dx())*scale, float64(b.Dy())*scale)
	small := image.NewNRGBA(image.Rect(0, 0, in.w, in.h))
	draw.CatmullRom.Scale(small, small.Rect, img, b, draw.Src, nil)
	for i := 3; i < len(small.Pix); i += 4 {
		small.Pix[i] = uint8(float64(small.Pix[i])*logo.Opacity + 0.5)
	}
	return small, nil
}

// bar draws the progress bar.
func (p Plan) bar(colour Colour) image.Image {
	_, _, w, h := p.barPlace()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(colour.rgba()), image.Point{}, draw.Src)
	return img
}

// withPictures puts the logo and the progress bar of the Style on a picture.
func (p Plan) withPictures(v *ffmpeg.Stream) *ffmpeg.Stream {
	if p.request.Look == nil {
		return v
	}
	if bar := p.request.Look.Progress; bar.Position != "none" {
		v = p.withBar(v, bar)
	}
	if logo := p.request.Look.Logo; len(logo.Data) > 0 {
		l := p.layout()
		in, _ := targetOf(p.request.Target).covers(l)
		m := marksOf(p.request.Look, l.canvas)
		if in == (Insets{}) { // without a target, the logo ignores the bar
			m.barHeight = 0
		}
		across, down := m.logoInsets(l.canvas, in)
		x, y := strconv.Itoa(evenUp(across*p.unit())), strconv.Itoa(evenUp(down*p.unit()))
		if strings.HasSuffix(logo.Corner, "right") {
			x = "W-w-" + x
		}
		if strings.HasPrefix(logo.Corner, "bottom") {
			y = "H-h-" + y
		}
		v = overlayAt(v, overlaid(pngInput(logoFile)), x, y)
	}
	return v
}

// withBar puts the progress bar on a picture. What was played slides in from the left edge of the frame, or of the track.
func (p Plan) withBar(v *ffmpeg.Stream, bar StyleProgressBar) *ffmpeg.Stream {
	x, y, _, _ := p.barPlace()
	at, slide := strconv.Itoa(y), "'-w+w*t/"+seconds6(p.Duration)+"'"
	if x > 0 {
		track := overlayAt(p.repeatPicture(overlaid(pngInput(trackFile))), overlaid(pngInput(playedFile)), slide, "0")
		return overlayAt(v, track, strconv.Itoa(x), at)
	}
	if bar.Track != "" {
		v = overlayAt(v, overlaid(pngInput(trackFile)), "0", at)
	}
	return overlayAt(v, overlaid(pngInput(playedFile)), slide, at)
}

// evenUp rounds up to an even number: two rows and two columns of a frame share their colour.
func evenUp(v float64) int { return (int(math.Ceil(v)) + 1) &^ 1 }

// overlaid converts a picture with alpha to the colours of the result.
func overlaid(picture *ffmpeg.Stream) *ffmpeg.Stream {
	return picture.Filter("format", ffmpeg.Args{"gbrap"}).
		Filter("scale", nil, ffmpeg.KwArgs{"out_color_matrix": "bt709", "out_range": "tv"}).Filter("format", ffmpeg.Args{"yuva420p"})
}

func overlayAt(v, picture *ffmpeg.Stream, x, y string) *ffmpeg.Stream {
	return ffmpeg.Filter([]*ffmpeg.Stream{v, picture}, "overlay", ffmpeg.Args{x + ":" + y}, ffmpeg.KwArgs{"format": "yuv420"})
}
