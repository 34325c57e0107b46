package sqlite

// NetworkFileSystems returns the file systems that Open rejects, by type.
func NetworkFileSystems() map[uint32]string { return networkFileSystems }
