package emulator_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/soundstage-dev/soundstage/emulator"
	"github.com/soundstage-dev/soundstage/emulator/control"
	"github.com/soundstage-dev/soundstage/engine"
	"github.com/soundstage-dev/soundstage/internal/slow"
	"github.com/soundstage-dev/soundstage/render"
)

// defaultsOf returns the settings of a world.
func defaultsOf(t *testing.T, s *emulator.Server, world string) (style, look, target string) {
	t.Helper()
	w, err := s.World(world)
	require.NoError(t, err)
	d, err := w.RenderDefaults()
	require.NoError(t, err)
	var own render.Style
	if d.Look != nil {
		require.NoError(t, json.Unmarshal(d.Look, &own))
		look = own.Name + string(own.Text.Colour)
	}
	return *d.Style, look, *d.Target
}

// The settings of renders begin as the options say, belong to one world, and go with forks and snapshots. A reset restores the first ones.
func TestRenderDefaults(t *testing.T) {
	t.Parallel()
	s := start(t, emulator.Options{Renders: emulator.RenderDefaults{Style: "bold-pop", Target: engine.TargetTikTok}})
	requireDefaults := func(world, style, look, target string) {
		t.Helper()
		gotStyle, gotLook, gotTarget := defaultsOf(t, s, world)
		require.Equal(t, []string{style, look, target}, []string{gotStyle, gotLook, gotTarget})
	}
	put := func(world, body string) {
		t.Helper()
		status, answer := call(t, "PUT", s.URL()+"/_soundstage/renders/defaults?world="+world, body)
		require.Equal(t, 200, status, answer)
	}
	requireDefaults("", "bold-pop", "", "tiktok")
	ctx := t.Context()
	_, err := s.CreateWorld(ctx, control.NewWorld{Name: "other"})
	require.NoError(t, err)
	requireDefaults("other", "bold-pop", "", "tiktok")
	put("other", `{"look":{"name":"mine","text":{"colour":"#102030"}}}`)
	requireDefaults("other", "", "mine#102030", "tiktok")
	put("other", `{"target":"web"}`)
	requireDefaults("other", "", "mine#102030", "web")
	requireDefaults("", "bold-pop", "", "tiktok")

	_, err = s.CreateWorld(ctx, control.NewWorld{Name: "fork", ForkOf: "other"})
	require.NoError(t, err)
	requireDefaults("fork", "", "mine#102030", "web")
	_, err = s.StoreSnapshot(ctx, "fork", "kept")
	require.NoError(t, err)
	put("fork", `{"style":"karaoke","target":""}`)
	requireDefaults("fork", "karaoke", "", "")
	file, err := s.SaveSnapshot(ctx, "fork")
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, file.Write(&b))
	require.NoError(t, s.Reset(ctx, "fork"))
	requireDefaults("fork", "", "mine#102030", "web")
	require.NoError(t, s.LoadSnapshot(ctx, "other", &b))
	requireDefaults("other", "karaoke", "", "")
	require.NoError(t, s.RestoreSnapshot(ctx, "kept", "other"))
	requireDefaults("other", "", "mine#102030", "web")
	put("other", `{"look":null}`)
	requireDefaults("other", "", "", "web")

	for body, says := range map[string]string{
		`{}`:                                  "at least one of style, look, and target",
		`{"style":"bold-poop"}`:               "Did you mean bold-pop?",
		`{"target":"vine"}`:                   `Unknown target \"vine\".`,
		`{"style":"pop","look":{"name":"x"}}`: "set twice",
		`{"look":{"font":{"size":"large"}}}`:  "size",
		`{"look":{"logo":{"file":"/x.png"}}}`: "not read",
		`{"style":7}`:                         "style must be string",
		`{"colour":"red"}`:                    `Unknown field \"colour\".`,
	} {
		status, answer := call(t, "PUT", s.URL()+"/_soundstage/renders/defaults", body)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Contains(t, asText(answer), says, body)
	}
	requireDefaults("", "bold-pop", "", "tiktok")
}

func asText(answer any) string {
	b, _ := json.Marshal(answer)
	return string(b)
}

// Invalid settings are errors of New.
func TestRenderDefaultsErrors(t *testing.T) {
	t.Parallel()
	for _, d := range []emulator.RenderDefaults{
		{Style: "nothing"}, {Target: "vine"}, {Style: "pop", Look: &render.Style{}}, {Look: &render.Style{}},
	} {
		_, err := emulator.New(t.Context(), emulator.Options{Renders: d, FFmpegOptional: true})
		require.Equal(t, engine.CodeInvalid, engine.CodeOf(err), d)
	}
}

// The settings change videos, and nothing else: /v1 answers the same, with the same style and aspect ratio.
func TestRenderDefaultsVideo(t *testing.T) {
	t.Parallel()
	slow.Skip(t, "it renders video")
	s := start(t, emulator.Options{})
	_, rec := recorded(t, s, filepath.Join("..", "testdata", "conversation.mp4"))
	video := func() (answer string, size int64) {
		status, body := call(t, "POST", s.URL()+"/v1/renders", `{"recording_id":"`+string(rec)+`","start_ms":0,"end_ms":2500,"aspect_ratio":"1:1"}`)
		require.Equal(t, 202, status, body)
		id := engine.RenderID(body["render"].(map[string]any)["id"].(string))
		me, _, err := emulator.Accounts(t.Context(), s.Engine())
		require.NoError(t, err)
		r, err := s.Engine().WaitRender(t.Context(), me, id)
		require.NoError(t, err)
		_, body = call(t, "GET", s.URL()+"/v1/renders/"+string(id), "")
		shown := body["render"].(map[string]any)
		for _, own := range []string{"id", "asset_url", "created_at"} {
			delete(shown, own)
		}
		return asText(shown), r.Size
	}
	put := func(body string) {
		t.Helper()
		status, answer := call(t, "PUT", s.URL()+"/_soundstage/renders/defaults", body)
		require.Equal(t, 200, status, answer)
	}
	plain, size := video()
	put(`{"style":"lines","target":"youtube"}`)
	styled, other := video()
	require.Equal(t, plain, styled)
	require.Contains(t, plain, `"style":"captions"`)
	require.NotEqual(t, size, other)
	put(`{"style":"bars","target":""}`) // for audiograms only
	again, same := video()
	require.Equal(t, plain, again)
	require.Equal(t, size, same)
}
