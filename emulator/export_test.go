package emulator

// Streams reports whether a world writes to the stream of its name. It is false for an unknown world.
func (s *Server) Streams(world string) bool {
	w, ok := s.worlds.find(world)
	return ok && w.live.Feed() == s.shared.hub.Feed(world)
}
