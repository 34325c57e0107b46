package render

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	ffmpeg "github.com/u2takey/ffmpeg-go"
	"golang.org/x/image/draw"
)

// drawBackground writes the image behind an audiogram as a PNG. If the media has a cover, it shows the cover on a background of the cover's
// mean colour.
func (p Plan) drawBackground(ctx context.Context, op string, folder string, cover image.Image) error {
	img, err := p.background(cover)
	if err != nil {
		return pictureError(ctx, op, err)
	}
	encoder := png.Encoder{CompressionLevel: png.NoCompression} // ffmpeg reads it once, right away
	return writePicture(op, filepath.Join(folder, backgroundFile), func(w io.Writer) error { return encoder.Encode(w, img) })
}

// writePicture writes a new file.
func writePicture(op, path string, encode func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return writeError(op, err)
	}
	if err := errors.Join(encode(file), file.Close()); err != nil {
		return writeError(op, err)
	}
	return nil
}

// coverSize is the longest side of a decoded cover, in pixels.
const coverSize = 1000

// cover decodes the cover art in a stream of the file.
func (f FFmpeg) cover(ctx context.Context, op string, file localFile, stream int) (image.Image, error) {
	program, err := f.ffmpeg(op)
	if err != nil {
		return nil, err
	}
	args, err := compile(func() *ffmpeg.Stream {
		most := func(side string) string { return "'min(" + side + "," + strconv.Itoa(coverSize) + ")'" }
		return ffmpeg.Input(fileURL(file.path), input(ffmpeg.KwArgs{"nostdin": "", "hide_banner": "", "an": "", "sn": "", "dn": ""})).
			Get(strconv.Itoa(stream)).
			Filter("scale", ffmpeg.Args{most("iw") + ":" + most("ih")}, ffmpeg.KwArgs{"force_original_aspect_ratio": "decrease"}).
			Output("pipe:1", ffmpeg.KwArgs{"format": "image2pipe", "c:v": "png", "pix_fmt": "rgb24", "frames:v": 1})
	})
	if err != nil {
		return nil, internal(op, err)
	}
	p, err := f.start(ctx, program, args)
	if err != nil {
		return nil, startError(ctx, op, err)
	}
	defer p.close()
	b, err := io.ReadAll(io.LimitReader(p, 4*coverSize*coverSize))
	if err != nil {
		return nil, internal(op, err)
	}
	if err := failure(op, p, p.wait(), file, true); err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(b))
}

// plainBackground is the background colour without a cover.
var plainBackground = color.RGBA{0x3b, 0x2a, 0x6b, 0xff}

// background draws the image behind the plan's audiogram.
func (p Plan) background(cover image.Image) (*image.RGBA, error) {
	if p.request.Look == nil {
		return background(p.size(), p.layout(), cover), nil
	}
	b := p.request.Look.Background
	img, err := coverGradient(p.size(), cover), error(nil)
	if b.drawn() {
		img, err = b.draw(p.size())
	}
	if err == nil && cover != nil && b.Cover != "none" {
		l := p.layout()
		top, side := float64(l.coverTop), float64(l.coverSize)
		if p.request.Look.Wave.Kind == "circle" {
			_, y, size := l.disc()
			if side = size * circlePart; b.Cover != "circle" {
				side = size * squarePart
			}
			top = y - side/2
		}
		drawCover(img, l, cover, b.Cover == "circle", top, side)
	}
	return img, err
}

// background draws the image behind an audiogram.
func background(frame size, l layout, cover image.Image) *image.RGBA {
	img := coverGradient(frame, cover)
	if cover != nil {
		drawCover(img, l, cover, false, float64(l.coverTop), float64(l.coverSize))
	}
	return img
}

// coverGradient returns a gradient of the cover's colour.
func coverGradient(frame size, cover image.Image) *image.RGBA {
	colour := plainBackground
	if cover != nil {
		colour = mean(cover)
	}
	img := image.NewRGBA(image.Rect(0, 0, frame.w, frame.h))
	gradient(img, colour)
	return img
}

// drawCover draws the cover in the middle of a row of the canvas: top and side are the row's, and the longer side of the cover is the side.
func drawCover(img *image.RGBA, l layout, cover image.Image, circle bool, top, side float64) {
	frame := size{img.Rect.Dx(), img.Rect.Dy()}
	scale := float64(frame.w) / float64(l.canvas.w)
	side *= scale
	b := cover.Bounds()
	if circle {
		b = middleOf(b, 1)
	}
	fit := side / float64(max(b.Dx(), b.Dy()))
	w, h := float64(b.Dx())*fit, float64(b.Dy())*fit
	x, y := (float64(frame.w)-w)/2, top*scale+(side-h)/2
	at := image.Rect(int(x), int(y), int(x+w), int(y+h))
	small := image.NewRGBA(image.Rect(0, 0, at.Dx(), at.Dy()))
	draw.CatmullRom.Scale(small, small.Bounds(), cover, b, draw.Src, nil)
	radius := float64(at.Dx()) / 24
	if circle {
		radius = float64(at.Dx()) / 2
	}
	draw.DrawMask(img, at, small, image.Point{}, rounded{at.Dx(), at.Dy(), radius}, image.Point{}, draw.Over)
}

// gradient fills a picture with a colour that darkens towards the lower right corner. It doesn't dither: at these steps
// noise looks no better, and it doubles the file.
func gradient(img *image.RGBA, c color.RGBA) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	// A table of all shades: computing each pixel would take as long as the rest of a render outside ffmpeg.
	const shades = 1024
	var table [shades + 1][4]uint8
	for i := range table {
		light := 1 - 0.72*float64(i)/shades
		table[i] = [4]uint8{uint8(float64(c.R)*light + 0.5), uint8(float64(c.G)*light + 0.5), uint8(float64(c.B)*light + 0.5), 0xff}
	}
	for y := range h {
		row := img.Pix[y*img.Stride:]
		for x := range w {
			copy(row[x*4:x*4+4], table[shades*(x*h+2*y*w)/(3*w*h)][:])
		}
	}
}

// mean returns the mean colour of a picture, darkened until white letters are readable on it.
func mean(img image.Image) color.RGBA {
	small := image.NewRGBA(image.Rect(0, 0, 8, 8))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, img.Bounds(), draw.Src, nil)
	var r, g, b float64
	for i := 0; i < len(small.Pix); i += 4 {
		r, g, b = r+float64(small.Pix[i]), g+float64(small.Pix[i+1]), b+float64(small.Pix[i+2])
	}
	n := float64(len(small.Pix) / 4)
	const lightest = 70.0
	dim := min(1, lightest/max((0.2126*r+0.7152*g+0.0722*b)/n, 1))
	return color.RGBA{uint8(r / n * dim), uint8(g / n * dim), uint8(b / n * dim), 0xff}
}

// rounded is a mask in the shape of a rectangle with round corners.
type rounded struct {
	w, h   int
	radius float64
}

func (r rounded) ColorModel() color.Model { return color.AlphaModel }
func (r rounded) Bounds() image.Rectangle { return image.Rect(0, 0, r.w, r.h) }

func (r rounded) At(x, y int) color.Color {
	// Distance of the pixel's centre from the rectangle between the corners' centres.
	dx := max(r.radius-float64(x)-0.5, float64(x)+0.5-float64(r.w)+r.radius, 0)
	dy := max(r.radius-float64(y)-0.5, float64(y)+0.5-float64(r.h)+r.radius, 0)
	return color.Alpha{uint8(255 * min(max(r.radius-math.Hypot(dx, dy)+0.5, 0), 1))}
}
