package enginetest

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// TestResolver runs every claim about a Resolver, each on one that open has just made. Behind pages it finds media.
func TestResolver(t *testing.T, open func(t *testing.T) engine.Resolver, pages ...string) {
	t.Helper()
	uphold(t, open, []claim[engine.Resolver]{
		{"behind a page there is media that can be fetched, with a title that can be shown", func(t *testing.T, r engine.Resolver) { resolvesPages(t, r, pages) }},
		{"a page of no site that is known is unsupported", resolvesNoOthers},
		{"resolving ends when its context is over", func(t *testing.T, r engine.Resolver) { resolvesNothingWhenOver(t, r, pages) }},
		{"a resolver resolves many pages at once", func(t *testing.T, r engine.Resolver) { resolvesAtOnce(t, r, pages) }},
	})
}

// checkResolved says what is wrong with what was found behind a page.
func checkResolved(got engine.Resolved) error {
	u, err := url.Parse(got.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q can't be fetched: %v", got.URL, err)
	}
	for name, value := range got.Header {
		if name == "" || checkText(name+value) != nil {
			return fmt.Errorf("the header %q can't be sent: %q", name, value)
		}
	}
	return checkText(got.Title)
}

func resolvesPages(t *testing.T, r engine.Resolver, pages []string) {
	require.NotEmpty(t, pages)
	for _, page := range pages {
		got, err := r.Resolve(t.Context(), page)
		require.NoError(t, err, page)
		require.NoError(t, checkResolved(got), page)
	}
}

func resolvesNoOthers(t *testing.T, r engine.Resolver) {
	for _, page := range []string{"https://example.org/talk", "https://example.org/talk.mp3", "https://youtube.com.example.org/watch?v=1"} {
		got, err := r.Resolve(t.Context(), page)
		requireCode(t, engine.CodeUnsupported, err)
		require.Zero(t, got)
	}
	for _, nonsense := range []string{"ftp://www.youtube.com/watch?v=1", "file:///etc/passwd", "--exec=reboot", "", "\x00"} {
		got, err := r.Resolve(t.Context(), nonsense)
		require.Contains(t, []engine.Code{engine.CodeUnsupported, engine.CodeInvalid}, engine.CodeOf(err), "%q: %v", nonsense, err)
		require.Zero(t, got)
	}
}

func resolvesNothingWhenOver(t *testing.T, r engine.Resolver, pages []string) {
	for _, page := range pages {
		requireOver(t, func(ctx context.Context) error {
			_, err := r.Resolve(ctx, page)
			return err
		})
	}
}

func resolvesAtOnce(t *testing.T, r engine.Resolver, pages []string) {
	require.NoError(t, together(4, func(i int) error {
		got, err := r.Resolve(t.Context(), pages[i%len(pages)])
		if err != nil {
			return err
		}
		return checkResolved(got)
	}))
}
