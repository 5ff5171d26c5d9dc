package dev.gitopsinterlock.cli.cel;

import com.google.common.net.InetAddresses;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address with the length of its network's prefix.
 *
 * @param length in bits
 */
record Cidr(InetAddress address, int length) {

    private static final Pattern TEXT = Pattern.compile("(.*)/(0|[1-9]\\d{0,2})");
    private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.]+");

    static Optional<Cidr> of(String text) {
        var parts = TEXT.matcher(text);
        return parts.matches()
                ? address(parts.group(1))
                        .map(address -> new Cidr(address, Integer.parseInt(parts.group(2))))
                        .filter(cidr -> cidr.length <= cidr.bits())
                : Optional.empty();
    }

    /** Without zones, and not one of IPv4 written as one of IPv6. */
    static Optional<InetAddress> address(String text) {
        return ADDRESS.matcher(text).matches() && InetAddresses.isInetAddress(text)
                ? Optional.of(InetAddresses.forString(text))
                        .filter(address -> !(address instanceof Inet4Address && text.contains(":")))
                : Optional.empty();
    }

    boolean contains(InetAddress other) {
        return other.getClass() == address.getClass() && network(other).equals(network(address));
    }

    boolean contains(Cidr other) {
        return contains(other.address) && length <= other.length;
    }

    Cidr masked() {
        var network = network(address).shiftLeft(bits() - length);
        return new Cidr(
                address instanceof Inet4Address
                        ? InetAddresses.fromIPv4BigInteger(network)
                        : InetAddresses.fromIPv6BigInteger(network),
                length);
    }

    private BigInteger network(InetAddress of) {
        return InetAddresses.toBigInteger(of).shiftRight(bits() - length);
    }

    private int bits() {
        return address.getAddress().length * 8;
    }

    String text() {
        return InetAddresses.toAddrString(address) + "/" + length;
    }
}
