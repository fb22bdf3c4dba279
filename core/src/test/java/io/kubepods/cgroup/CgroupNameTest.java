package io.kubepods.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.Seed;
import io.kubepods.cgroup.CgroupName.Role;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths as container runtimes and the kubelet make them; in the tables U and V stand for the two spellings of a uid, H for a hash, C and N for ids. */
class CgroupNameTest {
    private static final String UID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
    private static final String HASH = "90f346ae82f32bb7eb3fd979ce01bafd";
    private static final String ID = "1".repeat(64);
    private static final String NODE_ID = "d8e53b841d5686227f1033753af615303c23cbd76ac1d80d945deae762bd45d7";

    private static CgroupName of(String path) {
        return of(path, CgroupName::ofPath);
    }

    private static CgroupName of(String path, Function<String, CgroupName> naming) {
        return naming.apply(path.replace("{U}", UID)
                .replace("{V}", UID.replace('-', '_'))
                .replace("{H}", HASH)
                .replace("{C}", ID)
                .replace("{N}", NODE_ID));
    }

    private static void isContainer(CgroupName name, QosClass qos, boolean systemd, String uid, String runtime) {
        assertEquals(new CgroupName(Role.CONTAINER, qos, systemd, uid, runtime, ID), name);
    }

    @ParameterizedTest
    @CsvSource({
        // the systemd driver
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, BURSTABLE, containerd",
        "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod{V}.slice/cri-containerd-{C}.scope, BESTEFFORT, containerd",
        "/kubepods.slice/kubepods-pod{V}.slice/cri-containerd-{C}.scope, GUARANTEED, containerd",
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/crio-{C}.scope, BURSTABLE, crio",
        "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod{V}.slice/docker-{C}.scope, BESTEFFORT, docker",
        "/kubepods.slice/kubepods-pod{V}.slice/libpod-{C}.scope, GUARANTEED, libpod",
        "/kubepods.slice/kubepods-pod{V}.slice/kata_{C}, GUARANTEED, kata",
        "/kubepods.slice/kubepods-pod{V}.slice/{C}.scope, GUARANTEED, ''",
        // kind, minikube, --cgroup-root=/pods, LXC
        "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, BURSTABLE, containerd",
        "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod{V}.slice/cri-containerd-{C}.scope, GUARANTEED, containerd",
        "/system.slice/docker-{N}.scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/kubelet-kubepods-besteffort-pod{V}.slice/cri-containerd-{C}.scope, BESTEFFORT, containerd",
        "/docker/{N}/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/docker-{C}.scope, BURSTABLE, docker",
        "/pods.slice/pods-kubepods.slice/pods-kubepods-burstable.slice/pods-kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, BURSTABLE, containerd",
        "/lxc.payload.xx-lxc/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, BURSTABLE, containerd",
        "/../../kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, BURSTABLE, containerd",
        // the kubelet's driver is systemd, the runtime's is not
        "/system.slice/containerd.service/kubepods-burstable-pod{V}.slice:cri-containerd:{C}, BURSTABLE, containerd",
        "/kubepods-besteffort-pod{V}.slice:cri-containerd:{C}, BESTEFFORT, containerd",
        "/kubepods-pod{V}.slice:cri-containerd:{C}, GUARANTEED, containerd",
        "/kubelet-kubepods-burstable-pod{V}.slice:cri-containerd:{C}, BURSTABLE, containerd",
    })
    void containersUnderSystemd(String path, QosClass qos, String runtime) {
        isContainer(of(path), qos, true, UID, runtime);
    }

    @ParameterizedTest
    @CsvSource({
        "/kubepods/burstable/pod{U}/{C}, BURSTABLE, ''",
        "/kubepods/besteffort/pod{U}/{C}, BESTEFFORT, ''",
        "/kubepods/pod{U}/{C}, GUARANTEED, ''",
        "/kubepods/burstable/pod{U}/crio-{C}, BURSTABLE, crio",
        "/kubelet/kubepods/burstable/pod{U}/{C}, BURSTABLE, ''",
        "/docker/{N}/kubelet/kubepods/besteffort/pod{U}/{C}, BESTEFFORT, ''",
    })
    void containersUnderCgroupfs(String path, QosClass qos, String runtime) {
        isContainer(of(path), qos, false, UID, runtime);
    }

