package control

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
