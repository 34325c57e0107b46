// Package media describes audio and video files, and limits what a foreign file may claim or decode to.
//
// Programs that call a Reader themselves limit it as engine.New does:
//
//	reader = media.Limit(reader, 2*time.Hour)
package media
