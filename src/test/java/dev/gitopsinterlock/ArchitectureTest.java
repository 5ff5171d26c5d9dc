package dev.gitopsinterlock;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.testing.text.Project;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The border between the pure core and the shell, and the words that are left aside. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            // in whatever folder the build has them
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.gitopsinterlock");

    private static final String ROOT = "dev.gitopsinterlock.";

    /** Those that do not exist yet are here already, so that they are born pure. */
    private static final String[] PURE = {
        ROOT + "admission..",
        ROOT + "announced..",
        ROOT + "argocd..",
        ROOT + "effect..",
        ROOT + "check..",
        ROOT + "crd..",
        ROOT + "doctor..",
        ROOT + "edit..",
        ROOT + "flux..",
        ROOT + "gate..",
        ROOT + "guidance..",
        ROOT + "immutability..",
        ROOT + "job..",
        ROOT + "kinds..",
        ROOT + "kubernetes..",
        ROOT + "machineconfig..",
        ROOT + "makers..",
        ROOT + "page..",
        ROOT + "patch..",
        ROOT + "policy..",
        ROOT + "status..",
        ROOT + "tool..",
        ROOT + "upgradeplan.."
    };

    @Test
    void coreIsPure() {
        classes()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(PURE)
                        .or(resideInAnyPackage(
                                "java.lang..",
                                "java.math..",
                                "java.nio.charset..",
                                "java.time..",
                                "java.util..",
                                "org.jspecify..",
                                "com.fasterxml.jackson.core..",
                                "com.fasterxml.jackson.databind.."))
                        // what Jackson's parsers throw at a text that is no JSON
                        .or(equivalentTo(IOException.class)))
                .check(CLASSES);
    }

    @Test
    void coreNeitherLooksAtTheClockNorThrowsDice() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .orShould()
                .callMethod(System.class, "getProperty", String.class)
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(Clock.class, Random.class)
                .check(CLASSES);
    }

    /** The page's table is their order, so there are no cycles between them. */
    @Test
    void roomsKnowOnlyThoseAboveThemInThePage() throws IOException {
        var floors = new HashMap<String, Integer>();
        for (var row : Files.readAllLines(Project.directory().resolve("docs/architecture.md"))) {
            if (row.startsWith("| `")) {
                var floor = floors.size();
                Pattern.compile("`(\\w+)`")
                        .matcher(row.split("[|]", -1)[1])
                        .results()
                        .forEach(room -> floors.put(room.group(1), floor));
            }
        }

        for (var known : CLASSES) {
            room(known)
                    .ifPresent(room -> assertThat(known.getDirectDependenciesFromSelf())
                            .extracting(Dependency::getTargetClass)
                            .allSatisfy(target -> room(target)
                                    .ifPresent(other -> assertThat(floors.get(other))
                                            .as("%s, of which %s knows %s", other, known.getName(), target.getName())
                                            .isNotNull()
                                            .isLessThanOrEqualTo(floors.get(room)))));
        }
    }

    private static Optional<String> room(JavaClass known) {
        return Optional.of(known.getBaseComponentType().getPackageName())
                .filter(name -> name.startsWith(ROOT))
                .map(name -> name.substring(ROOT.length()).replaceFirst("[.].*", ""));
    }

    /** Nested classes count as the one that they are in. */
    @Test
    void classesOfTheCoreHaveNoCycles() {
        slices().assignedFrom(new SliceAssignment() {
                    @Override
                    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                        return resideInAnyPackage(PURE).test(javaClass)
                                ? SliceIdentifier.of(javaClass.getName().replaceFirst("\\$.*", ""))
                                : SliceIdentifier.ignore();
                    }

                    @Override
                    public String getDescription() {
                        return "classes of the core";
                    }
                })
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void roomsOfOneFeatureHaveNoCycles() {
        slices().matching(ROOT + "cluster.(*)..").should().beFreeOfCycles().check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(ROOT + "job")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "job.*..")
                .check(CLASSES);
        slices().matching(ROOT + "job.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    /** What is known is told by several; nobody who knows it depends on how it is told. */
    @Test
    void onlyWhoServesThePageKnowsIt() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "page..", ROOT + "webhook..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "page..")
                .check(CLASSES);
    }

    /** It is to serve every kind. */
    @Test
    void theEngineOfAnEditNamesNoKind() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "edit..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT + "job..", ROOT + "kinds.."))
                .orShould()
                .accessField(ResourceType.class, "JOB")
                .orShould()
                .accessField(ResourceType.class, "STATEFUL_SET")
                .check(CLASSES);
    }

    /** It sends what it is given; what is asked, and why, is its users'. */
    @Test
    void requestsToTheApiServerKnowNoFeature() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "cluster.api..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        ROOT + "announced..",
                        ROOT + "argocd..",
                        ROOT + "effect..",
                        ROOT + "edit..",
                        ROOT + "flux..",
                        ROOT + "gate..",
                        ROOT + "job..",
                        ROOT + "kinds..",
                        ROOT + "machineconfig..",
                        ROOT + "makers..",
                        ROOT + "status..",
                        ROOT + "upgradeplan.."))
                .check(CLASSES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"immutability..", "kubernetes.."})
    void groundFloorImportsNothingOfOurs(String room) {
        classes()
                .that()
                .resideInAPackage(ROOT + room)
                .should()
                .onlyDependOnClassesThat(resideInAPackage(ROOT + room)
                        .or(DescribedPredicate.not(resideInAPackage("dev.gitopsinterlock.."))))
                .check(CLASSES);
    }

    @Test
    void coreDoesNotParseJson() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("com\\.fasterxml\\.jackson\\.databind\\.(.*Mapper|ObjectReader|ObjectWriter)")
                .check(CLASSES);
    }

    /** It starts in a fraction of a second because it starts nothing else. */
    @Test
    void commandLineNeedsNoService() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "cli..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "io.quarkus..",
                        "io.vertx..",
                        "jakarta..",
                        "io.fabric8..",
                        ROOT + "webhook..",
                        ROOT + "cluster..",
                        ROOT + "trust.."))
                .check(CLASSES);
    }

    /** So that nothing of it is loaded where nobody asks for spans. */
    @Test
    void openTelemetryStaysInTracing() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "tracing..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.opentelemetry.."))
                .check(CLASSES);
    }

    @Test
    void wireStaysInWebhook() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "webhook..")
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "webhook.."))
                .check(CLASSES);
    }

    @Test
    void wireIsReadAndWrittenInTwoPlaces() {
        noClasses()
                .that()
                .haveSimpleNameNotStartingWith("ReviewReader")
                .and()
                .haveSimpleNameNotStartingWith("ReviewWriter")
                .and()
                // not of reviews: what replicas leave for each other
                .haveSimpleNameNotStartingWith("PackedOrder")
                .and()
                // what kubectl prints
                .doNotHaveSimpleName("JsonText")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("com\\.fasterxml\\.jackson\\.databind\\.(.*Mapper|ObjectReader|ObjectWriter)")
                .check(CLASSES);
    }

    /** What is done in the cluster because of a review takes a proof, and one place hands it out. */
    @Test
    void callersAreAuthenticatedInOnePlace() {
        noClasses()
                .that()
                .doNotHaveSimpleName("CallerAuthentication")
                .should()
                .callConstructor(Caller.ApiServer.class)
                .check(CLASSES);
    }

    @Test
    void noRouteForgetsWhoCalls() {
        methods()
                .that()
                .areDeclaredInClassesThat()
                .haveSimpleName("ReviewServer")
                .and()
                .haveRawParameterTypes(Route.class, RoutingContext.class)
                .should(learnWhoCalls())
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveSimpleName("CallerAuthentication")
                .and()
                .doNotHaveSimpleName("ReviewServer")
                .and()
                .doNotHaveSimpleName("RequestBodyLimiter")
                .and()
                .doNotHaveSimpleName("ConnectionGuard")
                .and()
                .doNotHaveSimpleName("ConnectionDrainer")
                .and()
                // on the management port, which answers everybody alike
                .doNotHaveSimpleName("ManagementServer")
                .and()
                .doNotHaveSimpleName("GuidanceServer")
                .and()
                .doNotHaveSimpleName("StatusServer")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.vertx.ext.web.Router")
                .because("whoever adds a route there answers callers that nobody has looked at")
                .check(CLASSES);
    }

    /** The webhook's own port is Quarkus', which asks ConnectionGuard for its options. */
    @Test
    void nobodyListensWithoutTheGuard() throws IOException {
        noClasses()
                .that()
                .doNotHaveSimpleName("ConnectionGuard")
                .should()
                .callMethodWhere(describe(
                        "makes a server",
                        call -> call.getTarget()
                                        .getName()
                                        .matches("createHttpServer|createNetServer|createDatagramSocket")
                                || (call.getTarget().getName().equals("create")
                                        && call.getTargetOwner().getSimpleName().equals("HttpServer"))))
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.net.ServerSocket")
                .check(CLASSES);
        var properties = new Properties();
        try (var file = ArchitectureTest.class.getResourceAsStream("/application.properties")) {
            properties.load(file);
        }
        assertThat(properties)
                .containsEntry("quarkus.management.enabled", "false")
                .containsEntry("quarkus.http.insecure-requests", "disabled");
    }

    private static ArchCondition<JavaMethod> learnWhoCalls() {
        return new ArchCondition<>("answer by ReviewPipeline, which hands them the caller") {
            @Override
            public void check(JavaMethod route, ConditionEvents events) {
                var learns = route.getMethodCallsFromSelf().stream()
                        .map(JavaAccess::getTarget)
                        .anyMatch(target -> target.getOwner().getSimpleName().equals("ReviewPipeline")
                                && target.getName().equals("answer")
                                && target.getRawParameterTypes().stream()
                                        .anyMatch(type -> type.getSimpleName().equals("RoutingContext")));
                events.add(
                        new SimpleConditionEvent(route, learns, route.getFullName() + " learns who calls: " + learns));
            }
        };
    }

    @Test
    void namesTellWhatAThingIs() {
        noClasses()
                .that()
                // words of the JDK and of Kubernetes
                .haveNameNotMatching(".*\\.(SwappingKeyManager|ClientTrustManager|FieldManager)")
                .should()
                .haveNameMatching(".*(Util|Utils|Helper|Manager|Processor|Info|Data)")
                .check(CLASSES);
    }

    @Test
    void nothingStaticIsMutable() {
        noFields()
                .that()
                .areStatic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAPackage("dev.gitopsinterlock..")
                .should()
                .notBeFinal()
                .check(CLASSES);
    }

    @Test
    void rulesHoldNothing() {
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .haveSimpleNameEndingWith("Rule")
                .should()
                .notHaveModifier(JavaModifier.STATIC)
                .check(CLASSES);
    }
}
