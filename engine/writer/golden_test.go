package writer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/engine/transcript"
	"github.com/soundstage-dev/soundstage/internal/golden"
)

// questions has a question that the transcript answers, and a prompt, for each language with a golden file.
var questions = map[transcript.Language][2]string{
	"en": {"What do they say about the guest?", "Three quotes, two title ideas and the questions, please."},
	"de": {"Was wird über den Preis gesagt?", "Bitte zwei Zitate, drei Titel und die Fragen."},
	"ja": {"締め切りについて何と言っていますか？", "引用を三つください。"},
	"hi": {"ग्राहक के बारे में क्या कहा गया?", "तीन उद्धरण और एक सारांश दीजिए।"},
	"uk": {"Що кажуть про випуски?", "Напиши три цитати і короткий зміст."},
}

// The texts about a fixed transcript are the same on every machine and in every release. A change must be in the release notes.
func TestLLMGolden(t *testing.T) {
	t.Parallel()
	for language, asked := range questions {
		p := conversation(t, language)
		var b strings.Builder
		add := func(name string, req engine.WriteRequest) {
			req.Language, req.Passages = language, p
			fmt.Fprintf(&b, "=== %s\n%s\n\n", name, write(t, req))
		}
		for _, kind := range builtIns {
			add(string(kind), engine.WriteRequest{Task: engine.TaskGenerate, Type: kind})
		}
		add("dynamic: "+asked[1], engine.WriteRequest{Task: engine.TaskGenerate, Type: engine.OutputDynamic, Prompt: asked[1]})
		add("chat: "+asked[0], engine.WriteRequest{Task: engine.TaskChat, Prompt: asked[0]})
		add("chat: Quetzalcoatl?", engine.WriteRequest{Task: engine.TaskChat, Prompt: "Quetzalcoatl?"})
		add("chat: ?", engine.WriteRequest{Task: engine.TaskChat, Prompt: "?"})
		add("speaker: Speaker 1", engine.WriteRequest{Task: engine.TaskSpeaker, Prompt: "Speaker 1"})
		require.Equal(t, golden.Read(t, filepath.Join("testdata", string(language)+".golden"), []byte(b.String())), b.String(), language)
	}
}
