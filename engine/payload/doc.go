// Package payload describes webhook events and builds the JSON that is sent for them.
//
// An Event lists the members of its payload's data. Body builds a payload that a program chooses and checks it; Encode builds one from
// data that is known to be right:
//
//	body, err := event.Body(time.Now(), map[string]string{"recording_id": id})
package payload
