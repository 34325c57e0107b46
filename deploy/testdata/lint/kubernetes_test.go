package lint

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yannh/kubeconform/pkg/validator"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

const (
	base    = "../../kubernetes"
	overlay = `
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: example
resources: [base]
`
	components = "components: [base/components/keda, base/components/podmonitor]\n"
)

// render returns the objects of an overlay as one YAML stream. edit changes the text of each file of the base first.
func render(t *testing.T, overlay string, edit func(name, text string) string) (string, error) {
	t.Helper()
	files := filesys.MakeFsInMemory()
	require.NoError(t, files.WriteFile("kustomization.yaml", []byte(overlay)))
	require.NoError(t, filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(base, path)
		if err != nil {
			return err
		}
		return files.WriteFile(filepath.Join("base", name), []byte(edit(name, string(raw))))
	}))
	objects, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, ".")
	if err != nil {
		return "", err
	}
	raw, err := objects.AsYaml()
	return string(raw), err
}

// conform returns what is wrong with a YAML stream by the schemas of its kinds. A field that no schema knows is wrong.
func conform(t *testing.T, stream string) (wrong []string) {
	t.Helper()
	v, err := validator.New([]string{"testdata/schemas/{{ .ResourceKind }}{{ .KindSuffix }}.json"}, validator.Opts{Strict: true})
	require.NoError(t, err)
	for _, r := range v.Validate("stream", io.NopCloser(strings.NewReader(stream))) {
		if r.Status != validator.Valid {
			wrong = append(wrong, r.Err.Error())
		}
	}
	return wrong
}

// parse returns the objects of a YAML stream.
func parse(t *testing.T, stream string) (all []object) {
	t.Helper()
	for _, document := range bytes.Split([]byte(stream), []byte("\n---\n")) {
		var o object
		require.NoError(t, yaml.Unmarshal(document, &o))
		all = append(all, o)
	}
	return all
}

func unchanged(_, text string) string { return text }

// The base, alone and with all components, renders, conforms to the schemas of its kinds, and refers to nothing that is missing.
func TestKubernetes(t *testing.T) {
	secret, err := os.ReadFile(filepath.Join(base, "secret.example.yaml"))
	require.NoError(t, err)
	require.Empty(t, conform(t, string(secret)))
	for overlay, n := range map[string]int{overlay: 14, overlay + components: 18} {
		stream, err := render(t, overlay, unchanged)
		require.NoError(t, err)
		require.Empty(t, conform(t, stream))
		objects := parse(t, stream)
		require.Len(t, objects, n)
		require.Empty(t, references(append(objects, parse(t, string(secret))...)))
	}
}

// The example of the Secret has no values.
func TestSecretIsEmpty(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(base, "secret.example.yaml"))
	require.NoError(t, err)
	for key, value := range at(parse(t, string(raw))[0], "stringData") {
		require.Empty(t, value, key)
	}
}

