package io.kubepods.oom;

import io.kubepods.cgroup.Value;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One OOM that killed something in a pod.
 *
 * @param time when its kills were read, up to a tick after they happened
 * @param namespace "" when the API had not named the pod
 * @param pod its name, or its uid
 * @param container its name, or the first 12 digits of its id; "" when no container can be named for it
 * @param containerId "" when it is not known
 * @param kills processes killed, as the kernel counts; {@link Value#ABSENT} when several OOMs came together
 * @param limitBytes the limit that was hit; {@link Value#ABSENT} when it is not known, or was the node's own memory
 * @param victim the process that the kernel chose, by its log; null without
 */
public record OomIncident(
        Instant time,
        String namespace,
        String pod,
        String podUid,
        String container,
        String containerId,
        OomCause cause,
        long kills,
        long limitBytes,
        @Nullable OomKill victim) {
    private static final String[] UNITS = {" bytes", "Ki", "Mi", "Gi", "Ti"};
    private static final int BITS_OF_A_UNIT = 10;

    /** One line for people. */
    public String sentence() {
        StringBuilder text = new StringBuilder("OOM kill in ");
        if (pod.isEmpty()) {
            text.append("a pod that is gone");
        } else {
            text.append(namespace.isEmpty() ? "" : namespace + "/").append(pod);
            text.append(container.isEmpty() ? ", in no container that can be named" : "/" + container);
        }
        text.append(": ").append(reason());
        if (Value.isNumber(kills)) {
            text.append(", ").append(kills).append(kills == 1 ? " kill counted" : " kills counted");
        }
        if (victim != null) {
            appendVictim(text, victim);
        }
        return text.append('.').toString();
    }

    /** Whose limit was reached, and which it is. */
    public String reason() {
        String reason = switch (cause) {
            case CONTAINER_LIMIT -> "the container reached its memory limit";
            case POD_LIMIT -> "the pod reached its memory limit";
            case QOS_LIMIT -> "the pods of its QoS class reached their common memory limit";
            case NODE_ALLOCATABLE -> "all pods together reached the node's allocatable memory";
            case NODE -> "the node ran out of memory";
            case UNKNOWN -> "nothing tells whose limit was reached";
        };
        return Value.isNumber(limitBytes) ? reason + " of " + amount(limitBytes) : reason;
    }

    private static void appendVictim(StringBuilder text, OomKill victim) {
        OomMemory memory = victim.memory();
        if (memory != null) {
            text.append("; charged were ").append(amount(memory.usage()));
            appendPart(text, "anon", memory.anon());
            appendPart(text, "file", memory.file());
            appendPart(text, "of that shmem", memory.shmem());
            appendPart(text, "kernel", memory.kernel());
        }
        text.append("; the victim was process ").append(victim.pid());
        text.append(" (").append(victim.command()).append(")");
        appendPart(text, "anon-rss", victim.anonRss());
        if (victim.oomScoreAdj() != Value.ABSENT) {
            text.append(", oom_score_adj ").append(victim.oomScoreAdj());
        }
    }

    private static void appendPart(StringBuilder text, String name, long bytes) {
        if (Value.isNumber(bytes)) {
            text.append(", ").append(name).append(' ').append(amount(bytes));
        }
    }

    /** As in a pod's spec: in the largest unit that is exact. */
    private static String amount(long bytes) {
        if (bytes == 0) {
            return "0";
        }
        int unit = Math.min(UNITS.length - 1, Long.numberOfTrailingZeros(bytes) / BITS_OF_A_UNIT);
        return (bytes >> (unit * BITS_OF_A_UNIT)) + UNITS[unit];
    }
}