    @ParameterizedTest
    @CsvSource({
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{H}.slice/cri-containerd-{C}.scope, true, containerd",
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{H}.slice/cri-containerd-{C}, true, containerd",
        "/kubepods/burstable/pod{H}/{C}, false, ''",
    })
    void staticPodsAreKnownByTheirHash(String path, boolean systemd, String runtime) {
        isContainer(of(path), QosClass.BURSTABLE, systemd, HASH, runtime);
    }

    @Test
    void aStaticPodOfAKindNode() {
        CgroupName name = CgroupName.ofPath("/system.slice/docker-" + NODE_ID
                + ".scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/"
                + "kubelet-kubepods-burstable-pod588744906cc8cddfe0e55a8e982a35a9.slice/"
                + "cri-containerd-ab82c2630c10ab4cb7e399e4a6d7f2b82a4ab2c52e694c948df43057c17386e3.scope");
        assertEquals(
                new CgroupName(
                        Role.CONTAINER,
                        QosClass.BURSTABLE,
                        true,
                        "588744906cc8cddfe0e55a8e982a35a9",
                        "containerd",
                        "ab82c2630c10ab4cb7e399e4a6d7f2b82a4ab2c52e694c948df43057c17386e3"),
                name);
    }

    @ParameterizedTest
    @CsvSource({
        "/kubepods, KUBEPODS",
        "/kubepods.slice, KUBEPODS",
        "/kubelet.slice/kubelet-kubepods.slice, KUBEPODS",
        "/a-b-kubepods.slice, KUBEPODS",
        "/kubelet.slice, OUTSIDE",
        "/kubelet, OUTSIDE",
        "/mykubepods, OUTSIDE",
        "/kubepods.slice.old, OUTSIDE",
        "/mykubepods.slice, OUTSIDE",
        "/system.slice, OUTSIDE",
        "/system.slice/k3s.service, OUTSIDE",
        "/podruntime/kubelet, OUTSIDE",
        "/azure.slice, OUTSIDE",
        "/system.slice/crio-conmon-{C}.scope, OUTSIDE",
        "/docker/{C}, OUTSIDE",
        "/system.slice/docker-{N}.scope, OUTSIDE",
        "/, OUTSIDE",
        "'', OUTSIDE",
        "/.., OUTSIDE",
        "/../cri-containerd-{C}.scope, OUTSIDE",
        "0::/, OUTSIDE",
        "/system.slice/run-containerd-io.containerd.runtime.v1.linux-k8s.io-{C}-rootfs.mount, OUTSIDE",
        "/system.slice/var-lib-docker-overlay2-{C}-merged.mount, OUTSIDE",
        "/kubepods.slice/kubepods-burstable.slice, QOS",
        "/kubepods.slice/kubepods-besteffort.slice, QOS",
        "/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice, QOS",
        "/kubepods/burstable, QOS",
        "/kubepods/besteffort, QOS",
        "/kubepods/guaranteed, UNKNOWN",
        "/kubepods/burstable2, UNKNOWN",
        "/kubepods.slice/stray.scope, UNKNOWN",
        "/kubepods.slice/{C}, UNKNOWN",
        "/kubepods.slice/cri-containerd-{C}.scope, UNKNOWN",
        "/kubepods/burstable/{C}, UNKNOWN",
        "/kubepods/burstable/besteffort, UNKNOWN",
        "/kubepods.slice/stray.scope/kubepods-pod{V}.slice, UNKNOWN",
        "/kubepods/pod{U}, POD",
        "/kubepods/burstable/pod{U}, POD",
        "/kubepods/burstable/pod{H}, POD",
        "/kubepods.slice/kubepods-pod{V}.slice, POD",
        "/kubepods.slice/kubepods-pod{U}.slice, POD",
        "/kubepods/pod{U}x, UNKNOWN",
        "/kubepods/pod{H}0, UNKNOWN",
        "/kubepods/pod, UNKNOWN",
        "/kubepods/pod1234, UNKNOWN",
        "/kubepods/Pod{U}, UNKNOWN",
        "/kubepods/pod{U}.scope, UNKNOWN",
        "/kubepods/pod{U}/{C}0, UNKNOWN",
        "/kubepods/pod{U}/x{C}, UNKNOWN",
        "/kubepods/pod{U}/youki-{C}.scope, UNKNOWN",
        "/kubepods/pod{U}/pod{U}, UNKNOWN",
        "/kubepods/pod{U}/sub.slice, UNKNOWN",
        "/kubepods/pod{U}/unknown/{C}, UNKNOWN",
        // a runtime's own
        "/kubepods/pod{U}/crio-conmon-{C}, RUNTIME",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-conmon-{C}.scope, RUNTIME",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.mount, RUNTIME",
        "/kubepods.slice/kubepods-pod{V}.slice/{C}.service, RUNTIME",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}, RUNTIME",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}/{C}, RUNTIME",
        "/kubepods/pod{U}/crio-{C}, CONTAINER",
        // below a container
        "/kubepods/pod{U}/crio-{C}/container, INNER",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container, INNER",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container/exec, NESTED",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container/init.scope, NESTED",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container/container, NESTED",
        "/kubepods.slice/kubepods-pod{V}.slice/cri-containerd-{C}.scope/docker/{N}, NESTED",
        "/kubepods.slice/kubepods-pod{V}.slice/docker-{C}.scope/kube-proxy, NESTED",
        "/kubepods.slice/kubepods-pod{V}.slice/docker-{C}.scope/kubelet.slice/kubelet-kubepods.slice, NESTED",
        "/kubepods.slice/kubepods-pod{V}.slice/docker-{C}.scope/kubepods/pod{U}/{N}, NESTED",
        // a container removed under a process that nobody has waited for
        "/kubepods.slice/kubepods-pod{V}.slice/docker-{C}.scope (deleted), UNKNOWN",
        // like the mixed form, and not
        "/kubepods-pod{V}.slice:cri-containerd:x, OUTSIDE",
        "/kubepods-pod{V}.slice:cri-containerd, OUTSIDE",
        "/kubepods-pod{V}.slice:{C}, OUTSIDE",
        "/kubepods-pod{V}.slice:cri-containerd:{C}:x, OUTSIDE",
        "/kubepods.slice:cri-containerd:{C}, OUTSIDE",
        "/:cri-containerd:{C}, OUTSIDE",
        "/kubepods-pod{V}.slice:cri-containerd:{C}/container, INNER",
        "/kubepods-pod{V}.slice:cri-containerd:{C}/x, NESTED",
    })
    void roles(String path, Role role) {
        assertEquals(role, of(path).role(), path);
    }

    /** As {@code /proc/PID/cgroup} and the kernel's log have them, the latter after its escapes. */
    @ParameterizedTest
    @CsvSource({
        // a container, under whatever the node itself is in
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, CONTAINER",
        "/docker/{N}/kubelet/kubepods/besteffort/pod{U}/{C}, CONTAINER",
        "/docker/{N}/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod{V}.slice/cri-containerd-{C}.scope, CONTAINER",
        "/docker/{N}/kubepods.slice/kubepods-pod{V}.slice/docker-{C}.scope, CONTAINER",
        "/machine.slice/machine-qemu\\x2d1\\x2dnode.scope/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope, CONTAINER",
        "/machine.slice/systemd-nspawn@a\\x2db.service/payload/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope, CONTAINER",
        "/lxc.payload.xx-lxc/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope, CONTAINER",
        // below it
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container, INNER",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container/exec, INNER",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container/system.slice/x\\x2dy.service, INNER",
        "/kubepods.slice/kubepods-pod{V}.slice/cri-containerd-{C}.scope/docker/{N}, CONTAINER",
        "/kubepods.slice/kubepods-pod{V}.slice/cri-containerd-{C}.scope/kubepods/pod{U}/{N}, CONTAINER",
        "/kubepods-pod{V}.slice:cri-containerd:{C}/x, CONTAINER",
        // beside it
        "/kubepods.slice/kubepods-pod{V}.slice, POD",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-conmon-{C}.scope, POD",
        "/kubepods.slice/kubepods-pod{V}.slice/crio-{C}, POD",
        "/kubepods.slice/kubepods-pod{V}.slice/youki-{C}.scope/x, POD",
        "/kubepods.slice/kubepods-pod{V}.slice/cri-containerd-{C}.scope (deleted), POD",
        "/kubepods.slice/kubepods-burstable.slice/stray.scope, QOS",
        "/kubepods.slice/stray.scope/kubepods-pod{V}.slice, KUBEPODS",
        "/../cri-containerd-{C}.scope, OUTSIDE",
        "/system.slice/k3s.service, OUTSIDE",
        "/system.slice/run-containerd-io.containerd.runtime.v1.linux-k8s.io-{C}-rootfs.mount, OUTSIDE",
        "/docker/{N}, OUTSIDE",
        "/, OUTSIDE",
        "'', OUTSIDE",
    })
    void whoseAPathIs(String path, Role role) {
        CgroupName owner = of(path, CgroupName::ownerOf);
        assertEquals(role, owner.role(), path);
        boolean inContainer = role == Role.CONTAINER || role == Role.INNER;
        assertEquals(inContainer ? ID : null, owner.containerId(), path);
        assertEquals(inContainer || role == Role.POD ? UID : null, owner.podUid(), path);
    }

    /** The vectors of /proc/PID/cgroup and of the kernel's log, as text and what it names. */
    @ParameterizedTest
    @CsvSource({
        // V27: a process that nobody has waited for, whose container has gone
        "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/cri-containerd-{C}.scope (deleted), UNKNOWN, POD",
        // V28, V29: a sibling and oneself, seen from a cgroup namespace of one's own
        "0::/../cri-containerd-{C}.scope, OUTSIDE, OUTSIDE",
        "0::/, OUTSIDE, OUTSIDE",
        // V30 is aStaticPodOfAKindNode; V32: crun's second level, CRI-O's conmon, a dropped sandbox
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/crio-{C}.scope/container, INNER, INNER",
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/crio-conmon-{C}.scope, RUNTIME, POD",
        "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/crio-{C}, RUNTIME, POD",
        // V33: two drivers
        "/system.slice/containerd.service/kubepods-burstable-pod{V}.slice:cri-containerd:{C}, CONTAINER, CONTAINER",
        // V34: a mount
        "/system.slice/run-containerd-io.containerd.runtime.v1.linux-k8s.io-{C}-rootfs.mount, OUTSIDE, OUTSIDE",
    })
    void vectorsV27ToV34(String path, Role role, Role owner) {
        assertEquals(role, of(path).role());
        assertEquals(owner, of(path, CgroupName::ownerOf).role());
    }

    @ParameterizedTest
    @CsvSource({
        "/kubepods, ",
        "/kubepods/burstable, BURSTABLE",
        "/kubepods/besteffort, BESTEFFORT",
        "/kubepods/pod{U}, GUARANTEED",
        "/kubepods/burstable/pod{U}, BURSTABLE",
        "/kubepods/burstable/kubepods-besteffort-pod{V}.slice, BESTEFFORT"
    })
    void qos(String path, QosClass qos) {
        assertEquals(qos, of(path).qos());
    }

    @Test
    void whatIsNoContainerHasNoId() {
        CgroupName pod = of("/kubepods.slice/kubepods-pod{V}.slice");
        assertEquals(UID, pod.podUid());
        assertNull(pod.containerId());
        assertNull(pod.runtime());
        CgroupName nested = of("/kubepods.slice/kubepods-pod{V}.slice/crio-{C}.scope/container/exec");
        assertNull(nested.podUid());
        assertNull(nested.containerId());
    }

    @Test
    void theInnerCgroupIsItsContainers() {
        CgroupName inner =
                of("/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod{V}.slice/crio-{C}.scope/container");
        assertEquals(new CgroupName(Role.INNER, QosClass.BURSTABLE, true, UID, "crio", ID), inner);
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "g", " ", "١"})
    void onlyLowerCaseHexDigits(String digit) {
        assertEquals(
                Role.UNKNOWN, of("/kubepods/pod{U}/" + digit + "1".repeat(63)).role());
        assertEquals(Role.UNKNOWN, of("/kubepods/pod" + digit + "0".repeat(31)).role());
    }

    @Test
    void anyNameHasSomeRole() {
        Random random = Seed.random(getClass());
        String[] known = {
            "kubepods", "burstable", "pod" + UID, ID, "container", ":", "/", "-", ".slice", ".scope", "crio", "\n", "\0"
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder path = new StringBuilder();
            for (int parts = random.nextInt(12); parts > 0; parts--) {
                path.append(known[random.nextInt(known.length)]);
            }
            CgroupName name = CgroupName.ofPath(path.toString());
            boolean inContainer = name.role() == Role.CONTAINER || name.role() == Role.INNER;
            assertEquals(inContainer, name.containerId() != null, path.toString());
            assertEquals(inContainer || name.role() == Role.POD, name.podUid() != null, path.toString());
            CgroupName owner = CgroupName.ownerOf(path.toString());
            assertEquals(name.role() == Role.NESTED || inContainer, owner.containerId() != null, path.toString());
            assertTrue(!inContainer || owner.equals(name), path.toString());
        }
    }
}
