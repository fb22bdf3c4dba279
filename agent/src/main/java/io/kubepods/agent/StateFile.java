package io.kubepods.agent;

import io.kubepods.kernel.OncePerHour;
import io.kubepods.oom.OomState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The OOM ledger's memory over restarts: one JSON file, read once, replaced as a whole. It need not survive a crash of the
 * machine, after which every cgroup is another; so it is not forced to the disk.
 *
 * <p>Used by the tick's thread.
 */
final class StateFile {
    private static final Logger log = LoggerFactory.getLogger(StateFile.class);
    private static final int VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private final Path file;
    private final String bootId;
    private final AtomicLong errors = new AtomicLong();
    private final OncePerHour said = new OncePerHour();

    /** What is in the file. */
    private record Content(int version, OomState ooms) {}

    private StateFile(Path file, String bootId) {
        this.file = file;
        this.bootId = bootId;
    }

    /** @throws IOException with one sentence when there can be no such file */
    static StateFile open(Path file, Path procfs) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new IOException(
                    "--state.file=" + file + ": there is no directory " + directory + "; make it, or mount it.");
        }
        if (Files.isDirectory(file)) {
            throw new IOException("--state.file=" + file + " is a directory; it must name a file.");
        }
        if (!Files.isWritable(directory)) {
            throw new IOException("--state.file=" + file + ": files cannot be made in " + directory + " by this user.");
        }
        return new StateFile(
                file,
                Files.readString(procfs.resolve("sys/kernel/random/boot_id")).strip());
    }

    String bootId() {
        return bootId;
    }

    /** How often it could not be written. */
    long errors() {
        return errors.get();
    }

    /** What the agent before left; empty when that is nothing, or of another boot. What cannot be trusted is set aside. */
    Optional<OomState> read() {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String problem;
        try {
            Content content = JSON.readValue(Files.readAllBytes(file), Content.class);
            if (content.version() == VERSION) {
                if (content.ooms().bootId().equals(bootId)) {
                    return Optional.of(content.ooms());
                }
                log.info(
                        "The counts in {} are of another boot of this machine, whose cgroups are no more; begun anew.",
                        file);
                return Optional.empty();
            }
            problem = "it is of version " + content.version() + ", and this agent writes " + VERSION;
        } catch (JacksonException | NullPointerException e) {
            problem = "it is not what an agent writes";
        } catch (IOException e) {
            problem = "it cannot be read (" + e.getMessage() + ")";
        }
        setAside(problem);
        return Optional.empty();
    }

    private void setAside(String problem) {
        Path aside = file.resolveSibling(file.getFileName() + ".aside");
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
            log.warn("{} is not used, for {}; it is set aside as {}, and OOMs are counted anew.", file, problem, aside);
        } catch (IOException e) {
            log.warn("{} is not used, for {}; OOMs are counted anew.", file, problem);
        }
    }

    /** @return whether it is there now; it is tried again with the next change or tick otherwise */
    boolean write(OomState state, long now) {
        Path written = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.write(written, JSON.writeValueAsBytes(new Content(VERSION, state)));
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException | JacksonException e) {
            errors.incrementAndGet();
            if (said.isDue(now)) {
                log.warn(
                        "{} cannot be written ({}: {}): after a restart OOMs would be counted from what it said before.",
                        file,
                        e.getClass().getSimpleName(),
                        e.getMessage());
            }
            return false;
        }
    }
}
