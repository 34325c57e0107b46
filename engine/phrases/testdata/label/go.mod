module github.com/soundstage-dev/soundstage/engine/phrases/testdata/label

go 1.26.0

require (
	github.com/go-ego/gse v0.80.3
	github.com/ikawaha/kagome-dict/ipa v1.2.6
	github.com/ikawaha/kagome/v2 v2.10.3
)

require (
	github.com/ikawaha/kagome-dict v1.1.7 // indirect
	github.com/vcaesar/cedar v0.20.2 // indirect
)
