package lint

import (
	"fmt"
	"path"
	"strings"
)

// object is a Kubernetes object, or a part of one.
type object = map[string]any

// at returns the object at a path of fields, or nil.
func at(o object, fields ...string) object {
	for _, f := range fields {
		o, _ = o[f].(object)
	}
	return o
}

// items returns the objects of a list.
func items(o object, field string) (all []object) {
	list, _ := o[field].([]any)
	for _, i := range list {
		if item, ok := i.(object); ok {
			all = append(all, item)
		}
	}
	return all
}

func text(o object, field string) string {
	if o[field] == nil {
		return ""
	}
	return fmt.Sprint(o[field])
}

// cluster are the objects that would be applied together, and what is wrong with them.
type cluster struct {
	byName map[string]object // KIND NAME → object
	wrong  []string
}

func (c *cluster) complain(o object, format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf("%s %s: ", text(o, "kind"), text(at(o, "metadata"), "name"))+fmt.Sprintf(format, args...))
}

// references returns what the objects refer to and isn't there: objects, keys, volumes, files, ports, and labels that selectors match.
func references(objects []object) []string {
	c := &cluster{byName: map[string]object{}}
	for _, o := range objects {
		c.byName[text(o, "kind")+" "+text(at(o, "metadata"), "name")] = o
	}
	for _, o := range objects {
		spec := at(o, "spec")
		switch text(o, "kind") {
		case "Deployment":
			c.deployment(o)
		case "Service":
			for _, pod := range c.selected(o, at(spec, "selector")) {
				for _, p := range items(spec, "ports") {
					c.port(o, pod, p["targetPort"])
				}
			}
		case "PodDisruptionBudget":
			c.selected(o, at(spec, "selector", "matchLabels"))
		case "PodMonitor":
			for _, pod := range c.selected(o, at(spec, "selector", "matchLabels")) {
				for _, e := range items(spec, "podMetricsEndpoints") {
					c.port(o, pod, e["portNumber"])
				}
			}
		case "NetworkPolicy":
			for _, pod := range c.selected(o, at(spec, "podSelector", "matchLabels")) {
				for _, rule := range items(spec, "ingress") {
					for _, p := range items(rule, "ports") {
						c.port(o, pod, p["port"])
					}
				}
			}
		case "HorizontalPodAutoscaler", "ScaledObject":
			c.named(o, "Deployment", text(at(spec, "scaleTargetRef"), "name"))
		}
	}
	return c.wrong
}

// named returns the object of a kind and name.
func (c *cluster) named(from object, kind, name string) object {
	o := c.byName[kind+" "+name]
	if o == nil {
		c.complain(from, "there is no %s %s", kind, name)
	}
	return o
}

// selected returns the pod templates that a selector matches.
func (c *cluster) selected(from, labels object) (pods []object) {
	for _, o := range c.byName {
		if pod := at(o, "spec", "template"); text(o, "kind") == "Deployment" && matches(pod, labels) {
			pods = append(pods, pod)
		}
	}
	if len(pods) == 0 || len(labels) == 0 {
		c.complain(from, "the selector %v selects no pod, or all of them", labels)
	}
	return pods
}

func matches(pod, labels object) bool {
	for key, value := range labels {
		if at(pod, "metadata", "labels")[key] != value {
			return false
		}
	}
	return true
}

// port checks that a container of a pod has a port with a name or number.
func (c *cluster) port(from, pod object, want any) {
	for _, container := range items(at(pod, "spec"), "containers") {
		for _, p := range items(container, "ports") {
			if p["name"] == want || p["containerPort"] == want {
				return
			}
		}
	}
	c.complain(from, "the pods have no port %v", want)
}

func (c *cluster) deployment(o object) {
	pod := at(o, "spec", "template")
	spec := at(pod, "spec")
	if pods := c.selected(o, at(o, "spec", "selector", "matchLabels")); len(pods) != 1 || !matches(pod, at(o, "spec", "selector", "matchLabels")) {
		c.complain(o, "the selector selects no pod of its own, or those of another Deployment")
	}
	for _, s := range items(spec, "topologySpreadConstraints") {
		if labels := at(s, "labelSelector", "matchLabels"); !matches(pod, labels) {
			c.complain(o, "the selector %v of topologySpreadConstraints selects no pod", labels)
		}
	}
	c.named(o, "ServiceAccount", text(spec, "serviceAccountName"))
	volumes := map[string]object{}
	mounted := map[string]bool{}
	for _, v := range items(spec, "volumes") {
		volumes[text(v, "name")] = v
		if secret := at(v, "secret"); secret != nil {
			for _, i := range items(secret, "items") {
				c.key(o, text(secret, "secretName"), text(i, "key"))
			}
		}
	}
	for _, container := range append(items(spec, "initContainers"), items(spec, "containers")...) {
		c.container(o, pod, container, volumes, mounted)
	}
	for name := range volumes {
		if !mounted[name] {
			c.complain(o, "volume %s is not mounted", name)
		}
	}
}

// key checks that a Secret has a key.
func (c *cluster) key(from object, secret, key string) {
	o := c.named(from, "Secret", secret)
	if _, ok := at(o, "stringData")[key]; o != nil && !ok {
		c.complain(from, "there is no key %s in Secret %s", key, secret)
	}
}

func (c *cluster) container(o, pod, container object, volumes map[string]object, mounted map[string]bool) {
	files := map[string]bool{}
	for _, m := range items(container, "volumeMounts") {
		name := text(m, "name")
		if volumes[name] == nil {
			c.complain(o, "there is no volume %s", name)
		}
		mounted[name] = true
		for _, i := range items(at(volumes[name], "secret"), "items") {
			files[path.Join(text(m, "mountPath"), text(i, "path"))] = true
		}
	}
	for _, probe := range []string{"startupProbe", "livenessProbe", "readinessProbe"} {
		if get := at(container, probe, "httpGet"); get != nil {
			c.port(o, pod, get["port"])
		}
	}
	for _, e := range items(container, "envFrom") {
		c.named(o, "ConfigMap", text(at(e, "configMapRef"), "name"))
	}
	words := []string{fmt.Sprint(container["args"])}
	for _, e := range items(container, "env") {
		words = append(words, text(e, "value"))
		if ref := at(e, "valueFrom", "secretKeyRef"); ref != nil {
			c.key(o, text(ref, "name"), text(ref, "key"))
		}
	}
	for _, word := range strings.FieldsFunc(strings.Join(words, " "), func(r rune) bool { return strings.ContainsRune(" =[]", r) }) {
		if strings.HasPrefix(word, "/run/secrets/") && !files[word] {
			c.complain(o, "there is no file %s", word)
		}
	}
}
