package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"
)

// A cpuSet is the kernel's bit set of processors.
type cpuSet [16]uint64

func oneCPU(number int) cpuSet {
	var set cpuSet
	set[number/64] = 1 << (number % 64)
	return set
}

func (s cpuSet) numbers() []int {
	var numbers []int
	for number := range len(s) * 64 {
		if s[number/64]&(1<<(number%64)) != 0 {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// apply pins one thread; 0 is the calling one. What it starts inherits that.
func (s cpuSet) apply(thread int) error {
	_, _, errno := syscall.RawSyscall(
		syscall.SYS_SCHED_SETAFFINITY, uintptr(thread), unsafe.Sizeof(s), uintptr(unsafe.Pointer(&s)))
	if errno != 0 {
		return fmt.Errorf("sched_setaffinity: %w", errno)
	}
	return nil
}

func allowedCPUs() (cpuSet, error) {
	var set cpuSet
	_, _, errno := syscall.RawSyscall(
		syscall.SYS_SCHED_GETAFFINITY, 0, unsafe.Sizeof(set), uintptr(unsafe.Pointer(&set)))
	if errno != 0 {
		return set, fmt.Errorf("sched_getaffinity: %w", errno)
	}
	return set, nil
}

// cores says where the two sides of the measurement run.
type cores struct {
	server, generator cpuSet
	apart             bool // not on one core, nor on two threads of one
}

// splitCores takes the first allowed processor for the servers and for us the next one on another core.
func splitCores() (cores, error) {
	allowed, err := allowedCPUs()
	if err != nil {
		return cores{}, err
	}
	numbers := allowed.numbers()
	first := oneCPU(numbers[0])
	for _, number := range numbers[1:] {
		if siblings(number) != siblings(numbers[0]) {
			return cores{first, oneCPU(number), true}, nil
		}
	}
	return cores{first, oneCPU(numbers[len(numbers)-1]), false}, nil
}

// siblings names the threads of a processor's core; empty, and so never shared, where the kernel does not tell.
func siblings(number int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", number))
	if err != nil {
		return strconv.Itoa(number)
	}
	return string(text)
}

func (c cores) String() string {
	if !c.apart {
		return "SERVER AND LOAD GENERATOR SHARE ONE CORE: figures are too low, and not comparable"
	}
	return "server on one core, load generator on another"
}

// moveHere pins every thread of this process to the generator's core and lets Go use just that one.
func (c cores) moveHere() error {
	runtime.GOMAXPROCS(1)
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return err
		}
		if err := c.generator.apply(id); err != nil && !errors.Is(err, syscall.ESRCH) {
			return err
		}
	}
	return nil
}
