// Package conformance holds any server of the Transcription and Content Service's /v1 against the specification: each
// statement of it (statements.yaml) is decided by a black-box check over HTTP, or says why none can decide it. It is what
// makes "faithful" measurable, of this project's sandbox and of everybody else's.
//
// A check answers pass, fail or not applicable. What a check needs — a recording, a speaker, a webhook — is made once and
// shared; when it can't be made, the checks that need it are not applicable, and the statement that says it can be made
// fails. So one thing that is wrong makes one statement fail.
package conformance
