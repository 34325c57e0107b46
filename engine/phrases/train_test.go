package phrases

import (
	"math"
)

// sample is a place between two characters where the model decides.
type sample struct {
	features []int
	weight   float64
	phrase   bool // else no phrase begins here
}

// trainer learns the weights of features by boosting. Each round takes the feature that lowers the exponential loss most, and abstains where
// the feature is absent (Schapire and Singer, 1999: "Improved boosting algorithms using confidence-rated predictions").
type trainer struct {
	samples  []sample
	features []feature
	with     [][]int // the samples that have each feature
	weights  []float64
	bias     float64
}

// mistakeInWord is how much worse a break inside a word is than a missing one.
const mistakeInWord = 6

func newTrainer(sentences []sentence) *trainer {
	tr := &trainer{}
	ids := map[feature]int{}
	for _, s := range sentences {
		kinds := kindsOf(s.runes)
		for i := 1; i < len(s.runes); i++ {
			if joined(s.runes, kinds, i) || kinds[i-1] == kindStop || kinds[i-1] == kindClose {
				continue
			}
			x := sample{weight: 1, phrase: s.phrases[i]}
			if !s.words[i] {
				x.weight = mistakeInWord
			}
			for _, w := range windows {
				f := featureAt(w, s.runes, kinds, i)
				id, ok := ids[f]
				if !ok {
					id = len(tr.features)
					ids[f], tr.features, tr.with = id, append(tr.features, f), append(tr.with, nil)
				}
				x.features = append(x.features, id)
				tr.with[id] = append(tr.with[id], len(tr.samples))
			}
			tr.samples = append(tr.samples, x)
		}
	}
	tr.weights = make([]float64, len(tr.features))
	return tr
}

// assume gives features a weight before training.
func (tr *trainer) assume(features []feature, weight float64) {
	ids := map[feature]int{}
	for id, f := range tr.features {
		ids[f] = id
	}
	for _, f := range features {
		id, ok := ids[f]
		if !ok {
			id = len(tr.features)
			tr.features, tr.with, tr.weights = append(tr.features, f), append(tr.with, nil), append(tr.weights, 0)
		} else if tr.weights[id] != 0 {
			continue
		}
		ids[f] = id
		tr.weights[id] = weight
		tr.reweigh(tr.with[id], weight)
	}
}

// smooth keeps the weights of rare features small.
const smooth = 0.4

// train learns from all samples.
func (tr *trainer) train(rounds int) {
	all := make([]int, len(tr.samples))
	for i := range all {
		all[i] = i
	}
	alpha, _ := tr.vote(all)
	tr.bias = alpha
	tr.reweigh(all, alpha)
	var common []int // a feature of one sample teaches nothing
	for f, with := range tr.with {
		if len(with) > 1 {
			common = append(common, f)
		}
	}
	for range rounds {
		best, gain := -1, 0.0
		for _, f := range common {
			if _, g := tr.vote(tr.with[f]); g > gain {
				best, gain = f, g
			}
		}
		if best < 0 {
			return
		}
		alpha, _ := tr.vote(tr.with[best])
		tr.weights[best] += alpha
		tr.reweigh(tr.with[best], alpha)
	}
}

// vote returns what some samples say of a break, and how much the loss falls if the model says so.
func (tr *trainer) vote(with []int) (alpha, gain float64) {
	yes, no := 0.0, 0.0
	for _, i := range with {
		if tr.samples[i].phrase {
			yes += tr.samples[i].weight
		} else {
			no += tr.samples[i].weight
		}
	}
	alpha = math.Log((yes+smooth)/(no+smooth)) / 2
	return alpha, yes*(1-math.Exp(-alpha)) + no*(1-math.Exp(alpha))
}

func (tr *trainer) reweigh(with []int, alpha float64) {
	for _, i := range with {
		if tr.samples[i].phrase {
			tr.samples[i].weight *= math.Exp(-alpha)
		} else {
			tr.samples[i].weight *= math.Exp(alpha)
		}
	}
}

// model returns what was learned. caution is subtracted from every sum.
func (tr *trainer) model(caution float64) *model {
	weights := map[feature]int{}
	for i, w := range tr.weights {
		if n := int(math.Round(w * 100)); n != 0 {
			weights[tr.features[i]] = n
		}
	}
	return newModel(int(math.Round((tr.bias-caution)*100)), weights)
}
