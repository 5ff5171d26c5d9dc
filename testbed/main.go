// Command testbed builds and runs a real Kubernetes control plane for tests: etcd, kube-apiserver and
// kube-controller-manager from Go modules, and a stand-in for the kubelet or a real Node; and the tools whose use is tested.
// The script "testbed" beside it starts it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

const usage = `usage: testbed <command>

  build [--kubernetes VERSION] [--node]
      builds the programs that are not in the cache yet; with --node, those of "node", too, where it finds what it takes
  up [--kubernetes VERSION] [--dir DIR] [--until-stdin-closes] [--apiserver-arg=ARG]... [--deployments]
     [--revive-apiserver] [--quiet]
      starts a control plane, prints KEY=VALUE lines up to READY=true, runs until Ctrl-C, SIGTERM or "down"
  node [--kubernetes VERSION] [--dir DIR] [--until-stdin-closes] [--apiserver-arg=ARG]... [--images FILE,...]
       [--job NAME=SCRIPT]... [--nodes 2] [--revive] [--quiet]
      the same with a real Node that runs Pods, in namespaces of its own; takes root
  down DIR
      ends the control plane that runs in DIR and waits until it is gone
  tool NAME
      builds the tool NAME (TOOLS) if it is not in the cache yet and prints the path of its program
  tied PROGRAM [ARGUMENT]...
      runs PROGRAM until it ends or stdin closes; it cannot outlive who started it
  crds argocd|certmanager|flux|gatekeeper|kyverno|monitoring|openreports|openshift
      prints the paths of the product's CustomResourceDefinitions, one a line
  tags [--kubernetes VERSION]
      prints as JSON which fields the types of k8s.io/api mark as immutable or as limited in their updates
  machine-config-controller --kubeconfig FILE [--daemon-kubeconfig FILE] [--daemon=false] [--controller=false]
                            [--pace FACTOR] [--until-stdin-closes]
      plays OpenShift's machine-config controller and daemons, prints READY=true, runs until Ctrl-C or SIGTERM
  help
      prints this

VERSION is a version (1.37.2) or its minor version (1.37); the newest is the default. README.md says more.
What the Go module proxy or apt refuses to serve, and what a Node does not find, is said in a line, and the exit code is 69.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	// After the first signal the default action is back, so that a second Ctrl-C ends the launcher at once.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:])
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "testbed: interrupted")
		os.Exit(130)
	}
	var ended commandEnded
	if errors.As(err, &ended) {
		os.Exit(int(ended)) // it has said why
	}
	fmt.Fprintln(os.Stderr, "testbed:", err)
	var refusal refusal
	if errors.As(err, &refusal) {
		os.Exit(exitUnavailable)
	}
	os.Exit(1)
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	switch args[0] {
	case "build":
		return runBuild(ctx, args[1:])
	case "up":
		return runUp(ctx, args[1:])
	case "down":
		return runDown(ctx, args[1:])
	case "node":
		return runNode(ctx, args[1:])
	case "machine", "machine-probe":
		return runMachineInside(args[1:], args[0] == "machine-probe")
	case "node-inside":
		return runNodeInside(ctx, args[1:])
	case "tool":
		return runTool(ctx, args[1:])
	case "tied":
		return runTied(ctx, args[1:])
	case "crds":
		return runCRDs(ctx, args[1:])
	case "tags":
		return runTags(ctx, args[1:])
	case "machine-config-controller":
		return runMachineConfigController(ctx, args[1:])
	case "help", "-h", "--help":
		printUsage()
		return nil
	}
	return fmt.Errorf("unknown command %q; \"testbed help\" lists the commands", args[0])
}

func runBuild(ctx context.Context, args []string) error {
	flags := newFlags("build")
	version := flags.String("kubernetes", "", "")
	node := flags.Bool("node", false, "")
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	programs, err := chooseNodePrograms(*version)
	if err != nil {
		return err
	}
	build := programs.programSet.build
	if *node {
		_, _, leave, err := claimMachine(ctx, "")
		if err != nil {
			return err
		}
		leave()
		build = programs.build
	}
	built, err := build(ctx)
	if err != nil {
		return err
	}
	state := "built already"
	if built {
		state = "built"
	}
	fmt.Printf("%s: %s and %s in %s\n", state, programs.kubernetes, programs.etcd, cacheFolder())
	return nil
}

func runUp(ctx context.Context, args []string) error {
	var options upOptions
	flags := newFlags("up")
	version := flags.String("kubernetes", "", "")
	flags.StringVar(&options.dir, "dir", "", "")
	flags.BoolVar(&options.untilStdinCloses, "until-stdin-closes", false, "")
	flags.BoolVar(&options.deployments, "deployments", false, "")
	flags.BoolVar(&options.reviveAPIServer, "revive-apiserver", false, "")
	flags.BoolVar(&options.quiet, "quiet", false, "")
	flags.Func("apiserver-arg", "", func(arg string) error {
		options.apiserverArgs = append(options.apiserverArgs, arg)
		return nil
	})
	if err := parse(flags, args, 0); err != nil {
		return err
	}
	programs, err := choosePrograms(*version)
	if err != nil {
		return err
	}
	return up(ctx, programs, options)
}

func runDown(ctx context.Context, args []string) error {
	flags := newFlags("down")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	return endRun(ctx, flags.Arg(0))
}

func runTool(ctx context.Context, args []string) error {
	flags := newFlags("tool")
	if err := parse(flags, args, 1); err != nil {
		return err
	}
	path, err := buildTool(ctx, flags.Arg(0))
	if err != nil {
		return err
	}
	fmt.Println(path)
	return nil
}

func printUsage() { fmt.Print(strings.Replace(usage, "TOOLS", strings.Join(toolNames(), ", "), 1)) }

func newFlags(command string) *flag.FlagSet {
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parse refuses unknown flags, and more or fewer than the wanted number of other arguments.
func parse(flags *flag.FlagSet, args []string, wanted int) error {
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		printUsage()
		return err
	}
	if err == nil && flags.NArg() != wanted {
		err = fmt.Errorf("%d arguments besides the flags, wanted %d: %s", flags.NArg(), wanted, strings.Join(flags.Args(), " "))
	}
	if err != nil {
		return fmt.Errorf("%s: %w; \"testbed help\" lists what it takes", flags.Name(), err)
	}
	return nil
}
