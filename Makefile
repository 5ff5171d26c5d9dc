# Every target is described by the comment behind it; `make help` lists them.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Kubernetes of the test bed: 1.37.2, 1.36.4, 1.35.8 or 1.34.9
KUBERNETES ?= 1.37.2
# an Argo CD before the newest, of those below testbed/argocd: 3.5
ARGOCD ?=
# what `make differential` edits, how many edits of each kind it sends, and the number that makes a run repeatable
KIND ?= Job
N ?= 2000
SEED ?= 20260101
# how many Jobs of each kind `make stress` replaces
JOBS ?= 300
# how many random schedules `make rollouts` goes through, a fifth of them without us too; SEED makes them repeatable
RUNS ?= 100
# and how many of them at once, each in a control plane of its own, which takes 1.5 GB
AT_ONCE ?= 1

# Looked for, and fetched where the machine has none, once, when a target needs it.
JDK = $(eval JDK := $(shell testbed/toolchain jdk))$(or $(JDK),$(error there is no JDK 25, see above))
GO = $(eval GO := $(shell testbed/toolchain go))$(or $(GO),$(error there is no Go, see above))

# -ntp: a download's progress is thousands of lines; Maven says itself what it is doing
# what Maven's own libraries still do, and JDK 25 warns about; nothing of ours does it
MAVEN = JAVA_HOME="$(JDK)" MAVEN_OPTS="$(MAVEN_OPTS) --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED" \
	./mvnw -B -ntp
# the same, for src/quick/steps: with its downloads
STEPS = $(subst -ntp,,$(MAVEN))
GO_TOOL = GOTOOLCHAIN=auto "$(GO)/bin/go"
IT = -Dkubernetes.version=$(KUBERNETES)$(if $(ARGOCD), -Dtool.argocd=argocd/$(ARGOCD))
# left by unit tests that all passed; where no file has changed since, they are not run again
UNIT_TESTED := target/unit-tested
HAS_CHANGED = $(shell test -f $(UNIT_TESTED) && find . \( -name .git -o -path ./target \) -prune -o -type f -newer $(UNIT_TESTED) -print -quit || echo all)
ONLY_IT = -Dtest=NoUnitTests -Dsurefire.failIfNoSpecifiedTests=false
# what only targets of their own run: test-kyverno, test-machineconfig and test-arm64
ELSEWHERE = !Kyverno*ToolsIT,!MachineConfig*ToolsIT,!Arm64*ToolsIT
STORIES = $(MAVEN) verify $(IT) $(ONLY_IT) -DforkCount=3 -Dit.test='*ToolsIT,!Install*ToolsIT,$(ELSEWHERE)'
# In CI an integration test has a second try; .ci/run lists what needed it.
SECOND_TRY = $(if $(CI),-Dfailsafe.rerunFailingTestsCount=1)
# Of what is packaged already. A few classes at a time, each in a process with a control plane of its own: they wait for the
# most part.
FAILSAFE = $(MAVEN) failsafe:integration-test failsafe:verify $(IT) $(SECOND_TRY)
# the last thing that the build makes, and gone when it begins: stands for the whole package
PACKAGE := target/quarkus-app/app.aot
SOURCES := $(shell find src/main docs -type f) pom.xml

# what the tools' stories run, the quickest to build first
TOOLS = 'tool redis' 'tool helm3' 'tool helm4' 'tool fleetagent' 'tool argocd' 'tool flux' 'tool vale' 'tool actionlint' 'tool helmdocs' 'tool syft' 'tool krew' 'tool dashboard' 'tool promtool' 'tool prometheus'

IMAGE := target/image/gitops-interlock.tar
build-each = for what in $(1); do \
	testbed/testbed $$what >/dev/null || [ $$? = 69 ]; done # 69: cannot be had, which the tests say, too
# what is installed, and what installs it
INSTALLED = 'build --kubernetes $(KUBERNETES)' 'build --kubernetes $(KUBERNETES) --node' 'tool certmanager' 'tool helm3' 'tool helm4' 'crds certmanager' 'crds argocd' 'crds openshift' \
	'tool kuberouter' 'tool registry' 'tool crane' 'tool cosign'

.PHONY: help
help: ## this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

