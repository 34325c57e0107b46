package enginetest

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/engine"
)

// TestResolver checks an implementation of engine.Resolver. Each subtest calls open. The resolver must find media for pages.
func TestResolver(t *testing.T, open func(t *testing.T) engine.Resolver, pages ...string) {
	t.Helper()
	runClaims(t, open, []claim[engine.Resolver]{
		{"a supported page resolves to a fetchable URL and a valid title", func(t *testing.T, r engine.Resolver) { resolvesPages(t, r, pages) }},
		{"a page of an unknown site is CodeUnsupported", rejectsUnknownSites},
		{"resolving ends when its context ends", func(t *testing.T, r engine.Resolver) { resolveEndsWithContext(t, r, pages) }},
		{"a resolver supports concurrent calls", func(t *testing.T, r engine.Resolver) { resolvesConcurrently(t, r, pages) }},
	})
}

// checkResolved returns an error unless the result for a page is valid.
func checkResolved(got engine.Resolved) error {
	u, err := url.Parse(got.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is not a fetchable URL: %v", got.URL, err) //nolint:errorlint // err may be nil
	}
	for name, value := range got.Header {
		if name == "" || checkText(name+value) != nil {
			return fmt.Errorf("the header %q is invalid: %q", name, value)
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

func rejectsUnknownSites(t *testing.T, r engine.Resolver) {
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

func resolveEndsWithContext(t *testing.T, r engine.Resolver, pages []string) {
	for _, page := range pages {
		requireCanceled(t, func(ctx context.Context) error {
			_, err := r.Resolve(ctx, page)
			return err
		})
	}
}

func resolvesConcurrently(t *testing.T, r engine.Resolver, pages []string) {
	require.NoError(t, concurrently(4, func(i int) error {
		got, err := r.Resolve(t.Context(), pages[i%len(pages)])
		if err != nil {
			return err
		}
		return checkResolved(got)
	}))
}
