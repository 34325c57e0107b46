package conformance

import (
	"strings"

	"github.com/soundstage-dev/soundstage/internal/lazyregexp"
)

var placeholder = lazyregexp.New(`\{[a-z_-]+\}`)

// expand replaces placeholders such as {recording} with ids. It creates the resource on first use.
func (p *probe) expand(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		switch name {
		case "{name}":
			return "conformance-" + p.session.nonce
		case "{missing}":
			return p.session.unknownID
		case "{space}":
			return anUpload(p).text("space_id")
		case "{created}":
			return recordingID(createdAudio(p))
		case "{recording}":
			return audioRecording(p).id
		case "{video}":
			return videoRecording(p).id
		case "{failed}":
			return failedRecording(p).id
		case "{silent}":
			return silentRecording(p).id
		case "{speaker}":
			return aSpeaker(p).text("speaker.id")
		case "{prompt}":
			return aPrompt(p).text("prompt.id")
		case "{builtin}":
			return builtin(p)
		case "{output}":
			return outputBegun(p).text("output_id")
		case "{import}":
			return importBegun(p).text("import_id")
		case "{chat}":
			return chatBegun(p).text("chat_id")
		case "{transcript}":
			return transcriptBegun(p).text("id")
		case "{render}":
			return clipBegun(p).text("render.id")
		case "{webhook}":
			return aWebhook(p).text("webhook.id")
		case "{other-space}":
			return othersUpload(p).text("space_id")
		case "{other-upload}":
			return othersUpload(p).text("object_id")
		case "{other-recording}":
			return othersRecording(p)
		case "{other-speaker}":
			return othersSpeaker(p)
		}
		return name
	})
}
