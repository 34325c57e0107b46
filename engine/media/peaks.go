package media

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// peakSamples is the number of samples of a fine peak: 20 ms at the rate of Reader.Decode.
const peakSamples = 320

// Peaks returns at most n peaks of a sound, in order: the largest amplitude of each part, from 0 to 1, rounded to three decimals. They draw
// its waveform. pcm has the format of Reader.Decode.
func Peaks(pcm io.Reader, n int) ([]float64, error) {
	fine, err := finePeaks(pcm)
	if err != nil {
		return nil, err
	}
	return coarsePeaks(fine, n), nil
}

// finePeaks returns the largest amplitude of each 20 ms of a sound: 12 h take 4 MiB.
func finePeaks(pcm io.Reader) (fine []uint16, err error) {
	in := bufio.NewReaderSize(pcm, 64<<10)
	var part [2 * peakSamples]byte
	for {
		n, err := io.ReadFull(in, part[:])
		var peak uint16
		for i := 0; i+1 < n; i += 2 {
			sample := int(int16(binary.LittleEndian.Uint16(part[i:])))
			peak = max(peak, uint16(max(sample, -sample)))
		}
		if n > 1 {
			fine = append(fine, peak)
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return fine, nil
		case err != nil:
			return nil, err
		}
	}
}

// coarsePeaks merges fine peaks into at most n.
func coarsePeaks(fine []uint16, n int) []float64 {
	n = max(0, min(n, len(fine)))
	coarse := make([]float64, n)
	for i := range coarse {
		var peak uint16
		for _, p := range fine[i*len(fine)/n : (i+1)*len(fine)/n] {
			peak = max(peak, p)
		}
		coarse[i] = float64(int(peak)*1000/32768) / 1000
	}
	return coarse
}
