package formats

import (
	"encoding/json"
	"strings"
	"testing"

	segmentio "github.com/segmentio/encoding/json"
	"github.com/stretchr/testify/require"
)

// JSON on which decoders differ, if they do.
var foreignJSON = []string{
	`{"recording_id":null,"language":"en","audio_duration":3.5,"utterances":[{"speaker":"Speaker 0","text":"Hi \"you\"","start":0,"end":900,"confidence":0.9,"words":[]}]}`,
	`{"LANGUAGE_code":"en_us","unknown":[{"a":[1,-2.5e3,true,false,null,"\u00e9\ud83d\ude00\ud800"]}],"words":[{"text":"a","start":1},{"text":"b"}],"words":[{"end":3}]}`,
	`{"results":{"channels":[{"alternatives":[{"words":[{"word":"hi","start":0.1,"speaker":0}]}]}],"utterances":[{"speaker":1,"channel":2}]}}`,
	`{"segments":[{"start":0,"end":3,"text":"a","words":[{"word":"a","start":0,"end":1}]}],"chunks":[{"timestamp":[0,1],"text":"a"}]}`,
	`{"transcription":[{"offsets":{"from":0,"to":10},"text":"a","tokens":[]}],"result":{"language":"en"}}`,
	`{"words":[{"text":"a` + "\t" + `"}]}`, `{"words":[{"start":01}]}`, `{"words":[{"start":1.}]}`, `{"words":[{"start":"1"}]}`, `{"words":[],}`, `{"words":[1,]}`,
	`{"words":[]} x`, `{"words":{}}`, `{"words":[{"text":"\x"}]}`, `{"words":[{"text":"\u12"}]}`, `{"words":[{"start":1e999}]}`, `{"status":nul}`, `{"a":1`, `{"a"`, `{`, ``,
}

// What the fast decoder accepts, encoding/json accepts, too, and reads as the same.
func FuzzDecode(f *testing.F) {
	for _, in := range foreignJSON {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if !isShallow(in) {
			return
		}
		var fast, slow foreign
		if segmentio.Unmarshal(in, &fast) != nil {
			return // decode then uses encoding/json
		}
		require.NoError(t, json.Unmarshal(in, &slow))
		require.Equal(t, slow, fast)
	})
}

// JSON that is nested too deeply is an error, as encoding/json has it. The fast decoder would read it, until the stack overflows.
func TestDecodeDeep(t *testing.T) {
	t.Parallel()
	const levels = 10_001
	for name, deep := range map[string]string{
		"lists":                     strings.Repeat("[", levels) + strings.Repeat("]", levels),
		"closed in a string first":  `["` + strings.Repeat("]", levels) + `",` + strings.Repeat("[", levels) + strings.Repeat("]", levels) + `]`,
		"closed in strings between": strings.Repeat(`["\"]",`, levels) + "1" + strings.Repeat("]", levels),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := []byte(`{"a":` + deep + `,"words":[{"text":"a"}]}`)
			var f foreign
			require.NoError(t, segmentio.Unmarshal(text, &f))
			require.ErrorContains(t, decode(text, &f), "exceeded max depth")
		})
	}
}
