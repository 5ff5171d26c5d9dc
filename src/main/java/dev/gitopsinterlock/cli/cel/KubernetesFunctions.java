package dev.gitopsinterlock.cli.cel;

import static dev.cel.common.CelOverloadDecl.newGlobalOverload;
import static dev.cel.common.CelOverloadDecl.newMemberOverload;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.google.common.collect.Comparators;
import com.google.common.collect.Iterables;
import com.google.common.net.InetAddresses;
import com.google.re2j.Pattern;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload.Binary;
import dev.cel.runtime.CelFunctionOverload.Unary;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Functions that Kubernetes adds to the language. Types are checked when a function is called: a definition with a rule that
 * has wrong ones is none.
 */
final class KubernetesFunctions implements CelCompilerLibrary, CelRuntimeLibrary {

    private static final Map<Class<?>, CelType> TYPES = Map.of(
            String.class, SimpleType.STRING,
            Long.class, SimpleType.INT,
            Boolean.class, SimpleType.BOOL,
            List.class, ListType.create(SimpleType.DYN),
            InetAddress.class, OpaqueType.create("net.IP"),
            Cidr.class, OpaqueType.create("net.CIDR"),
            Quantity.class, OpaqueType.create("kubernetes.Quantity"),
            SemanticVersion.class, OpaqueType.create("kubernetes.Semver"));

    private final List<Overload> overloads = new ArrayList<>();

    private record Overload(String function, CelOverloadDecl declaration, CelFunctionBinding binding) {}

    KubernetesFunctions() {
        addQuantities();
        addVersions();
        addAddresses();
        addLists();
        addRegularExpressions();
    }

    private void addQuantities() {
        function("quantity", String.class, text -> Quantity.of(text).orElseThrow());
        function("isQuantity", String.class, text -> Quantity.of(text).isPresent());
        function("sign", Quantity.class, Quantity::sign);
        method("add", Quantity.class, Quantity.class, Quantity::add);
        method("add", Quantity.class, Long.class, Quantity::add);
        method("sub", Quantity.class, Quantity.class, Quantity::subtract);
        method("sub", Quantity.class, Long.class, Quantity::subtract);
        addOrder(Quantity.class);
    }

    private void addVersions() {
        function("semver", String.class, text -> SemanticVersion.of(text).orElseThrow());
        function(
                "semver",
                String.class,
                Boolean.class,
                (text, normalize) -> version(text, normalize).orElseThrow());
        function("isSemver", String.class, text -> SemanticVersion.of(text).isPresent());
        function(
                "isSemver",
                String.class,
                Boolean.class,
                (text, normalize) -> version(text, normalize).isPresent());
        method("major", SemanticVersion.class, SemanticVersion::major);
        method("minor", SemanticVersion.class, SemanticVersion::minor);
        method("patch", SemanticVersion.class, SemanticVersion::patch);
        addOrder(SemanticVersion.class);
    }

    private static Optional<SemanticVersion> version(String text, boolean isNormalized) {
        return isNormalized ? SemanticVersion.normalized(text) : SemanticVersion.of(text);
    }

    private <T extends Comparable<T>> void addOrder(Class<T> type) {
        method("compareTo", type, type, (left, right) -> (long) left.compareTo(right));
        method("isLessThan", type, type, (left, right) -> left.compareTo(right) < 0);
        method("isGreaterThan", type, type, (left, right) -> left.compareTo(right) > 0);
    }

    private void addAddresses() {
        function("ip", String.class, text -> Cidr.address(text).orElseThrow());
        function("isIP", String.class, text -> Cidr.address(text).isPresent());
        function(
                "ip.isCanonical",
                String.class,
                text -> InetAddresses.toAddrString(Cidr.address(text).orElseThrow())
                        .equals(text));
        function("string", InetAddress.class, InetAddresses::toAddrString);
        method("family", InetAddress.class, address -> address instanceof Inet4Address ? 4L : 6L);
        method("isUnspecified", InetAddress.class, InetAddress::isAnyLocalAddress);
        method("isLoopback", InetAddress.class, InetAddress::isLoopbackAddress);
        method("isLinkLocalMulticast", InetAddress.class, InetAddress::isMCLinkLocal);
        method("isLinkLocalUnicast", InetAddress.class, InetAddress::isLinkLocalAddress);
        method("isGlobalUnicast", InetAddress.class, KubernetesFunctions::isGlobal);
        function("cidr", String.class, text -> Cidr.of(text).orElseThrow());
        function("isCIDR", String.class, text -> Cidr.of(text).isPresent());
        function("string", Cidr.class, Cidr::text);
        method("ip", Cidr.class, Cidr::address);
        method("prefixLength", Cidr.class, cidr -> (long) cidr.length());
        method("masked", Cidr.class, Cidr::masked);
        method("containsIP", Cidr.class, InetAddress.class, Cidr::contains);
        method(
                "containsIP",
                Cidr.class,
                String.class,
                (cidr, text) -> cidr.contains(Cidr.address(text).orElseThrow()));
        method("containsCIDR", Cidr.class, Cidr.class, Cidr::contains);
        method(
                "containsCIDR",
                Cidr.class,
                String.class,
                (cidr, text) -> cidr.contains(Cidr.of(text).orElseThrow()));
    }

    private static boolean isGlobal(InetAddress address) {
        return !(address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isMulticastAddress()
                || address.isLinkLocalAddress()
                || InetAddresses.toAddrString(address).equals("255.255.255.255"));
    }

