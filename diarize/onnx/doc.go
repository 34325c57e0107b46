// Package onnx computes embeddings of voices with a neural model in the ONNX format, on ONNX Runtime. A Model is a diarize.Embedder:
//
//	model, err := onnx.Open("wespeaker_en_voxceleb_resnet34_LM.onnx", onnx.Options{})
//	turns, err := diarize.Run(ctx, pcm, diarize.Config{Embedder: model})
//
// The model has one input of 80 log mel energies for each 10 ms, [windows, frames, 80], and its first output is [windows, any]. Known lists
// public models that are so. The package contains no model and downloads none.
//
// ONNX Runtime is a shared library for C. Only a build with the tag onnxruntime, and with cgo, can load it; in others, Open returns
// CodeUnsupported. The binding is github.com/yalue/onnxruntime_go. One without cgo would link the default program with the C library of
// the system at run time, and it would no longer start in an image without one.
package onnx
