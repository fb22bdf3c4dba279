package io.kubepods.oom;

import static io.kubepods.oom.KernelSays.invoked;
import static io.kubepods.oom.KernelSays.killed;
import static io.kubepods.oom.KernelSays.killsIn;
import static io.kubepods.oom.KernelSays.summary;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.kubepods.Seed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes choose their names, up to 15 bytes, and who may make cgroups theirs, without a slash. */
class HostileNamesTest {
    private static final String LIMIT = "/kubepods/podA";
    private static final String OWN = "/kubepods/podA/c";
    private static final String OTHER = "/kubepods/podB/c";

    /** As the kernel writes it into a record. */
    private static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (byte b : name.getBytes(UTF_8)) {
            boolean plain = b >= ' ' && b < 127 && b != '\\';
            text.append(plain ? String.valueOf((char) b) : String.format("\\x%02x", b & 0xff));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b),pid=1\n\\x",
                ",pid=1,uid=0",
                "a,uid=0,pid=1",
                ",task=x",
                "x,task=y,task=z",
                "x) total-vm:1kB",
                ") total-vm:",
                "(",
                ")",
                "))",
                "",
                " ",
                "), UID 0, ",
                "x), UID 9, tota",
                "Killed process ",
                "oom-kill:",
                "Task in /",
                "Tasks in /",
                "Out of memory: ",
                "runc:[2:INIT]",
                "ünïcödé",
                "\\x41",
                "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\",
                "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n",
                ",global_oom",
                ",oom_memcg=/",
                "c;3,1,1,-;x"
            })
    void namesOfProcesses(String name) {
        String command = escaped(name);
        List<OomKill> kills =
                killsIn(invoked(command), summary(LIMIT, OWN, command, 160), killed(160, command), "noise");
        assertEquals(1, kills.size());
        OomKill kill = kills.get(0);
        assertEquals(160, kill.pid());
        assertEquals(name, kill.command());
        assertEquals(LIMIT, kill.oomMemcg());
        assertEquals(OWN, kill.taskMemcg());
        assertEquals(100, kill.report(), "begins with " + invoked(command));
        assertEquals(32_384 * 1_024, kill.anonRss());
        assertEquals(7, kill.uid());

        String old = "Memory cgroup out of memory: Kill process 160 (" + command + ") score 871 or sacrifice child";
        String rhel = "Killed process 160 (" + command + "), UID 48, total-vm:6214116kB, anon-rss:5kB, file-rss:0kB";
        OomKill ofRhel = killsIn(old, rhel).get(0);
        assertEquals(name, ofRhel.command());
        assertEquals(48, ofRhel.uid());
        assertEquals(5 * 1_024, ofRhel.anonRss());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x,task_memcg=/kubepods/podB/c",
                "/x,task_memcg=/kubepods/podB/c,task=y,pid=1,uid=0",
                "/x,global_oom,task_memcg=/kubepods/podB/c",
                "/x,oom_memcg=/kubepods/podB,task_memcg=/kubepods/podB/c",
                "/x killed as a result of limit of /kubepods/podB",
                "/,task=y",
                "/,pid=1,uid=0",
                "/x,task_memcg=",
                "/ are going to be killed due to memory.oom.group set"
            })
    void namesOfCgroups(String below) {
        for (String limit : List.of(LIMIT, OWN, OWN + below)) {
            for (String line : List.of(
                    summary(limit, OWN + below, "x", 7),
                    summary(limit, OWN + below, "x", 7).replace("oom_memcg=" + limit, "global_oom"),
                    "Task in " + OWN + below + " killed as a result of limit of " + limit)) {
                List<OomKill> kills = killsIn(line, killed(7, "x"), KernelSays.group(OWN + below), killed(8, "y"));
                assertEquals(2, kills.size());
                kills.forEach(kill -> {
                    if (kill.taskMemcg() != null) {
                        assertEquals(OWN, kill.taskMemcg().substring(0, OWN.length()), line);
                    }
                    if (kill.oomMemcg() != null) {
                        assertEquals(LIMIT, kill.oomMemcg().substring(0, LIMIT.length()), line);
                    }
                });
            }
        }
    }

    /** The name of a cpuset stands before everything else, but has no slash. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x,mems_allowed=0,oom_memcg=",
                "x,mems_allowed=0,global_oom,task_memcg=",
                "x,global_oom,task_memcg=y,task=z,pid=7,uid=0",
                "x,oom_memcg=y,task_memcg=y,task=x,pid=7,uid=0"
            })
    void namesOfCpusets(String name) {
        String line = summary(LIMIT, OWN, "x", 7).replaceFirst("cpuset=[^,]*", "cpuset=" + name);
        OomKill kill = killsIn(line, killed(7, "x")).get(0);
        assertEquals(LIMIT, kill.oomMemcg());
        assertEquals(OWN, kill.taskMemcg());
    }

    @Test
    void namesOfSystemd() {
        String path = "/machine.slice/machine-qemu\\x2d1.scope" + OWN;
        OomKill kill = killsIn(summary(escaped(path), escaped(path), "x", 7), killed(7, "x"))
                .get(0);
        assertEquals(path, kill.taskMemcg());
        assertEquals(path, kill.oomMemcg());
    }

    /** Whatever a container's names are made of: it is never another's process that was killed, nor another's limit. */
    @Test
    void randomNames() {
        Random random = Seed.random(getClass());
        String[] pieces = {
            ",task=",
            ",pid=",
            ",uid=",
            "7",
            "8",
            ",task_memcg=",
            ",oom_memcg=",
            ",global_oom",
            OTHER,
            "/",
            "x",
            ")",
            " total-vm:",
            " killed as a result of limit of ",
            "Killed process ",
            "\\x0a",
            "(",
            "/kubepods"
        };
        for (int round = 0; round < 20_000; round++) {
            String below = "/" + some(random, pieces, 10);
            String command = some(random, pieces, 3);
            if (!EscapedText.canBeCommand(EscapedText.word(command), 0, command.length())) {
                command = "x";
            }
            String path = OWN + below;
            String limit = random.nextBoolean() ? LIMIT : path;
            String line = random.nextInt(4) == 0
                    ? "Task in " + path + " killed as a result of limit of " + limit
                    : summary(limit, path, command, 7);
            if (random.nextInt(4) == 0) {
                line = line.replace("oom_memcg=" + limit + ",task_memcg=" + path, "global_oom,task_memcg=" + path);
            }
            for (OomKill kill : killsIn(line, killed(7, command))) {
                assertEquals(7, kill.pid());
                String shown = line;
                assertFalse(kill.taskMemcg() != null && !kill.taskMemcg().startsWith(OWN), () -> shown);
                assertFalse(kill.oomMemcg() != null && !kill.oomMemcg().startsWith(LIMIT), () -> shown);
            }
        }
    }

    private static String some(Random random, String[] pieces, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }
}
