// Command fleetagent is Helm 4 under the name of Fleet's agent, which has Helm inside. Helm's own program sets its field
// manager; without that it is the program's name, as in the agent.
package main

import (
	"fmt"
	"os"

	"helm.sh/helm/v4/pkg/cmd"
)

func main() {
	root, err := cmd.NewRootCmd(os.Stdout, os.Args[1:], cmd.SetupLogging)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fleetagent:", err)
		os.Exit(1)
	}
	if root.Execute() != nil { // it has said so
		os.Exit(1)
	}
}
