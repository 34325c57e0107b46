package score

import "testing"

func TestClamp(t *testing.T) {
	for n, want := range map[int]int{0: 0, 2: 2, 3: 3, 4: 3} {
		if got, err := Clamp(n); got != want || err != nil {
			t.Errorf("Clamp(%d) = %d, %v", n, got, err)
		}
	}
	if got, err := Clamp(-1); got != 0 || err == nil {
		t.Errorf("Clamp(-1) = %d, %v", got, err)
	}
	if Limit != 3 {
		t.Error(Limit)
	}
}

func TestAdd(t *testing.T) {
	var l list[int]
	if !l.add("", 1, 2) || len(l.all) != 2 {
		t.Error(l.all)
	}
}

func TestCount(t *testing.T) {
	if Count() != 10 {
		t.Error(Count())
	}
}
