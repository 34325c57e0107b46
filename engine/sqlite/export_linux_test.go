package sqlite

// NetworkFileSystems are those that are refused.
func NetworkFileSystems() map[uint32]string { return networkFileSystems }
