package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import io.kubepods.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodsFileTest {
    private static final String UID = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
    private static final String NEW = "1".repeat(64);
    private static final String OLD = "2".repeat(64);

    @TempDir
    private Path directory;

    private static String list(String pods) {
        return "apiVersion: v1\nkind: List\nitems:\n" + pods;
    }

    private static String pod(String name, String more) {
        return """
                - apiVersion: v1
                  kind: Pod
                  metadata:
                    name: %s
                    namespace: shop
                    uid: %s
                %s""".formatted(name, UID, more);
    }

    private static Pod.Container of(String name, boolean current, String runtime) {
        return new Pod.Container(name, current, "", "", runtime, null);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("pods"), text);
    }

    private static PodsFile open(Path path) throws IOException {
        return PodsFile.open(path, "");
    }

    @Test
    void readsContainersOfEveryKindAndState() throws IOException {
        PodsFile file = open(write(list(pod("api-0", """
                  status:
                    initContainerStatuses:
                    - {name: sidecar, containerID: "cri-o://%s"}
                    containerStatuses:
                    - name: api
                      containerID: containerd://%s
                      lastState: {terminated: {containerID: "containerd://%s"}}
                    - name: not-made-yet
                    ephemeralContainerStatuses:
                    - {name: debug, containerID: "%s"}
                """.formatted("3".repeat(64), NEW, OLD, "4".repeat(64))))));
        assertEquals(
                new Pod(
                        UID,
                        "shop",
                        "api-0",
                        Map.of(
                                "3".repeat(64),
                                of("sidecar", true, "cri-o"),
                                NEW,
                                of("api", true, "containerd"),
                                OLD,
                                of("api", false, "containerd"),
                                "4".repeat(64),
                                of("debug", true, ""))),
                file.find(UID));
    }

    @Test
    void findsAStaticPodByTheHashOfItsMirror() throws IOException {
        PodsFile file = open(write(list("""
                - apiVersion: v1
                  kind: Pod
                  metadata:
                    name: etcd-node
                    namespace: kube-system
                    uid: %s
                    annotations: {kubernetes.io/config.mirror: 90f346ae82f32bb7eb3fd979ce01bafd}
                """.formatted(UID))));
        assertNull(file.find(UID));
        assertEquals(
                new Pod(
                        "90f346ae82f32bb7eb3fd979ce01bafd",
                        "kube-system",
                        "etcd-node",
                        Map.of(),
                        new Pod.Info(
                                "",
                                new PodPriority(0, "", true),
                                "",
                                false,
                                new Pod.Mirror(UID, false, null),
                                PodResources.NONE)),
                file.find("90f346ae82f32bb7eb3fd979ce01bafd"));
    }

    @Test
    void readsAPodListAndSkipsWhatIsNoPod() throws IOException {
        String text = "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":["
                + "{\"metadata\":{\"name\":\"api-0\",\"namespace\":\"shop\",\"uid\":\"" + UID + "\"}},"
                + "{\"metadata\":{\"name\":\"no-uid\",\"namespace\":\"shop\"}},"
                + "{\"metadata\":{}}]}";
        assertEquals(new Pod(UID, "shop", "api-0", Map.of()), open(write(text)).find(UID));
        String mixed = list("- {apiVersion: v1, kind: Service, metadata: {name: api}}\n" + pod("api-1", ""));
        assertEquals(new Pod(UID, "shop", "api-1", Map.of()), open(write(mixed)).find(UID));
    }

    @Test
    void isReadAgainWhenItChanges() throws IOException {
        PodsFile file = open(write(list(pod("api-0", ""))));
        long generation = file.generation();
        file.refresh();
        assertEquals(generation, file.generation());

        write(list(pod("another-name", "")));
        file.refresh();
        assertNotEquals(generation, file.generation());
        assertEquals(new Pod(UID, "shop", "another-name", Map.of()), file.find(UID));
        assertEquals(0, file.errors());
    }

    @Test
    void keepsTheLastGoodOneWhenItTurnsBadAndCountsIt() throws IOException {
        PodsFile file = open(write(list(pod("api-0", ""))));
        write("items: [");
        file.refresh();
        file.refresh();
        assertEquals(1, file.errors());
        Files.delete(directory.resolve("pods"));
        file.refresh();
        assertEquals(2, file.errors());
        assertEquals(new Pod(UID, "shop", "api-0", Map.of()), file.find(UID));

        write(list(pod("api-1", "")));
        file.refresh();
        assertEquals(new Pod(UID, "shop", "api-1", Map.of()), file.find(UID));
    }

    @Test
    void nobodyTakesAnothersNameByCallingHimselfItsMirror() throws IOException {
        String impostor = """
                - apiVersion: v1
                  kind: Pod
                  metadata:
                    name: evil
                    namespace: evil
                    uid: 99999999-4e5f-6071-8293-a4b5c6d7e8f9
                    annotations: {kubernetes.io/config.mirror: %s}
                """.formatted(UID);
        for (String pods : List.of(impostor + pod("api-0", ""), pod("api-0", "") + impostor)) {
            assertEquals(
                    new Pod(UID, "shop", "api-0", Map.of()),
                    open(write(list(pods))).find(UID));
        }
    }

    private static String mirror(int number, String node, String owner) {
        return """
                - apiVersion: v1
                  kind: Pod
                  metadata:
                    name: etcd-%s
                    namespace: kube-system
                    uid: m%d
                    annotations: {kubernetes.io/config.mirror: hash}
                    ownerReferences: [{kind: %s, controller: true}]
                  spec: {nodeName: %s}
                """.formatted(node, number, owner, node);
    }

    private @Nullable String nameOfTheStaticPod(String nodeName, String... pods) throws IOException {
        Pod found = PodsFile.open(write(list(String.join("", pods))), nodeName).find("hash");
        return found == null ? null : found.name();
    }

    @Test
    void ofStaticPodsWithOneHashThisNodesIsFound() throws IOException {
        String first = mirror(1, "n1", "Node");
        String second = mirror(2, "n2", "Node");
        assertEquals("etcd-n2", nameOfTheStaticPod("n2", first, second));
        assertEquals("etcd-n1", nameOfTheStaticPod("n1", first, second));
        assertNull(nameOfTheStaticPod("n3", first, second));
    }

    @Test
    void ofStaticPodsWithOneHashNoneIsFoundWhenNobodySaidWhichNodeThisIs() throws IOException {
        assertNull(nameOfTheStaticPod("", mirror(1, "n1", "Node"), mirror(2, "n2", "Node")));
        assertEquals("etcd-n1", nameOfTheStaticPod("", mirror(1, "n1", "Node"), mirror(2, "n1", "Node")));
        assertEquals("etcd-n2", nameOfTheStaticPod("", mirror(1, "n1", "ReplicaSet"), mirror(2, "n2", "Node")));
    }

    @Test
    void podsOfOtherNodesAreLeftOut() throws IOException {
        Path path = write(list(pod("api-0", "  spec: {nodeName: n1}\n")));
        assertNotNull(PodsFile.open(path, "n1").find(UID));
        assertNotNull(PodsFile.open(path, "").find(UID));
        assertNull(PodsFile.open(path, "n2").find(UID));
        assertNotNull(PodsFile.open(write(list(pod("api-0", ""))), "n2").find(UID), "it does not say where it is");
    }

    @Test
    void aListOfSomethingElseIsAMistakeAndAnEmptyOneIsNot() throws IOException {
        Path services = write(list("- {apiVersion: v1, kind: Service, metadata: {name: api}}\n"));
        assertThrows(IOException.class, () -> open(services));
        assertNull(open(write("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[]}"))
                .find(UID));
    }

    @Test
    void nullsAreNothing() throws IOException {
        assertNull(open(write("{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":null}"))
                .find(UID));
        PodsFile file = open(write(list(pod("api-0", """
                  spec: {containers: [null], initContainers: [null]}
                  status:
                    containerStatuses: [null, {name: api, containerID: "containerd://%s"}]
                """.formatted(NEW)))));
        Pod pod = Objects.requireNonNull(file.find(UID));
        assertEquals(Set.of(NEW), pod.containers().keySet());
    }

    @Test
    void saysInOneSentenceWhatIsWrong() throws IOException {
        Path path = write("");
        IOException empty = assertThrows(IOException.class, () -> open(path));
        assertEquals(1, String.valueOf(empty.getMessage()).lines().count());
        write("items: [");
        String broken = String.valueOf(
                assertThrows(IOException.class, () -> PodsFile.open(path, "")).getMessage());
        assertEquals(1, broken.lines().count());
        assertTrue(broken.endsWith(".") && !broken.endsWith(".."), broken);
    }

    @Test
    void yamlOfMoreThanThreeMebibytesIsRead() throws IOException {
        String pod = pod("api-0", "  status: {message: \"" + "x".repeat(4 << 20) + "\"}");
        assertEquals(
                new Pod(UID, "shop", "api-0", Map.of()),
                PodsFile.open(write(list(pod)), "").find(UID));
    }

    @Test
    void deepNestingLeavesTheLastGoodOneInForce() throws IOException {
        PodsFile file = PodsFile.open(write(list(pod("api-0", ""))), "");
        for (String nested : List.of("[".repeat(100_000), "{\"a\":".repeat(100_000), "items: " + "[".repeat(100_000))) {
            long errors = file.errors();
            write(nested);
            file.refresh();
            assertEquals(errors + 1, file.errors());
            assertEquals(new Pod(UID, "shop", "api-0", Map.of()), file.find(UID));
        }
    }
}
