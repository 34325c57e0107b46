package formats

import (
	"strings"

	"github.com/soundstage-dev/soundstage/engine/captions"
)

// cueColours have a contrast of at least 7 with the background of captions, also where it is over white. The first four are those of the
// BBC and of the EBU.
var cueColours = [...]string{"#ffffff", "#ffff00", "#00ffff", "#00ff00", "#ffb86b", "#ffadd2", "#c9b8ff", "#9fd3ff"}

// cssString escapes text for a string in double quotes.
var cssString = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// voiceStyles returns a block with a colour for each voice, in order of appearance, or "" for a single voice.
func voiceStyles(cues []captions.Cue) string {
	colours := map[string]string{}
	var b strings.Builder
	add := func(name string) {
		if name = voiceName.Replace(name); name == "" || colours[name] != "" {
			return
		}
		colours[name] = cueColours[len(colours)%len(cueColours)]
		b.WriteString(`::cue(v[voice="` + cssString.Replace(name) + `"]) { color: ` + colours[name] + " }\n")
	}
	for _, c := range cues {
		if !c.Dialogue() {
			add(c.Speaker)
			continue
		}
		for _, l := range c.Lines {
			add(l.Speaker)
		}
	}
	if len(colours) < 2 {
		return ""
	}
	return "STYLE\n" + b.String() + "\n"
}
