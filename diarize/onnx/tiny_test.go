package onnx_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// message is a protocol buffer that is being written.
type message []byte

func (m message) number(field, value int) message {
	m = binary.AppendUvarint(m, uint64(field<<3))
	return binary.AppendUvarint(m, uint64(value))
}

func (m message) bytes(field int, value []byte) message {
	m = binary.AppendUvarint(m, uint64(field<<3|2))
	m = binary.AppendUvarint(m, uint64(len(value)))
	return append(m, value...)
}

func (m message) text(field int, value string) message { return m.bytes(field, []byte(value)) }

// tensor is a ValueInfoProto of 32-bit numbers. Dimensions of 0 are free.
func tensor(name string, dims ...int) []byte {
	var shape message
	for _, d := range dims {
		if d == 0 {
			shape = shape.bytes(1, message{}.text(2, "n"))
		} else {
			shape = shape.bytes(1, message{}.number(1, d))
		}
	}
	return message{}.text(1, name).bytes(2, message{}.bytes(1, message{}.number(1, 1).bytes(2, shape)))
}

// node is a NodeProto with one input and one output.
func node(op, from, to string, attributes ...[]byte) []byte {
	m := message{}.text(1, from).text(2, to).text(4, op)
	for _, a := range attributes {
		m = m.bytes(5, a)
	}
	return m
}

// tiny returns an ONNX model: the mean over time of the positive part of its input [windows, frames, bands].
func tiny(windows, bands int) []byte {
	axes := message{}.text(1, "axes").number(8, 1).number(20, 7)
	keep := message{}.text(1, "keepdims").number(3, 0).number(20, 2)
	graph := message{}.bytes(1, node("Relu", "feats", "positive")).bytes(1, node("ReduceMean", "positive", "embs", axes, keep)).
		text(2, "tiny").bytes(11, tensor("feats", windows, 0, bands)).bytes(12, tensor("embs", windows, bands))
	return message{}.number(1, 8).bytes(7, graph).bytes(8, message{}.number(2, 13))
}

func write(t *testing.T, name string, data []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}
