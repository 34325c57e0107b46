// Package extract makes a fixture of the sandbox from recorded exchanges with a service: its spaces, speakers, prompts, and recordings with
// their transcripts, as they were last seen, and the transcripts and the course of what was uploaded, imported, or transcribed.
//
//	e := extract.New()
//	_, err := folder.Each(func(x *record.Exchange) error { e.Add(x); return nil })
//	result, err := e.Fixture()
//	os.WriteFile("fixture.yaml", result.YAML, 0o600)
//
// Fixtures can't hold the text of outputs, the answers of chats, clips, or webhooks; Result.Notes says what was left out.
package extract