.PHONY: demo
demo: $(PACKAGE) tools ## edit a Job with and without gitops-interlock on a real control plane; KEEP=1 leaves it running
	@JAVA_HOME="$(JDK)" KUBERNETES=$(KUBERNETES) KEEP=$(KEEP) examples/demo

.PHONY: demo-machineconfig
demo-machineconfig: $(PACKAGE) tools ## a MachineConfig arrives while a sync runs, with and without gitops-interlock; KEEP=1 as above
	@JAVA_HOME="$(JDK)" KUBERNETES=$(KUBERNETES) KEEP=$(KEEP) examples/demo-machineconfig

.PHONY: demo-restarts
demo-restarts: $(PACKAGE) tools ## a MachineConfig arrives while a database migration runs on a Node, which waits for it; KEEP=1 as above
	@JAVA_HOME="$(JDK)" KUBERNETES=$(KUBERNETES) KEEP=$(KEEP) examples/demo-restarts

.PHONY: observe
observe: $(PACKAGE) tools ## status page, Prometheus and alerts under a load of stories, with the settings of a week of docs/rollout.md: make observe WEEK=1; ROUNDS=3 ends it
	@JAVA_HOME="$(JDK)" KUBERNETES=$(KUBERNETES) WEEK=$(WEEK) ROUNDS=$(ROUNDS) examples/observe

.PHONY: dashboard-page
dashboard-page: tools ## the chart's dashboard as target/dashboard.html with what a Prometheus has, without a Grafana: make dashboard-page PROMETHEUS=127.0.0.1:9090 PAST=PT30M; PICTURE=FILE.png draws it by Chromium
	@$(MAVEN) -q test-compile exec:exec@dashboard-page -Ddashboard.of='$(PROMETHEUS) $(or $(PAST),PT10M) $(PICTURE)'

.PHONY: test
test: tools $(if $(HAS_CHANGED),,$(PACKAGE)) ## unit tests, and integration tests on the real API server
	$(if $(HAS_CHANGED),$(MAVEN) verify $(IT) $(SECOND_TRY),$(info the unit tests have passed on these very files)$(FAILSAFE)) -DforkCount=3

.PHONY: quick
quick: tools ## compile what changed and run one test class in seconds: make quick TEST=JobEditRuleTest, or TEST=JobEditIT#liveEditIsRefused
	@KUBERNETES=$(KUBERNETES) ARGOCD=$(ARGOCD) src/quick/quick "$(TEST)"

.PHONY: verify verify-fast build-tools verify-tools
verify: ## everything that CI does, lane by lane: format, static analysis, architecture, all tests
	@unset MAKEFLAGS MAKELEVEL; .ci/run # its own make tells of no folders
verify-fast: tools ## its first lane: format, compile, unit tests; nothing that needs a control plane
	(for module in testbed bench; do (set -x; cd $$module; test -z "$$("$(GO)/bin/gofmt" -l .)"; $(GO_TOOL) vet ./...; $(GO_TOOL) test -short -count=1 ./...); done) & go=$$!; \
	code=0; $(MAVEN) clean test -Dspotless.goal=check || code=$$?; wait $$go || code=$$?; exit $$code # a compiler waits for one core
	@touch $(UNIT_TESTED)
build-tools: tools ## build all programs that the lane of tools runs; takes half an hour once
	@$(call build-each,$(TOOLS) $(INSTALLED))
# bench: wrong answers fail it, slow ones do not
verify-tools: $(IMAGE) build-tools ## its lane of tools: Argo CD, Flux, Helm and others, the image and the chart on a Node, load generator, test bed
	@(JAVA_HOME="$(JDK)" bench/run -short) & bench=$$!; \
	(for module in testbed bench; do (set -x; cd $$module && $(GO_TOOL) test -count=1 -timeout=30m ./...); done) & go=$$!; \
	code=0; $(FAILSAFE) -DforkCount=4 -Dit.test='*ToolsIT,$(ELSEWHERE)' || code=$$?; \
	for pid in $$bench $$go; do wait $$pid || code=$$?; done; exit $$code # they wait for the most part

.PHONY: test-tools
test-tools: tools ## the tools' stories (*ToolsIT: Helm, Argo CD, Flux), on the real API server; ARGOCD=3.5 takes that Argo CD
	$(STORIES)

