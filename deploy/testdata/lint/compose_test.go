package lint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

const folder = "../.."

// load reads a Compose file like `docker compose config`: by its schema, with interpolation and checks of what it refers to.
func load(t *testing.T, content string) (*types.Project, error) {
	t.Helper()
	dir, err := filepath.Abs(folder)
	require.NoError(t, err)
	env := types.Mapping{"SOUNDSTAGE_USER": "10001:10001"}
	return loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir: dir, Environment: env,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml"), Content: []byte(content)}},
	}, func(o *loader.Options) { o.SkipResolveEnvironment = true }) // secrets/*.env are written by secrets.sh
}

// pinned is an image with a version, or the one that is built here.
var pinned = regexp.MustCompile(`^(soundstage:local|[a-z/]+:v?\d+\.\d+(\.\d+)?(-[a-z]+)?)$`)

// check returns what is wrong with a project that the schema allows.
func check(p *types.Project) (wrong []string) {
	complain := func(service, format string, args ...any) {
		wrong = append(wrong, service+": "+fmt.Sprintf(format, args...))
	}
	script, _ := os.ReadFile(filepath.Join(folder, "secrets.sh"))
	for _, s := range p.Secrets {
		if !strings.Contains(string(script), "write "+filepath.Base(s.File)) {
			complain(s.Name, "secrets.sh doesn't write %s", s.File)
		}
	}
	for name, s := range p.Services {
		if !pinned.MatchString(s.Image) {
			complain(name, "the image %s has no version", s.Image)
		}
		for on, d := range s.DependsOn {
			if d.Condition == types.ServiceConditionHealthy && (p.Services[on].HealthCheck == nil || p.Services[on].HealthCheck.Disable) {
				complain(name, "depends on the health of %s, which has no health check", on)
			}
			if d.Condition == types.ServiceConditionCompletedSuccessfully && p.Services[on].Restart != "" && p.Services[on].Restart != "no" {
				complain(name, "depends on the end of %s, which is restarted", on)
			}
		}
		files := map[string]bool{}
		for _, secret := range s.Secrets {
			files["/run/secrets/"+secret.Source] = true
		}
		words := append(append([]string{}, s.Entrypoint...), s.Command...)
		for _, value := range s.Environment {
			if value != nil {
				words = append(words, *value)
			}
		}
		for _, word := range words {
			if strings.HasPrefix(word, "/run/secrets/") && !files[word] {
				complain(name, "there is no file %s", word)
			}
		}
		for _, f := range s.EnvFiles {
			if !strings.Contains(string(script), "write "+filepath.Base(f.Path)) {
				complain(name, "secrets.sh doesn't write %s", f.Path)
			}
		}
		for _, v := range s.Volumes {
			if _, err := os.Stat(v.Source); v.Type == types.VolumeTypeBind && err != nil {
				complain(name, "%v", err)
			}
		}
		if long := s.Restart == "unless-stopped"; long && (s.HealthCheck == nil || s.Deploy == nil || s.Deploy.Resources.Limits == nil || s.Deploy.Resources.Limits.MemoryBytes == 0) {
			complain(name, "it has no health check or no limit of memory")
		}
	}
	return append(wrong, upstreams(p)...)
}

// upstreams returns the nodes of the Caddyfile that aren't services with that port.
func upstreams(p *types.Project) (wrong []string) {
	raw, _ := os.ReadFile(filepath.Join(folder, "Caddyfile"))
	proxy := regexp.MustCompile(`(?m)^\s*reverse_proxy (.+) \{$`).FindStringSubmatch(string(raw))
	if proxy == nil {
		return []string{"Caddyfile: no reverse_proxy"}
	}
	for _, node := range strings.Fields(proxy[1]) {
		host, port, _ := strings.Cut(node, ":")
		s, ok := p.Services[host]
		if !ok || !strings.Contains(" "+strings.Join(s.Expose, " ")+" ", " "+port+" ") {
			wrong = append(wrong, fmt.Sprintf("Caddyfile: no service has %s", node))
		}
	}
	return wrong
}

func composeFile(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(folder, "compose.yaml"))
	require.NoError(t, err)
	return string(raw)
}

// The Compose file conforms to the specification, and all that it refers to exists.
func TestCompose(t *testing.T) {
	p, err := load(t, composeFile(t))
	require.NoError(t, err)
	require.Empty(t, check(p))
	require.Equal(t, 2, *p.Services["worker"].Deploy.Replicas)
	for _, name := range []string{"api-1", "api-2", "worker", "migrate"} {
		require.True(t, p.Services[name].ReadOnly, name)
		require.Equal(t, "10001:10001", p.Services[name].User, name)
	}
}

// Each mistake is found.
func TestComposeMistakes(t *testing.T) {
	for name, m := range map[string]struct{ from, to, want string }{
		"an unknown field":            {"stop_grace_period: 60s", "stop_grace: 60s", "stop_grace"},
		"an unknown field, deep":      {"start_interval: 1s", "begin_interval: 1s", "begin_interval"},
		"a wrong type":                {"expose: [\"9090\"]", "expose: 9090", "expose"},
		"a wrong duration":            {"interval: 5s", "interval: often", "often"},
		"a service":                   {"migrate: {condition", "migrates: {condition", "migrates"},
		"a volume":                    {"- postgres:/var", "- postgresql:/var", "postgresql"},
		"a secret":                    {"secrets: [database-password]", "secrets: [password]", "password"},
		"a secret's file":             {"file: secrets/signing-key", "file: secrets/key", "secrets.sh doesn't write"},
		"a secret that isn't mounted": {"secrets: [database-url, signing-key]", "secrets: [database-url]", "no file /run/secrets/signing-key"},
		"a file of variables":         {"secrets/s3-server.env", "secrets/server.env", "server.env"},
		"an image without version":    {"caddy:2.10.2-alpine", "caddy:latest", "has no version"},
		"a health that isn't checked": {"healthcheck: {disable: true}", "healthcheck: {disable: true}\n    restart: always\n", "restart"},
		"a node of the proxy":         {"api-2: *api", "api-3: *api", "api-2"},
		"a mounted file":              {"./Caddyfile:/etc", "./Caddy:/etc", "Caddy"},
		"a variable that is required": {"${SOUNDSTAGE_USER:?", "${SOUNDSTAGE_USERS:?", "run deploy/secrets.sh first"},
	} {
		t.Run(name, func(t *testing.T) {
			content := composeFile(t)
			require.Contains(t, content, m.from)
			p, err := load(t, strings.Replace(content, m.from, m.to, 1))
			wrong := ""
			if err != nil {
				wrong = err.Error()
			} else {
				wrong = strings.Join(check(p), "\n")
			}
			require.Contains(t, wrong, m.want)
		})
	}
}
