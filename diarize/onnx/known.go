package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/soundstage-dev/soundstage/engine/fault"
)

// KnownModel is a public model that this package can use.
type KnownModel struct {
	Name    string
	File    string // its published name
	SHA256  string // of the file, in hexadecimal
	Licence string // of the model, as its authors state it
}

// Known lists public models by WeSpeaker and 3D-Speaker, as exported by the project sherpa-onnx. The checksums are those that many projects
// pin; a file with the name of one of them must have its checksum.
var Known = []KnownModel{
	{"WeSpeaker ResNet34-LM, VoxCeleb", "wespeaker_en_voxceleb_resnet34_LM.onnx", "e9848563da86f263117134dfd7ad63c92355b37de492b55e325400c9d9c39012", "CC-BY-4.0"},
	{"3D-Speaker CAM++, VoxCeleb", "3dspeaker_speech_campplus_sv_en_voxceleb_16k.onnx", "357a834f702b80161e5b981182c038e18553c1f2ca752ed6cec2052365d4129b", "Apache-2.0"},
}

// maxModel is the largest size of a model file. Models of voices have 5 to 120 MB.
const maxModel = 1 << 30

// readModel reads a model file and returns its checksum.
func readModel(path string) (data []byte, sum string, err error) {
	const op = "OpenVoiceModel"
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fault.Errorf(fault.CodeNotFound, op, "The voice model %s does not exist.", path)
	}
	if err != nil {
		return nil, "", fault.Errorf(fault.CodeInvalid, op, "The voice model %s can't be opened.", path).Because(err)
	}
	defer func() { _ = f.Close() }()
	data, err = io.ReadAll(io.LimitReader(f, maxModel+1))
	if err != nil {
		return nil, "", fault.Errorf(fault.CodeInvalid, op, "The voice model %s can't be read.", path).Because(err)
	}
	if len(data) > maxModel {
		return nil, "", fault.Errorf(fault.CodeTooLarge, op, "The voice model %s has more than 1 GiB.", path)
	}
	hash := sha256.Sum256(data)
	sum = hex.EncodeToString(hash[:])
	for _, k := range Known {
		if k.File == filepath.Base(path) && k.SHA256 != sum {
			return nil, "", fault.Errorf(fault.CodeInvalid, op, "The voice model %s isn't the published one: its SHA-256 is %s, not %s.", path, sum, k.SHA256).
				WithHint("Download it again. Rename it if it is another model on purpose.")
		}
	}
	return data, sum, nil
}

// known returns the known model with a checksum.
func known(sum string) (KnownModel, bool) {
	i := slices.IndexFunc(Known, func(k KnownModel) bool { return k.SHA256 == sum })
	if i < 0 {
		return KnownModel{}, false
	}
	return Known[i], true
}