.PHONY: argocd-table
argocd-table: tools ## what Argo CD shows of a refused edit, in all combinations of kind, way to apply, policy, tracking, self-heal and account; takes an hour, goes on where it was interrupted; GOLDEN=true writes the golden anew
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test=ArgoCdEveryKindToolsIT -Dargocd.all-rows=true -Dgolden.update=$(GOLDEN)

.PHONY: test-install
test-install: image ## install, upgrade, roll back and uninstall the chart: Helm 3 and 4, real cert-manager, on a real Node; RATE=200 edits 200 times a second meanwhile
	@$(call build-each,$(INSTALLED))
	$(FAILSAFE) -DforkCount=3 -Dit.test='Install*ToolsIT' -Dinstall.rate=$(or $(RATE),40)

.PHONY: test-kyverno
test-kyverno: image ## Jobs that a real Kyverno changes or refuses, once on a real Node; not in verify, because its first build takes ten minutes and more
	$(FAILSAFE) -Dit.test='Kyverno*ToolsIT'

.PHONY: test-machineconfig
MCO = cmd/machine-config-controller
test-machineconfig: ## the gate and OpenShift's own controllers, out of a checkout that you have: make test-machineconfig SOURCE=FOLDER of openshift/machine-config-operator; nine minutes, and as many to build it the first time
	@[ -d '$(SOURCE)/$(MCO)' ] || { echo 'SOURCE has to name a checkout of openshift/machine-config-operator: there is no folder "$(SOURCE)/$(MCO)"' >&2; exit 2; }
	cd '$(SOURCE)' && CGO_ENABLED=0 GOFLAGS=-mod=vendor $(GO_TOOL) build -tags containers_image_openpgp -o '$(CURDIR)/target/machine-config-operator/controller' ./$(MCO)
	printf '{"Replace": {"%s": "%s"}}' '$(abspath $(SOURCE))/pkg/daemon/effects_test.go' '$(CURDIR)/src/test/resources/node-disruption/daemon_test.go' > target/machine-config-operator/overlay.json
	cd '$(SOURCE)' && CGO_ENABLED=0 GOFLAGS=-mod=vendor $(GO_TOOL) test -c -tags containers_image_openpgp -overlay '$(CURDIR)/target/machine-config-operator/overlay.json' -o '$(CURDIR)/target/machine-config-operator/daemon' ./pkg/daemon
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test='MachineConfig*ToolsIT' -Dmachine-config-operator.source='$(abspath $(SOURCE))'

.PHONY: test-arm64
test-arm64: image-arm64 ## start the image for arm64 under qemu; not in verify, because training its AOT cache takes four minutes
	$(FAILSAFE) -Dit.test='Arm64*ToolsIT'

.PHONY: chart
chart: tools ## what the chart renders and refuses: Helm 3 and 4, the real API server; GOLDEN=true writes goldens, schema and README anew
	$(MAVEN) verify $(IT) -Dtest=ChartValuesGoldenTest -Dsurefire.failIfNoSpecifiedTests=false -Dit.test='Chart*IT' -Dgolden.update=$(GOLDEN)

.PHONY: certs certs-verify
certs: tools ## write certs/cert-manager.yaml anew from the chart
	$(MAVEN) verify $(ONLY_IT) -Dit.test=CertsToolsIT -Dgolden.update=true
certs-verify: tools ## whether certs/ is what the chart renders
	$(MAVEN) verify $(ONLY_IT) -Dit.test=CertsToolsIT

.PHONY: manifests manifests-verify
manifests: tools ## write deploy/, and the rights and webhook configurations in testbed/, anew from the build and the chart
	$(MAVEN) verify $(ONLY_IT) -Dit.test=PlainManifestsToolsIT -Dgolden.update=true
manifests-verify: tools ## whether `kubectl apply -k deploy` installs what the chart does, on the real API server
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test=PlainManifestsToolsIT

.PHONY: differential
# which tests edit the kind
OF_all = DifferentialIT,ManifestCheckIT,KindDifferentialIT,KindManifestCheckIT
OF_Job = DifferentialIT,ManifestCheckIT
OF_KIND = KindDifferentialIT,KindManifestCheckIT
differential: tools ## N random edits of a KIND (Job, another, or all), with and without us, and what check says of them as manifests: make differential KIND=all N=2000 KUBERNETES=1.37.2 SEED=1
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test='$(or $(OF_$(KIND)),$(OF_KIND))' -Ddifferential.kind=$(KIND) \
		-Ddifferential.n=$(N) -Ddifferential.seed=$(SEED)

