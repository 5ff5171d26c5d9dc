package daemon

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	opv1 "github.com/openshift/api/operator/v1"
	mcopfake "github.com/openshift/client-go/operator/clientset/versioned/fake"
	ctrlcommon "github.com/openshift/machine-config-operator/pkg/controller/common"
	"github.com/stretchr/testify/require"
)

// A change is a Node's way from one rendered MachineConfig to another.
type change struct {
	Before mcfgv1.MachineConfig
	After  mcfgv1.MachineConfig
	Policy opv1.MachineConfiguration
}

// Says of each change in the file CHANGES, in EFFECTS, what this very daemon does to the Node. `make test-machineconfig`
// compiles it beside the daemon's own tests, whose functions are not exported.
func TestEffectsOfChanges(t *testing.T) {
	text, err := os.ReadFile(os.Getenv("CHANGES"))
	require.NoError(t, err)
	var changes []change
	require.NoError(t, json.Unmarshal(text, &changes))
	var effects []string
	for i := range changes {
		effects = append(effects, effect(&changes[i]))
	}
	text, err = json.Marshal(effects)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(os.Getenv("EFFECTS"), text, 0o600))
}

// As Daemon.update goes about it.
func effect(c *change) string {
	diff, err := reconcilable(&c.Before, &c.After, &c.Policy.Spec.IrreconcilableValidationOverrides)
	if err != nil {
		return "refused"
	}
	before, err := ctrlcommon.ParseAndConvertConfig(c.Before.Spec.Config.Raw)
	if err != nil {
		return "refused"
	}
	after, err := ctrlcommon.ParseAndConvertConfig(c.After.Spec.Config.Raw)
	if err != nil {
		return "refused"
	}
	units := ctrlcommon.GetChangedConfigUnitsByType(&before, &after)
	var names []string
	for _, unit := range slices.Concat(units.Added, units.Updated, units.Removed) {
		names = append(names, unit.Name)
	}
	dn := &Daemon{mcopClient: mcopfake.NewSimpleClientset(&c.Policy)}
	actions, err := dn.calculatePostConfigChangeNodeDisruptionAction(diff, ctrlcommon.CalculateConfigFileDiffs(&before, &after), names)
	if err != nil {
		return "refused"
	}
	drained, err := isDrainRequiredForNodeDisruptionActions(actions, before, after)
	switch {
	case err != nil:
		return "refused"
	case drained:
		return "interrupted"
	default:
		return "nothing"
	}
}
