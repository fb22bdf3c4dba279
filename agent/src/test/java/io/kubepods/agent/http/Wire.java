package io.kubepods.agent.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends the bytes a test gives it, and reads responses by their Content-Length. */
final class Wire implements AutoCloseable {

    record Reply(int status, Map<String, String> headers, String body) {}

    private final Socket socket = new Socket();
    private final InputStream in;

    Wire(InetSocketAddress address) throws IOException {
        socket.connect(address);
        in = new BufferedInputStream(socket.getInputStream());
    }

    /** Header lines end as HTTP has them; the text block need not. */
    Wire send(String text) throws IOException {
        return send(text.replace("\n", "\r\n").getBytes(ISO_8859_1));
    }

    Wire send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    Wire get(String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\nHost: here\n\n");
    }

    Reply read() throws IOException {
        Reply head = readHead();
        byte[] body = in.readNBytes(Integer.parseInt(head.headers().get("content-length")));
        return new Reply(head.status(), head.headers(), new String(body, ISO_8859_1));
    }

    /** What answers a HEAD. */
    Reply readHead() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            lines.add(line);
        }
        assertTrue(lines.get(0).startsWith("HTTP/1.1 "), lines.get(0));
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(": ");
            headers.put(line.substring(0, colon), line.substring(colon + 2));
        }
        return new Reply(Integer.parseInt(lines.get(0).substring(9, 12)), headers, "");
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("after: " + line);
            }
            line.append((char) c);
        }
        assertEquals('\r', line.charAt(line.length() - 1), "bare line feed");
        return line.substring(0, line.length() - 1);
    }

    /** Waits for the server to end the connection, with nothing more sent. */
    void assertEnds() throws IOException {
        assertEquals(-1, in.read());
    }

    /** The same, where bytes of ours may be left unread, so that the kernel may send a reset for the end. */
    void assertEndsOrIsReset() throws IOException {
        try {
            assertEnds();
        } catch (SocketException e) {
            assertEquals("Connection reset", e.getMessage());
        }
    }

    /** Sends without reading until the server has closed the connection. */
    void assertIsClosed() {
        assertThrows(SocketException.class, () -> {
            while (true) {
                send(new byte[1 << 20]);
            }
        });
    }

    /** Waits for the server to end the connection, whatever it sends before. */
    void assertEndsSomehow() throws IOException {
        while (in.read() >= 0) {
            // A response, or a part of one.
        }
    }

    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Goes as a killed client goes. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