// Each mistake is found.
func TestKubernetesMistakes(t *testing.T) {
	secret, err := os.ReadFile(filepath.Join(base, "secret.example.yaml"))
	require.NoError(t, err)
	for name, m := range map[string]struct{ file, from, to, want string }{
		"a resource that is missing":      {"kustomization.yaml", "- api.yaml", "- apis.yaml", "apis.yaml"},
		"an unknown field of kustomize":   {"kustomization.yaml", "\nresources:", "\nressources:", "ressources"},
		"an unknown kind":                 {"api.yaml", "kind: PodDisruptionBudget", "kind: PodDisruptionBudgets", "PodDisruptionBudgets"},
		"an unknown field":                {"node.yaml", "periodSeconds: 10", "periodSecs: 10", "periodSecs"},
		"an unknown field, deep":          {"node.yaml", "drop: [ALL]", "dropped: [ALL]", "dropped"},
		"a wrong type":                    {"workers.yaml", "terminationGracePeriodSeconds: 40", "terminationGracePeriodSeconds: long", "terminationGracePeriodSeconds"},
		"a wrong type in a list":          {"network.yaml", "policyTypes: [Ingress]", "policyTypes: Ingress", "policyTypes"},
		"an unknown field of a component": {"components/keda/scaledobjects.yaml", "pollingInterval", "pollInterval", "pollInterval"},
		"a missing field":                 {"components/podmonitor/podmonitor.yaml", "  selector:\n    matchLabels: {app.kubernetes.io/name: soundstage}\n", "", "selector"},
		"a selector of a Deployment":      {"workers.yaml", "labels: {app.kubernetes.io/component: work-render}\n    spec", "labels: {app.kubernetes.io/component: render}\n    spec", "selects no pod"},
		"a selector of a Service":         {"api.yaml", "  selector: {app.kubernetes.io/component: api}", "  selector: {app.kubernetes.io/component: apis}", "selects no pod"},
		"a budget's selector":             {"api.yaml", "  unhealthyPodEvictionPolicy: AlwaysAllow\n  selector:\n    matchLabels: {app.kubernetes.io/component: api}", "  selector:\n    matchLabels: {app.kubernetes.io/component: apis}", "selects no pod"},
		"a spread's selector":             {"api.yaml", "app.kubernetes.io/component: api}\n        - maxSkew", "app.kubernetes.io/component: other}\n        - maxSkew", "selects no pod"},
		"a probe's port":                  {"node.yaml", "path: /readyz, port: health", "path: /readyz, port: healthy", "no port healthy"},
		"a Service's port":                {"api.yaml", "targetPort: health", "targetPort: http", "no port http"},
		"a policy's port":                 {"network.yaml", "port: 9090", "port: 9091", "no port 9091"},
		"a monitor's port":                {"components/podmonitor/podmonitor.yaml", "portNumber: 9090", "portNumber: 9091", "no port 9091"},
		"a scaler's target":               {"components/keda/scaledobjects.yaml", "{name: soundstage-work-render}", "{name: soundstage-work-renders}", "no Deployment soundstage-work-renders"},
		"a volume":                        {"api.yaml", "- name: tmp\n", "- name: temp\n", "no volume tmp"},
		"a volume that nobody mounts":     {"node.yaml", "            - {name: tmp, mountPath: /tmp}\n", "", "volume tmp is not mounted"},
		"a key of the Secret":             {"node.yaml", "{key: database-url, path", "{key: database, path", "no key database in Secret soundstage"},
		"a variable from the Secret":      {"node.yaml", "key: AWS_ACCESS_KEY_ID", "key: AWS_KEY_ID", "no key AWS_KEY_ID in Secret soundstage"},
		"a Secret":                        {"node.yaml", "secretName: soundstage\n", "secretName: soundstages\n", "no Secret soundstages"},
		"a ConfigMap":                     {"node.yaml", "configMapRef: {name: soundstage}", "configMapRef: {name: soundstages}", "no ConfigMap soundstages"},
		"a service account":               {"node.yaml", "serviceAccountName: soundstage", "serviceAccountName: soundstages", "no ServiceAccount soundstages"},
		"a file that isn't mounted":       {"node.yaml", "/run/secrets/soundstage-owner/database-owner-url]", "/run/secrets/soundstage/database-owner-url]", "no file /run/secrets/soundstage/database-owner-url"},
	} {
		t.Run(name, func(t *testing.T) {
			done := false
			stream, err := render(t, overlay+components, func(file, text string) string {
				if file != m.file {
					return text
				}
				done = strings.Contains(text, m.from)
				return strings.Replace(text, m.from, m.to, 1)
			})
			require.True(t, done, "%s doesn't have %q", m.file, m.from)
			var wrong []string
			if err != nil {
				wrong = []string{err.Error()}
			} else if wrong = conform(t, stream); len(wrong) == 0 {
				wrong = references(append(parse(t, stream), parse(t, string(secret))...))
			}
			require.NotEmpty(t, wrong)
			require.Contains(t, strings.Join(wrong, "\n"), m.want)
		})
	}
}
