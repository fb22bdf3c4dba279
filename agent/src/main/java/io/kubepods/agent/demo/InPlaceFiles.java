package io.kubepods.agent.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Plain files that behave like a pseudo file system's: a descriptor that a reader keeps sees each new content, so a
 * file is overwritten where it is, never replaced. Only what changed is written.
 */
final class InPlaceFiles {
    private Map<Path, String> written = new HashMap<>();
    private Map<Path, String> current = new HashMap<>();

    void put(Path file, String text) throws IOException {
        String before = written.get(file);
        if (before == null) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text, CREATE_NEW);
        } else if (!before.equals(text)) {
            overwrite(file, before, text);
        }
        current.put(file, text);
    }

    /** Removes every file, and then every directory left without one, that was not put since the last call. */
    void sweep() throws IOException {
        Set<Path> gone = new HashSet<>();
        for (Path file : written.keySet()) {
            if (!current.containsKey(file)) {
                Files.delete(file);
                gone.add(file.getParent());
            }
        }
        if (!gone.isEmpty()) {
            current.keySet().forEach(file -> gone.remove(file.getParent()));
        }
        for (Path directory : gone) {
            Files.delete(directory);
        }
        Map<Path, String> swap = written;
        written = current;
        current = swap;
        current.clear();
    }

    private static void overwrite(Path file, String before, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer, buffer.position());
            }
            if (bytes.length < before.length()) {
                channel.truncate(bytes.length);
            }
        }
    }
}
