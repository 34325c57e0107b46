package hotpaths

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Count is one number of a path.
type Count struct {
	Path      string // "simple GET"
	What      string // "allocations"
	Value     float64
	Tolerance float64 // share of the golden value by which the count may differ, at least one half; 0 if it may not
}

func (c Count) name() string { return c.Path + ": " + c.What }

// head explains the file to readers.
const head = `# Counts of the hottest paths that don't depend on the machine. A test fails if one changes by more than its tolerance.
# Run it with UPDATE_GOLDEN=1 to accept new ones, and say in the commit why they changed.
`

// Check fails the test for each count that isn't the one of the golden file, for each that the file lacks, and for each line that wasn't counted.
// It also fails for counts that became better, so that the file keeps the gain. With UPDATE_GOLDEN=1, it writes the file instead.
func Check(t testing.TB, file string, counts []Count) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.WriteFile(file, []byte(format(counts)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range compare(string(raw), counts) {
		t.Errorf("%s\nTo accept it: UPDATE_GOLDEN=1 go test %s -run '^%s$'", wrong, folder(), t.Name())
	}
}

// folder returns the folder of the test relative to that of go.mod: "./engine/sqlite".
func folder() string {
	here, err := os.Getwd()
	if err != nil {
		return "."
	}
	for root := here; filepath.Dir(root) != root; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return "." + filepath.ToSlash(strings.TrimPrefix(here, root))
		}
	}
	return "."
}

// format returns the text of a golden file.
func format(counts []Count) string {
	var b strings.Builder
	b.WriteString(head)
	for _, c := range counts {
		tolerance := "exact"
		if c.Tolerance > 0 {
			tolerance = "±" + strconv.FormatFloat(100*c.Tolerance, 'f', -1, 64) + " %"
		}
		fmt.Fprintf(&b, "%-40s  %-34s  %12s  %s\n", c.Path, c.What, number(c.Value), tolerance)
	}
	return b.String()
}

// number returns an integer, or at most two decimals.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

var columns = regexp.MustCompile(`\s{2,}`)

// compare returns what differs from a golden file.
func compare(golden string, counts []Count) (wrong []string) {
	left := map[string]float64{}
	for line := range strings.Lines(golden) {
		f := columns.Split(strings.TrimSpace(line), -1)
		if strings.HasPrefix(line, "#") || len(f) != 4 {
			continue
		}
		if v, err := strconv.ParseFloat(f[2], 64); err == nil {
			left[f[0]+": "+f[1]] = v
		}
	}
	for _, c := range counts {
		old, found := left[c.name()]
		delete(left, c.name())
		switch {
		case !found:
			wrong = append(wrong, fmt.Sprintf("%s: %s, but the golden file has no such count.", c.name(), number(c.Value)))
		case !near(c, old):
			wrong = append(wrong, fmt.Sprintf("%s: %s, but it was %s (%+.1f %%; tolerance %g %%).", c.name(), number(c.Value), number(old), 100*(c.Value-old)/old, 100*c.Tolerance))
		}
	}
	for name, old := range left {
		wrong = append(wrong, fmt.Sprintf("%s: was %s, but nothing counts it now.", name, number(old)))
	}
	return wrong
}

// near reports whether a count is within its tolerance. Files have two decimals, and one allocation more or less of a few is no change.
func near(c Count, old float64) bool {
	most := 0.005
	if c.Tolerance > 0 {
		most = max(0.5, c.Tolerance*old)
	}
	return math.Abs(c.Value-old) <= most
}