    private void addLists() {
        method("isSorted", List.class, KubernetesFunctions::isSorted);
        method("min", List.class, KubernetesFunctions::min);
        method("max", List.class, KubernetesFunctions::max);
        method("sum", List.class, KubernetesFunctions::sum);
        method("indexOf", List.class, Object.class, (list, item) -> indexOf(list, item));
        method("lastIndexOf", List.class, Object.class, (list, item) -> {
            var fromTheEnd = indexOf(list.reversed(), item);
            return fromTheEnd < 0 ? fromTheEnd : list.size() - 1 - fromTheEnd;
        });
        function("sets.contains", List.class, List.class, (all, some) -> areIn(some, all));
        function("sets.equivalent", List.class, List.class, (left, right) -> areIn(left, right) && areIn(right, left));
        function("sets.intersects", List.class, List.class, (left, right) -> isAnyIn(left, right));
    }

    private static long indexOf(List<?> list, Object item) {
        return Iterables.indexOf(list, each -> Equality.now().areEqual(each, item));
    }

    private static boolean isAnyIn(List<?> some, List<?> all) {
        return some.stream().anyMatch(item -> Equality.now().isIn(item, all));
    }

    private static boolean areIn(List<?> some, List<?> all) {
        return some.stream().allMatch(item -> Equality.now().isIn(item, all));
    }

    private static boolean isSorted(List<?> list) {
        return Comparators.isInOrder(list, KubernetesFunctions::compare);
    }

    private static Object min(List<?> list) {
        return Collections.min(list, KubernetesFunctions::compare);
    }

    private static Object max(List<?> list) {
        return Collections.max(list, KubernetesFunctions::compare);
    }

    @SuppressWarnings("unchecked") // what cannot be compared throws
    private static int compare(Object left, Object right) {
        return left instanceof String text && right instanceof String other
                ? compareTexts(text, other)
                : ((Comparable<Object>) left).compareTo(right);
    }

    /** By code points, as Go does by bytes; Java compares halves of those beyond 16 bits. */
    static int compareTexts(String left, String right) {
        return Arrays.compareUnsigned(left.getBytes(UTF_8), right.getBytes(UTF_8));
    }

    private static Object sum(List<?> list) {
        Object sum = list.isEmpty() ? 0L : list.getFirst();
        for (var item : list.subList(Math.min(1, list.size()), list.size())) {
            sum = switch (item) {
                case Long number -> Math.addExact((Long) sum, number);
                case Double number -> (Double) sum + number;
                default -> ((Duration) sum).plus((Duration) item);
            };
        }
        return sum;
    }

    private void addRegularExpressions() {
        method("find", String.class, String.class, (text, pattern) -> {
            var all = findAll(text, pattern, 1);
            return all.isEmpty() ? "" : all.getFirst();
        });
        method("findAll", String.class, String.class, (text, pattern) -> findAll(text, pattern, -1));
        add(
                "findAll",
                newMemberOverload(
                        "findAll_limit", SimpleType.DYN, SimpleType.STRING, SimpleType.STRING, SimpleType.INT),
                CelFunctionBinding.from(
                        "findAll_limit",
                        List.of(String.class, String.class, Long.class),
                        arguments -> findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2])));
    }

    /** Without an empty match at the end of another. */
    private static List<String> findAll(String text, String pattern, long limit) {
        var found = new ArrayList<String>();
        var matches = Pattern.compile(pattern).matcher(text);
        for (var end = -1; found.size() != limit && matches.find(); end = matches.end()) {
            if (matches.start() != end || matches.end() != end) {
                found.add(matches.group());
            }
        }
        return found;
    }

    private <T> void function(String name, Class<T> type, Unary<T> body) {
        var id = id(name, type);
        add(name, newGlobalOverload(id, SimpleType.DYN, type(type)), CelFunctionBinding.from(id, type, body));
    }

    private <A, B> void function(String name, Class<A> first, Class<B> second, Binary<A, B> body) {
        var id = id(name, first, second);
        add(
                name,
                newGlobalOverload(id, SimpleType.DYN, type(first), type(second)),
                CelFunctionBinding.from(id, first, second, body));
    }

    private <T> void method(String name, Class<T> type, Unary<T> body) {
        var id = "of_" + id(name, type);
        add(name, newMemberOverload(id, SimpleType.DYN, type(type)), CelFunctionBinding.from(id, type, body));
    }

    private <A, B> void method(String name, Class<A> type, Class<B> argument, Binary<A, B> body) {
        var id = "of_" + id(name, type, argument);
        add(
                name,
                newMemberOverload(id, SimpleType.DYN, type(type), type(argument)),
                CelFunctionBinding.from(id, type, argument, body));
    }

    private static String id(String name, Class<?>... types) {
        return Stream.concat(Stream.of(name), Stream.of(types).map(Class::getSimpleName))
                .collect(joining("_"));
    }

    private static CelType type(Class<?> type) {
        return TYPES.getOrDefault(type, SimpleType.DYN);
    }

    private void add(String name, CelOverloadDecl declaration, CelFunctionBinding binding) {
        overloads.add(new Overload(name, declaration, binding));
    }

    @Override
    public void setParserOptions(CelParserBuilder parser) {
        // functions need no syntax of their own
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        overloads.stream()
                .collect(groupingBy(Overload::function, mapping(Overload::declaration, toList())))
                .forEach((name, declarations) ->
                        checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, declarations)));
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        overloads.forEach(each -> runtime.addFunctionBindings(each.binding()));
    }
}
