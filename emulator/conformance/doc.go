// Package conformance checks whether a server implements /v1 of the Transcription and Content Service as specified.
// It measures how faithful a server is: this project's sandbox or any other.
//
// statements.yaml lists every statement of the specification. A black-box check over HTTP decides each statement; where
// none can, the statement says why. Start with [Run] and print its [Report]:
//
//	report, err := conformance.Run(ctx, conformance.Config{BaseURL: "http://127.0.0.1:8765", Secret: "sk_sandbox_platform"})
//	if err != nil {
//		return err
//	}
//	return report.Write(os.Stdout, "text")
//
// The outcome of a check is pass, fail, or not applicable. Checks share what they need, such as a recording, a speaker, or a
// webhook; the run creates each once. When creating one fails, only the statement about creating it fails; checks that need
// it are not applicable. So one defect fails as few statements as possible.
package conformance
