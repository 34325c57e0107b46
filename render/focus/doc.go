// Package focus decides what stays in the frame when a video is cropped: faces, and of several the one who speaks; without faces, what moves
// and stands out. It needs small grey frames only:
//
//	w, err := focus.New(focus.Options{Width: 320, Height: 180, Rate: 30, Share: 0.316, Turns: turns})
//	for each frame { w.Frame(pixels) }
//	path := w.Path() // path.At(n) is the middle of the crop at frame n
//
// Its files follow the data: detect finds faces, watch measures each frame and finds shot changes, track links faces to people, speaker finds
// who speaks, path and camera smooth where the camera points, and pair shows two people at once. The same frames give the same path on any
// machine.
package focus
