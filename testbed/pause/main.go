// Command pause is what a Node's own images are made of. It holds a Pod's namespaces until it is told to stop. Where busybox is
// not installed, it is the shell of small Jobs, too: "sh -c" with echo, sleep and exit, one after the other.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) > 2 {
		os.Exit(run(os.Args[2]))
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
}

func run(script string) int {
	for line := range strings.FieldsFuncSeq(script, func(r rune) bool { return r == ';' || r == '\n' }) {
		command, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		number, _ := strconv.ParseFloat(rest, 64)
		switch command {
		case "echo":
			fmt.Println(rest)
		case "sleep":
			time.Sleep(time.Duration(number * float64(time.Second)))
		case "exit":
			return int(number)
		default:
			fmt.Fprintf(os.Stderr, "sh: %s: not known here, where busybox is not installed\n", command)
			return 127
		}
	}
	return 0
}
