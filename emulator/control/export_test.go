package control

import "time"

// Routes returns the patterns of every endpoint.
func Routes() []string {
	var all []string
	for _, list := range endpoints {
		for pattern := range list {
			all = append(all, pattern)
		}
	}
	return all
}

// SetHeartbeat changes how often streams show that they are alive, until the returned function is called.
func SetHeartbeat(d time.Duration) (restore func()) {
	old := heartbeat
	heartbeat = d
	return func() { heartbeat = old }
}
