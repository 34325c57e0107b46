package render_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/render"
)

func TestScratch(t *testing.T) {
	facts, err := render.FFmpeg{}.Inspect(context.Background(), localFile(shared("conversation.mp3")))
	require.NoError(t, err)
	w := engine.Window{End: 10 * time.Second}
	p, err := render.NewPlan(facts, speech(), render.Request{Window: w, Aspect: render.Square, Words: wordsOf(spoken["en"].text+" "+spoken["en"].text, 0, 10*time.Second), Title: "How two people"})
	require.NoError(t, err)
	os.WriteFile("/tmp/w/captions.ass", []byte(p.Captions), 0o644)
	os.WriteFile("/tmp/w/still.ass", []byte(p.Still), 0o644)
	args, _ := p.Args("/work/main/testdata/conversation.mp3", "/tmp/w/out.mp4", 2)
	for i := range args {
		args[i] = "'" + strings.ReplaceAll(args[i], "'", `'\''`) + "'"
	}
	os.WriteFile("/tmp/w/run.sh", []byte("cd /tmp/w; ffmpeg "+strings.Join(args, " ")+" >/dev/null"), 0o644)
	fmt.Println(p.Captions[:0])
}
