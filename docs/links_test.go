package docs_test

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	fenced  = regexp.MustCompile("(?ms)^```.*?^```$")
)

// Every link leads to a file, and to a heading where it has an anchor. Links to other sites are well-formed https URLs.
func TestLinks(t *testing.T) {
	t.Parallel()
	links := 0
	for _, p := range readPages(t, append(manual, project...)...) {
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(p.text, ""), -1) {
			links++
			checkLink(t, p, m[1]+m[2])
		}
	}
	require.Greater(t, links, 100)
}

func checkLink(t *testing.T, p page, target string) {
	t.Helper()
	u, err := url.Parse(target)
	require.NoError(t, err, p.name)
	if u.Scheme != "" {
		require.Equal(t, "https", u.Scheme, "%s links to %s", p.name, target)
		require.Contains(t, u.Host, ".", "%s links to %s", p.name, target)
		return
	}
	name := p.name
	if u.Path != "" {
		name = path.Join(path.Dir(p.name), u.Path)
		_, err := os.Stat(filepath.Join("..", name))
		require.NoError(t, err, "%s links to %s", p.name, target)
	}
	if u.Fragment != "" {
		require.Contains(t, anchors(readPage(t, name).text), u.Fragment, "%s links to %s", p.name, target)
	}
}

// anchors returns the anchors that GitHub gives to the headings of a page.
func anchors(text string) []string {
	var all []string
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return all
}
