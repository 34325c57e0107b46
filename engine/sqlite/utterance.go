package sqlite

import (
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/soundstage-dev/soundstage/engine/transcript"
)

// Utterances are stored in bytes of our own, because a transcript of three hours has 30,000 words: as JSON they took 37 ms
// to read, like this 2 ms.
//
//	utterances = version (1 byte), number, utterance …
//	utterance  = speaker, text, start, length, confidence, number of words + 1 (0 for nil), word …
//	word       = text, start after the utterance's, length, confidence, flags (1 byte), speaker if it isn't the utterance's
//
// Numbers and times are varints, times in milliseconds, as a Transcript promises; texts are a length and UTF-8;
// confidences are IEEE 754, 8 bytes, little-endian.
const utterancesVersion = 1

// Flags of a word.
const (
	wordSpeaker   = 1 << iota // another one than the utterance's, which follows
	wordEstimated             // its times are a guess
)

func encodeUtterances(utterances []transcript.Utterance) driver.Value {
	if utterances == nil {
		return nil
	}
	b := binary.AppendUvarint([]byte{utterancesVersion}, uint64(len(utterances)))
	for _, u := range utterances {
		b = appendText(appendText(b, u.Speaker), u.Text)
		b = appendTimes(b, u.Start, u.End-u.Start, u.Confidence)
		if u.Words == nil {
			b = append(b, 0)
			continue
		}
		b = binary.AppendUvarint(b, uint64(len(u.Words))+1)
		for _, w := range u.Words {
			b = appendTimes(appendText(b, w.Text), w.Start-u.Start, w.End-w.Start, w.Confidence)
			var flags byte
			if w.Estimated {
				flags |= wordEstimated
			}
			if w.Speaker == u.Speaker {
				b = append(b, flags)
			} else {
				b = appendText(append(b, flags|wordSpeaker), w.Speaker)
			}
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendTimes(b []byte, start, length time.Duration, confidence float64) []byte {
	b = binary.AppendVarint(binary.AppendVarint(b, start.Milliseconds()), length.Milliseconds())
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(confidence))
}

// decodeUtterances reads what encodeUtterances made. All texts share one allocation.
func decodeUtterances(b []byte) ([]transcript.Utterance, error) {
	d := decoder{bytes: b, text: string(b)}
	if d.byte() != utterancesVersion {
		d.broken = true
	}
	utterances := make([]transcript.Utterance, d.number())
	for i := range utterances {
		d.utterance(&utterances[i])
	}
	if d.broken || d.at != len(b) {
		return nil, errors.New("the utterances are broken")
	}
	return utterances, nil
}

// decoder takes apart bytes from front to back; broken says that they were not what they should be.
type decoder struct {
	bytes  []byte
	text   string // the same
	at     int
	broken bool
}

func (d *decoder) utterance(u *transcript.Utterance) {
	u.Speaker, u.Text = d.string(), d.string()
	u.Start, u.End, u.Confidence = d.times()
	n := d.number()
	if n == 0 {
		return
	}
	u.Words = make([]transcript.Word, n-1)
	for i := range u.Words {
		w := &u.Words[i]
		w.Text, w.Speaker = d.string(), u.Speaker
		w.Start, w.End, w.Confidence = d.times()
		w.Start, w.End = w.Start+u.Start, w.End+u.Start
		flags := d.byte()
		if w.Estimated = flags&wordEstimated != 0; flags&wordSpeaker != 0 {
			w.Speaker = d.string()
		}
	}
}

func (d *decoder) byte() byte {
	if d.at >= len(d.bytes) {
		d.broken = true
		return 0
	}
	d.at++
	return d.bytes[d.at-1]
}

// number reads how many of something follow. Each takes a byte at least, so there can't be more than bytes are left.
func (d *decoder) number() int {
	v, n := binary.Uvarint(d.bytes[d.at:])
	if d.at += max(n, 0); n <= 0 || v > uint64(len(d.bytes)-d.at)+1 {
		d.broken = true
	}
	if d.broken {
		return 0
	}
	return int(v)
}

func (d *decoder) string() string {
	n := d.number()
	if n > len(d.text)-d.at {
		d.broken = true
		return ""
	}
	d.at += n
	return d.text[d.at-n : d.at]
}

func (d *decoder) times() (start, end time.Duration, confidence float64) {
	start = d.milliseconds()
	end = start + d.milliseconds()
	if len(d.bytes)-d.at < 8 {
		d.broken = true
		return 0, 0, 0
	}
	d.at += 8
	return start, end, math.Float64frombits(binary.LittleEndian.Uint64(d.bytes[d.at-8:]))
}

func (d *decoder) milliseconds() time.Duration {
	v := d.signed()
	if max(v, -v) > math.MaxInt64/int64(time.Millisecond) || v == math.MinInt64 {
		d.broken = true
	}
	return time.Duration(v) * time.Millisecond
}

func (d *decoder) signed() int64 {
	v, n := binary.Varint(d.bytes[d.at:])
	if d.at += max(n, 0); n <= 0 {
		d.broken = true
	}
	return v
}
