package io.kubepods.oom;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** A kernel's log as text, and the kills that are told from it. */
final class KernelSays {
    private static final String ID = "1".repeat(64);
    static final String POD = "/kubepods.slice/kubepods-burstable.slice/"
            + "kubepods-burstable-pod0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9.slice";
    static final String CONTAINER = POD + "/cri-containerd-" + ID + ".scope";

    private final List<OomKill> kills = new ArrayList<>();
    private final KmsgRecord record = new KmsgRecord();
    private final OomReports reports;
    private long sequence = 100;
    private long timestampUsec = 5_000_000;

    KernelSays() {
        this(OomReports.FROM_THE_BEGINNING);
    }

    KernelSays(long after) {
        reports = new OomReports(after, kills::add);
    }

    /** Kills of records as they are. */
    static List<OomKill> killsOf(List<String> records) {
        KernelSays kernel = new KernelSays();
        records.forEach(kernel::record);
        return kernel.kills();
    }

    /** Kills of texts, in records without a gap, a millisecond apart. */
    static List<OomKill> killsIn(String... texts) {
        return new KernelSays().says(texts).kills();
    }

    static List<String> capture(String name) {
        try (InputStream text = KernelSays.class.getResourceAsStream("/kmsg/" + name + ".records")) {
            assertTrue(text != null, name);
            return text == null
                    ? List.of()
                    : new String(text.readAllBytes(), ISO_8859_1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    KernelSays says(String... texts) {
        for (String text : texts) {
            line("3", "-", text);
        }
        return this;
    }

    /** A piece of a line begun before. */
    KernelSays goesOn(String text) {
        return line("4", "c", text);
    }

    KernelSays line(String priority, String flags, String text) {
        timestampUsec += 1_000;
        return record(priority + "," + sequence++ + "," + timestampUsec + "," + flags + ";" + text);
    }

    KernelSays record(String text) {
        byte[] bytes = (text + "\n").getBytes(ISO_8859_1);
        assertTrue(record.parse(bytes, bytes.length), text);
        reports.accept(record);
        return this;
    }

    KernelSays loses(int records) {
        sequence += records;
        return this;
    }

    KernelSays waits(long usec) {
        timestampUsec += usec;
        return this;
    }

    KernelSays idle() {
        reports.idle();
        return this;
    }

    OomReports reports() {
        return reports;
    }

    /** Those given out until now, and after that everything that is held. */
    List<OomKill> kills() {
        reports.idle();
        return kills;
    }

    List<OomKill> givenOut() {
        return kills;
    }

    static String invoked(String command) {
        return command + " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0";
    }

    static String summary(String oomMemcg, String taskMemcg, String command, int pid) {
        return "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-" + ID
                + ".scope,mems_allowed=0,oom_memcg=" + oomMemcg + ",task_memcg=" + taskMemcg + ",task=" + command
                + ",pid="
                + pid + ",uid=0";
    }

    static String killed(int pid, String command) {
        return "Memory cgroup out of memory: Killed process " + pid + " (" + command
                + ") total-vm:33860kB, anon-rss:32384kB, file-rss:1kB, shmem-rss:384kB, UID:7 pgtables:104kB"
                + " oom_score_adj:-997";
    }

    static String group(String path) {
        return "Tasks in " + path + " are going to be killed due to memory.oom.group set";
    }
}
