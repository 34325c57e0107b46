package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/soundstage-dev/soundstage/emulator/api"
	"github.com/soundstage-dev/soundstage/engine"
)

// The contract has the events of engine.Events, each with its summary and its data.
func TestContractHasTheEvents(t *testing.T) {
	t.Parallel()
	type property struct {
		Type any
		Enum []string
	}
	var doc struct {
		Components struct {
			Schemas struct {
				EventType struct{ Enum []engine.EventType } `yaml:"EventType"`
			}
		}
		Webhooks map[engine.EventType]struct {
			Post struct {
				Summary     string
				RequestBody struct {
					Content map[string]struct {
						Schema struct {
							Properties struct {
								Type property
								Data struct {
									Required   []string
									Properties map[string]property
								}
							}
						}
						Example struct{ Type engine.EventType }
					}
				} `yaml:"requestBody"`
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(api.Spec, &doc))
	require.Equal(t, engine.EventTypes(), doc.Components.Schemas.EventType.Enum,
		"in openapi.yaml, change EventType to enum: [%s]", strings.Trim(fmt.Sprint(engine.EventTypes()), "[]"))
	require.Len(t, doc.Webhooks, len(engine.Events()), "openapi.yaml has an unknown event under webhooks")
	for _, e := range engine.Events() {
		require.Contains(t, doc.Webhooks, e.Type, "add the event to openapi.yaml under webhooks")
		told := doc.Webhooks[e.Type].Post
		require.Equal(t, e.Summary, told.Summary, "in openapi.yaml, change webhooks %s to summary: %s", e.Type, e.Summary)
		payload := told.RequestBody.Content["application/json"]
		require.Equal(t, []string{string(e.Type)}, payload.Schema.Properties.Type.Enum, e.Type)
		require.Equal(t, e.Type, payload.Example.Type, e.Type)
		data := payload.Schema.Properties.Data
		var names []string
		for _, f := range e.Data {
			names = append(names, f.Name)
			p := data.Properties[f.Name]
			require.Equal(t, f.Nullable, fmt.Sprint(p.Type) == "[string null]", "%s of %s: null", f.Name, e.Type)
			if f.Values != nil {
				require.Subset(t, f.Values, p.Enum, "%s of %s", f.Name, e.Type)
			}
		}
		require.Equal(t, names, data.Required, "in openapi.yaml, change webhooks %s to required: [%s]", e.Type, strings.Join(names, ", "))
		require.Len(t, data.Properties, len(names), e.Type)
	}
}
