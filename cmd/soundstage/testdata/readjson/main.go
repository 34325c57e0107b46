// Command readjson reads a transcript's JSON with the standard library and does nothing with it. BenchmarkLimitExport measures it as the lower
// bound.
//
//	readjson FILE
package main

import (
	"encoding/json"
	"log"
	"os"
)

type word struct {
	Text       string  `json:"text"`
	StartMS    int64   `json:"start_ms"`
	EndMS      int64   `json:"end_ms"`
	Confidence float64 `json:"confidence"`
	Speaker    string  `json:"speaker"`
}

func main() {
	raw, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var t struct {
		Utterances []struct {
			word
			Words []word `json:"words"`
		} `json:"utterances"`
	}
	if err := json.Unmarshal(raw, &t); err != nil {
		log.Fatal(err)
	}
	if len(t.Utterances) == 0 || len(t.Utterances[0].Words) == 0 {
		log.Fatal("the file has no words")
	}
}
