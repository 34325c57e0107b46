//go:build ignore

// Command schemas writes testdata/schemas: strict JSON schemas of the Kubernetes kinds that deploy/kubernetes uses, for kubeconform, which
// would otherwise download them. It takes them from Go modules with pinned versions. Run it with `go generate` after adding a kind.
package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// openAPI are the kinds of Kubernetes 1.30, by document.
const openAPI = "sigs.k8s.io/kubectl-validate@v0.0.4"

var builtin = map[string]map[string]string{ // document → schema → file
	"api/v1.json": {
		"io.k8s.api.core.v1.ConfigMap": "configmap-v1", "io.k8s.api.core.v1.Secret": "secret-v1",
		"io.k8s.api.core.v1.Service": "service-v1", "io.k8s.api.core.v1.ServiceAccount": "serviceaccount-v1",
	},
	"apis/apps/v1.json":              {"io.k8s.api.apps.v1.Deployment": "deployment-apps-v1"},
	"apis/autoscaling/v2.json":       {"io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler": "horizontalpodautoscaler-autoscaling-v2"},
	"apis/networking.k8s.io/v1.json": {"io.k8s.api.networking.v1.NetworkPolicy": "networkpolicy-networking-v1"},
	"apis/policy/v1.json":            {"io.k8s.api.policy.v1.PodDisruptionBudget": "poddisruptionbudget-policy-v1"},
}

// custom are custom resource definitions: module → file of the module → file here.
var custom = map[string][2]string{
	"github.com/kedacore/keda/v2@v2.17.2":                        {"config/crd/bases/keda.sh_scaledobjects.yaml", "scaledobject-keda-v1alpha1"},
	"github.com/prometheus-operator/prometheus-operator@v0.85.0": {"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml", "podmonitor-monitoring-v1"},
}

type object = map[string]any

func main() {
	log.SetFlags(0)
	dir := module(openAPI)
	for document, kinds := range builtin {
		var doc struct {
			Components struct{ Schemas object }
		}
		read(filepath.Join(dir, "pkg/openapiclient/builtins/1.30", document), &doc)
		for name, file := range kinds {
			used := object{}
			collect(doc.Components.Schemas, name, used)
			write(file, object{"$ref": "#/definitions/" + name, "definitions": strict(used)})
		}
	}
	for from, files := range custom {
		var crd struct {
			Spec struct {
				Versions []struct {
					Schema struct{ OpenAPIV3Schema object }
				}
			}
		}
		read(filepath.Join(module(from), files[0]), &crd)
		write(files[1], strict(crd.Spec.Versions[0].Schema.OpenAPIV3Schema))
	}
}

// module downloads a module, which go checks against the checksum database, and returns its folder.
func module(version string) string {
	out, err := exec.Command("go", "mod", "download", "-json", version).Output()
	var m struct{ Dir string }
	if err != nil || json.Unmarshal(out, &m) != nil {
		log.Fatalf("%s: %v %s", version, err, out)
	}
	return m.Dir
}

// collect adds the schema with a name, and those that it refers to.
func collect(all object, name string, used object) {
	if used[name] != nil {
		return
	}
	used[name] = all[name]
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case object:
			if ref, ok := v["$ref"].(string); ok {
				name := path.Base(ref)
				v["$ref"] = "#/definitions/" + name
				collect(all, name, used)
			}
			for _, child := range v {
				walk(child)
			}
		case []any:
			for _, child := range v {
				walk(child)
			}
		}
	}
	walk(all[name])
}

// strict drops prose from a schema, and forbids unknown fields of objects.
func strict(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = strict(v[i])
		}
	case object:
		if _, ok := v["description"].(string); ok {
			delete(v, "description")
		}
		if _, ok := v["properties"].(object); ok && v["additionalProperties"] == nil && v["x-kubernetes-preserve-unknown-fields"] != true && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for key, child := range v {
			if strings.HasPrefix(key, "x-kubernetes-") {
				delete(v, key)
				continue
			}
			v[key] = strict(child)
		}
	}
	return v
}

func read(path string, into any) {
	raw, err := os.ReadFile(path)
	if err == nil {
		err = yaml.Unmarshal(raw, into)
	}
	if err != nil {
		log.Fatal(path, ": ", err)
	}
}

func write(name string, schema any) {
	raw, err := json.Marshal(schema)
	if err == nil {
		err = os.WriteFile(filepath.Join("testdata/schemas", name+".json"), append(raw, '\n'), 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}