.PHONY: ordinary-changes
ordinary-changes: tools ## N changes of each sort that we are not asked about, by the audit log and metrics: make ordinary-changes N=1000
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test=OrdinaryChangesIT -Dordinary.changes=$(N)

.PHONY: atlas
atlas: tools ## write what the last runs and the types of k8s.io/api have shown into docs/immutability: make differential KIND=all atlas
	for version in testbed/kubernetes/*; do version=$$(grep -oE 'k8s.io/kubernetes v[0-9.]+' "$$version/go.mod" | head -n 1 | cut -dv -f2); \
		testbed/testbed tags --kubernetes "$$version" > "src/test/resources/compatibility/tags/$$version.json"; done
	$(MAVEN) -q test -Dtest=AtlasGoldenTest -Dgolden.update=true -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: compatibility
compatibility: tools ## write what the last runs have shown into docs/compatibility.md: make test KUBERNETES=1.35.8 compatibility
	$(MAVEN) -q test -Dtest=CompatibilityPageTest -Dgolden.update=true -Dsurefire.failIfNoSpecifiedTests=false

.PHONY: stress
stress: tools ## hundreds of replacements: at a time, under others' writes, interrupted: make stress JOBS=300 KUBERNETES=1.37.2
	$(MAVEN) verify $(IT) $(ONLY_IT) -DforkCount=3 -Dit.test='StressIT,AcknowledgedWritesIT,InterruptionsIT,CompetingEditsIT,LargeJobsIT' \
		-Dstress.jobs=$(JOBS) -Dstress.at-once=10 -Dstress.outage=30

.PHONY: scan-large
scan-large: tools ## let scan read 10,000 Jobs and say how long that takes, and how much memory
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test='ScanIT#aLargeClusterNeedsNoMoreMemory' -Dscan.jobs=10000

.PHONY: rollouts
rollouts: tools ## random rollouts under random syncs: make rollouts RUNS=100 AT_ONCE=2 SEED=1; about half a minute for each
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test=RolloutIT -Drollout.runs=$(RUNS) -Drollout.at-once=$(AT_ONCE) -Drollout.seed=$(SEED)

.PHONY: scale
SCALE = -Dscale.sizes=10,100,1000,10000 -Dscale.relist=true -Dscale.changes=100 -Dscale.reviews=1000 -Dscale.edits=1000 \
	-Dscale.at-once=1,10,100 -Dscale.finished-for=PT6S -Dscale.nodes=500 -Dscale.replicas=2,5 -Dscale.idle=PT30S
scale: tools ## what thousands of Namespaces, Applications, edits and Nodes cost, and each replica, into target/scale/results.md, and a plot; about 40 minutes
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test=ScaleIT $(SCALE)
	@JAVA_HOME="$(JDK)" bench/run -draw "$(CURDIR)/target/scale/results.md"

.PHONY: soak
soak: tools ## hostile and large reviews for a long time, with the image's flags and the chart's limit; makes a cgroup (version 1), so as root: make soak SECONDS=600
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test=LargeReviewsIT -Dlarge.seconds=$(or $(SECONDS),600) -Dlarge.mebibytes=256

.PHONY: bench
bench: $(PACKAGE) tools ## speed and memory next to a no-op server in the same run
	@JAVA_HOME="$(JDK)" bench/run

# what is measured beside the service, and what it needs
PEERS = 'build --kubernetes $(KUBERNETES)' 'tool gowebhook' 'tool gatekeeper' 'tool kyverno' 'crds gatekeeper' 'crds kyverno'

.PHONY: bench-peers
bench-peers: $(PACKAGE) tools ## the same next to a webhook in Go, Gatekeeper and Kyverno, with a plot; builds them first, which takes 20 minutes once
	@$(call build-each,$(PEERS))
	@JAVA_HOME="$(JDK)" bench/run -build
	@JAVA_HOME="$(JDK)" bench/run -peers

.PHONY: golden
golden: ## write the golden texts anew, to be reviewed as a diff
	$(MAVEN) test -Dtest='*Golden*,*Cases*Test,GuardedKindsTest,RestartMakersTableTest,ToolTablesTest,ImmutableFieldsPageTest,ScanFormatsTest,ReportsTest' -Dgolden.update=true -Dsurefire.failIfNoSpecifiedTests=true

.PHONY: scenarios
scenarios: tools ## let the tools' stories write docs/scenarios.md anew, to be reviewed as a diff
	$(STORIES) -Dgolden.update=true
	$(MAKE) golden

.PHONY: real-changes
real-changes: tools ## record anew what Kubernetes, Helm 3 and 4 say to every real change; RENDERED=folder reduces renderings first
	$(if $(RENDERED),$(MAVEN) -q test-compile exec:exec@reduce-changes -Drendered.changes="$(RENDERED)")
	$(MAVEN) verify $(IT) $(ONLY_IT) -Dit.test='RealChanges*IT' -Dreal-changes.helm=1000 -Dgolden.update=true
	$(MAVEN) test -Dtest=RealChangesTest -Dgolden.update=true

# The packages are Debian's, and a Java of the other architecture has to run.
.PHONY: arm64
arm64: ## whether what is for arm64 can be built here
	@[ "$$(uname -m)" = aarch64 ] || { [ -e /usr/bin/qemu-aarch64-static ] && [ -e /usr/share/keyrings/debian-archive-keyring.gpg ]; } || \
		{ echo 'what is for arm64 is built with qemu and the keys of Debian; get them by: apt-get install qemu-user-static debian-archive-keyring' >&2; exit 1; }

.PHONY: image image-arm64 measure-image image-classes
$(IMAGE): $(PACKAGE)
	@$(MAKE) image
image: $(PACKAGE) tools ## the image in target/image: as an archive to load, as a folder, its digest and its bill of materials
	@$(STEPS) test-compile cyclonedx:makeBom exec:exec@build-image | src/quick/steps
image-arm64: arm64 image ## the same for arm64 in target/image-arm64, with Debian's Java; takes four minutes, as qemu trains its AOT cache
	@$(MAVEN) -q exec:exec@build-image -Dimage.architecture=arm64
measure-image: image ## start of the image with less than one CPU, and its memory; makes cgroups (version 1), so as root
	@$(MAVEN) -q exec:exec@measure-image
image-classes: $(PACKAGE) ## write the list of classes anew that the image's AOT cache has
	@$(MAVEN) -q test-compile exec:exec@list-image-classes

.PHONY: cli cli-others
cli: $(PACKAGE) tools ## the command line with a Java runtime of its own, in target/cli: as a folder and as an archive
	@$(STEPS) test-compile cyclonedx:makeBom exec:exec@build-cli | src/quick/steps
cli-others: arm64 cli ## the same for arm64, with Debian's Java, and for every machine that has Java 25
	@for platform in arm64 java; do $(MAVEN) -q exec:exec@build-cli -Dcli.for=$$platform; done

.PHONY: release
release: tools ## build, push and sign image and chart: make release VERSION=0.1.0 REGISTRY=registry.example.com/team COSIGN_KEY=cosign.key
	@JAVA_HOME="$(JDK)" VERSION="$(VERSION)" REGISTRY="$(REGISTRY)" src/release/release

.PHONY: site recording
recording: cli ## record `make demo` and `gitops-interlock check` as docs/images/*.svg; needs Python 3
	@site/record demo
	@site/record check
site: ## the docs as a site in target/site, with every link checked; needs Python 3
	@site/build && echo target/site/index.html

.PHONY: format
format: ## format the sources
	$(MAVEN) spotless:apply
	cd testbed && $(GO_TOOL) fmt ./...

.PHONY: testbed
testbed: ## build etcd, kube-apiserver, kube-controller-manager and kubectl from Go modules
	@testbed/testbed build --kubernetes $(KUBERNETES)

.PHONY: clean
clean: ## remove what was built here; the test bed's binaries stay in their cache
	rm -rf target

.PHONY: tools
tools: ## find a JDK 25 and a Go, or fetch them, before anything long begins
	@: "$(JDK)" "$(GO)"

$(PACKAGE): $(SOURCES)
	@echo "building the service and training its AOT cache: a minute, the first time two or three"
	@$(STEPS) pre-integration-test -DskipTests | src/quick/steps
