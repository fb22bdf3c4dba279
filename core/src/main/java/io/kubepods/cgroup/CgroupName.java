package io.kubepods.cgroup;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a cgroup is, by its directory's name and its parent's meaning: a level of a kubepods tree as the kubelet's systemd
 * and cgroupfs drivers name it (pkg/kubelet/cm/cgroup_manager_linux.go), or a container as containerd, CRI-O, cri-dockerd
 * and Kata name theirs. No depth and no prefix is assumed: a tree begins at any directory called {@code kubepods},
 * {@code kubepods.slice} or {@code …-kubepods.slice}.
 *
 * @param role what it is
 * @param qos the QoS class of a QoS slice, a pod or a container; null elsewhere
 * @param systemd whether a pod's or container's level is named as for systemd ({@code .slice})
 * @param podUid of a pod or a container: the uid with dashes, or the 32 hex digits of a static pod
 * @param runtime of a container: containerd, crio, docker, libpod, kata, or "" where the name does not tell
 * @param containerId of a container: 64 hex digits
 */
public record CgroupName(
        Role role,
        @Nullable QosClass qos,
        boolean systemd,
        @Nullable String podUid,
        @Nullable String runtime,
        @Nullable String containerId) {

    /** What a cgroup is. */
    public enum Role {
        /** The root, or anything else outside a kubepods tree that may have one below it. */
        OUTSIDE(true),
        /** The kubelet's root for pods; Guaranteed pods are directly below. */
        KUBEPODS(true),
        /** The burstable or the besteffort slice. */
        QOS(true),
        POD(true),
        CONTAINER(true),
        /** crun's second level: {@code container} below the scope, with the same limits and all the processes. */
        INNER(false),
        /** A runtime's own: CRI-O's conmon and the empty directory of a sandbox it dropped, mounts, services. */
        RUNTIME(false),
        /** In a kubepods tree, and like nothing that is known. */
        UNKNOWN(false),
        /** Below a container, made by what runs in it: part of that container. */
        NESTED(false);

        private final boolean listed;

        Role(boolean listed) {
            this.listed = listed;
        }

        /** Whether what is below matters. */
        boolean isListed() {
            return listed;
        }
    }

    static final CgroupName OUTSIDE = new CgroupName(Role.OUTSIDE, null, false, null, null, null);
    private static final CgroupName KUBEPODS = new CgroupName(Role.KUBEPODS, null, false, null, null, null);
    private static final CgroupName RUNTIME = new CgroupName(Role.RUNTIME, null, false, null, null, null);
    private static final CgroupName UNKNOWN = new CgroupName(Role.UNKNOWN, null, false, null, null, null);
    private static final CgroupName NESTED = new CgroupName(Role.NESTED, null, false, null, null, null);

    private static final Pattern QOS_SLICE =
            Pattern.compile("(?:(?:.+-)?kubepods-)?(burstable|besteffort)(?:\\.slice)?");
    private static final Pattern POD = Pattern.compile("(?:(?:.+-)?kubepods(?:-(burstable|besteffort))?-)?"
            + "pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\\.slice)?");
    private static final Pattern CONTAINER =
            Pattern.compile("(?:(cri-containerd|crio|docker|libpod|kata)[-_])?([0-9a-f]{64})(\\.scope)?");

    /** What the directory {@code name} directly below this one is. */
    CgroupName child(String name) {
        return switch (role) {
            case OUTSIDE -> outside(name);
            case KUBEPODS -> inKubepods(name);
            case QOS -> pod(name, UNKNOWN);
            case POD -> inPod(name);
            case CONTAINER ->
                name.equals("container")
                        ? new CgroupName(Role.INNER, qos, systemd, podUid, runtime, containerId)
                        : NESTED;
            case INNER, NESTED -> NESTED;
            case RUNTIME -> RUNTIME;
            case UNKNOWN -> UNKNOWN;
        };
    }

    /**
     * What an absolute path names, as in {@code /proc/PID/cgroup} or a kernel log line, with whatever prefix of the host's
     * or of another container's.
     */
    public static CgroupName ofPath(String path) {
        return walk(path, below -> true);
    }

    /**
     * Whose an absolute path is: the container, or else the pod, slice or tree, that the path names or is somewhere below,
     * whatever is there: what runs in a container makes cgroups of its own, and a runtime has some beside it.
     */
    public static CgroupName ownerOf(String path) {
        return walk(path, below -> below.role.isListed() || below.role == Role.INNER);
    }

    /** From the root down, as far as it is to be gone into. */
    private static CgroupName walk(String path, Predicate<CgroupName> goesInto) {
        CgroupName name = OUTSIDE;
        for (String component : path.split("/", -1)) {
            if (!component.isEmpty() && !component.equals("..")) {
                CgroupName below = name.child(component);
                if (!goesInto.test(below)) {
                    return name;
                }
                name = below;
            }
        }
        return name;
    }

    private static CgroupName outside(String name) {
        if (isKubepods(name)) {
            return KUBEPODS;
        }
        return name.indexOf(':') < 0 ? OUTSIDE : misplaced(name);
    }

    private static boolean isKubepods(String name) {
        return name.equals("kubepods") || name.equals("kubepods.slice") || name.endsWith("-kubepods.slice");
    }

    private CgroupName inKubepods(String name) {
        if (isKubepods(name)) {
            return KUBEPODS; // --cgroup-root=/kubepods
        }
        Matcher matcher = QOS_SLICE.matcher(name);
        return matcher.matches()
                ? new CgroupName(Role.QOS, QosClass.of(matcher.group(1)), false, null, null, null)
                : pod(name, UNKNOWN);
    }

    private CgroupName pod(String name, CgroupName otherwise) {
        Matcher matcher = POD.matcher(name);
        if (!matcher.matches()) {
            return otherwise;
        }
        String inName = matcher.group(1);
        QosClass ofPod = inName != null ? QosClass.of(inName) : qos != null ? qos : QosClass.GUARANTEED;
        return new CgroupName(
                Role.POD, ofPod, name.endsWith(".slice"), matcher.group(2).replace('_', '-'), null, null);
    }

    private CgroupName inPod(String name) {
        if (name.startsWith("crio-conmon-") || name.endsWith(".mount") || name.endsWith(".service")) {
            return RUNTIME;
        }
        Matcher matcher = CONTAINER.matcher(name);
        if (!matcher.matches()) {
            return UNKNOWN;
        }
        String prefix = matcher.group(1);
        boolean droppedSandbox = systemd && "crio".equals(prefix) && matcher.group(3) == null;
        return droppedSandbox ? RUNTIME : container(prefix, matcher.group(2));
    }

    private CgroupName container(@Nullable String prefix, String id) {
        String byPrefix = prefix == null ? "" : prefix.equals("cri-containerd") ? "containerd" : prefix;
        return new CgroupName(Role.CONTAINER, qos, systemd, podUid, byPrefix, id);
    }

    /**
     * {@code SLICE:cri-containerd:ID}, one directory for pod and container: what containerd makes of a systemd-style parent
     * when it is not told to use systemd. It lies outside the kubepods tree, and the pod's limits do not apply to it.
     */
    private static CgroupName misplaced(String name) {
        String[] parts = name.split(":", -1);
        CgroupName pod = OUTSIDE.pod(parts[0], OUTSIDE);
        Matcher matcher = CONTAINER.matcher(parts[parts.length - 1]);
        return parts.length == 3 && pod.role == Role.POD && matcher.matches()
                ? pod.container(parts[1], matcher.group(2))
                : OUTSIDE;
    }
}
