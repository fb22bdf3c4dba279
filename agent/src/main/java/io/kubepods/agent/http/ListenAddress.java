package io.kubepods.agent.http;

import io.netty.util.NetUtil;
import java.net.InetSocketAddress;

/**
 * Where to listen, in node_exporter's forms: {@code :10990}, {@code 127.0.0.1:10990}, {@code [::1]:10990},
 * {@code localhost:0}.
 *
 * @param host a name or an address, without brackets; empty for every address of the host
 * @param port 0 for any free one
 */
public record ListenAddress(String host, int port) {

    private static final String FORMS = "write host:port, as in \":10990\", \"127.0.0.1:10990\" or \"[::1]:10990\"";

    /** Checks the port. */
    public ListenAddress {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("The port to listen on must be from 0 to 65535, not " + port + ".");
        }
    }

    /**
     * Reads one of the forms above.
     *
     * @throws IllegalArgumentException with one sentence for who wrote the text
     */
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        // At most nine digits, so that parseInt cannot overflow and the record's own check names the range.
        if (colon < 0 || !port.matches("[0-9]{1,9}")) {
            throw bad(text, FORMS);
        }
        return new ListenAddress(host(text, text.substring(0, colon)), Integer.parseInt(port));
    }

    private static String host(String text, String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            String address = host.substring(1, host.length() - 1);
            if (!NetUtil.isValidIpV6Address(address)) {
                throw bad(text, "there is no IPv6 address between the brackets");
            }
            return address;
        }
        if (NetUtil.isValidIpV6Address(host)) {
            throw bad(text, "an IPv6 address needs brackets, as in \"[::1]:10990\"");
        }
        if (!host.matches("[A-Za-z0-9._-]*")) {
            throw bad(text, FORMS);
        }
        return host;
    }

    private static IllegalArgumentException bad(String text, String reason) {
        return new IllegalArgumentException("\"" + text + "\" is not an address to listen on: " + reason + ".");
    }

    /** Looks the host up; the result is unresolved if there is no such host. */
    InetSocketAddress resolve() {
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
