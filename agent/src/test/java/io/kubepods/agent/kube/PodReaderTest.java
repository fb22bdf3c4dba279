package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodResources;
import io.kubepods.kubelet.Quantities;
import io.kubepods.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodReaderTest {
    private static final String A = "a".repeat(64);
    private static final String B = "b".repeat(64);
    private static final String C = "c".repeat(64);

    private static Pod read(String yaml) {
        String whole = "apiVersion: v1\nkind: Pod\nmetadata: {name: api-0, namespace: shop, uid: u}\n" + yaml;
        io.fabric8.kubernetes.api.model.Pod pod =
                new KubernetesSerialization().unmarshal(whole, io.fabric8.kubernetes.api.model.Pod.class);
        return PodReader.read(pod).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "containers: [{name: api}]                                        > api",
                "containers: [{name: api}, {name: log}]                           > ''",
                "{containers: [{name: api}], initContainers: [{name: wait}]}      > ''",
                "{containers: [{name: api}], ephemeralContainers: [{name: shell}]} > ''",
            })
    void theOnlyContainerOfAPod(String spec, String only) {
        assertEquals(
                only,
                read("spec: " + (spec.startsWith("{") ? spec : "{" + spec + "}"))
                        .info()
                        .onlyContainer());
    }

    @Test
    void whatIsToldOfAPod() {
        assertEquals(
                new Pod.Info(
                        "Burstable",
                        new PodPriority(1_000, "high", false),
                        "",
                        false,
                        null,
                        new PodResources(
                                new Quantities(350, 201L << 20), new Quantities(Quantities.ABSENT, 257L << 20))),
                read("""
                        spec:
                          priorityClassName: high
                          priority: 1000
                          overhead: {memory: 1Mi}
                          initContainers:
                          - name: sidecar
                            restartPolicy: Always
                            resources: {requests: {cpu: 50m, memory: 50Mi}, limits: {memory: 128Mi}}
                          containers:
                          - name: api
                            resources: {requests: {cpu: "0.3", memory: 150Mi}, limits: {memory: 128Mi}}
                        status: {qosClass: Burstable}
                        """).info());
        assertEquals(Pod.Info.UNKNOWN, read("status: {}").info());
        assertEquals(
                Pod.Info.UNKNOWN,
                read("spec: {containers: [{name: api}, {name: log}]}").info());
    }

    @Test
    void aResizeThatIsPendingHasNotHappened() {
        assertEquals(
                new PodResources(new Quantities(1_100, 1L << 30), new Quantities(128_000, 1L << 40)),
                read("""
                        spec:
                          initContainers:
                          - name: sidecar
                            restartPolicy: Always
                            resources: {requests: {cpu: "8", memory: 2Gi}, limits: {cpu: "64", memory: 512Gi}}
                          containers:
                          - {name: a, resources: {requests: {cpu: "64", memory: 512Gi}, limits: {cpu: "64", memory: 512Gi}}}
                        status:
                          conditions: [{type: PodResizePending, status: "True", reason: Infeasible}]
                          initContainerStatuses: [{name: sidecar, allocatedResources: {cpu: 100m}}]
                          containerStatuses: [null, {name: a, allocatedResources: {cpu: "1", memory: 1Gi}}]
                        """).info().resources());
    }

    @Test
    void aResizeOfAPodAsAWholeThatIsPendingHasNotHappened() {
        assertEquals(
                new Quantities(1_500, 3L << 30),
                read("""
                        spec:
                          resources: {requests: {cpu: "64"}}
                          overhead: {cpu: 500m, memory: 1Gi}
                          containers: [{name: a, resources: {requests: {cpu: "1", memory: 2Gi}}}]
                        status: {allocatedResources: {cpu: "1", memory: 9Gi}}
                        """).info().resources().requests(),
                "memory is the sum of the containers'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{name: b, allocatedResources: {cpu: 2}}", "{name: a, allocatedResources: {}}"})
    void withoutAStatusTheSpecsRequestsCount(String status) {
        assertEquals(
                new Quantities(1_000, Quantities.ABSENT),
                read("""
                        spec: {containers: [{name: a, resources: {requests: {cpu: "1"}}}]}
                        status: {containerStatuses: [%s]}
                        """.formatted(status)).info().resources().requests());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "phase: Pending                                                                          > true",
                "phase: Running                                                                          > false",
                "containerStatuses: [{name: a, state: {waiting: {reason: ContainerCreating}}}]           > true",
                "containerStatuses: [{name: a, state: {terminated: {exitCode: 1}}}, null]                > true",
                "containerStatuses: [{name: a, state: {waiting: {}}}, {name: b, state: {running: {}}}]   > false",
                "phase: Pending, initContainerStatuses: [{name: a, state: {running: {}}}]                > false",
                "containerStatuses: [{name: a, state: {waiting: {}}}], ephemeralContainerStatuses: [{name: b, state: {running: {}}}] > false",
                "containerStatuses: [{name: a}]                                                          > false",
            })
    void whetherNothingRuns(String status, boolean nothing) {
        assertEquals(nothing, read("status: {" + status + "}").info().nothingRuns());
    }

    @Test
    void whatIsToldOfAMirror() {
        assertEquals(
                new Pod.Mirror("m", true, Instant.parse("2026-03-01T10:00:00Z")),
                mirror(
                        "creationTimestamp: '2026-03-01T10:00:00Z', ownerReferences: [null, {kind: Node, controller: true}]"));
        Pod.Mirror unowned = new Pod.Mirror("m", false, null);
        assertEquals(unowned, mirror("creationTimestamp: null"));
        assertEquals(unowned, mirror("ownerReferences: [{kind: Node}]"), "it does not control it");
        assertEquals(unowned, mirror("ownerReferences: [{kind: ReplicaSet, controller: true}]"));
    }

    private static Pod.@Nullable Mirror mirror(String more) {
        String whole = "apiVersion: v1\nkind: Pod\nmetadata: {name: etcd, namespace: shop, uid: m, "
                + "annotations: {kubernetes.io/config.mirror: hash}, " + more + "}\n";
        Pod pod = PodReader.read(
                        new KubernetesSerialization().unmarshal(whole, io.fabric8.kubernetes.api.model.Pod.class))
                .orElseThrow();
        assertEquals("hash", pod.uid());
        assertEquals("m", pod.apiUid());
        return pod.info().mirror();
    }

    @Test
    void whatIsToldOfAContainer() {
        Map<String, Pod.Container> containers = read("""
                status:
                  containerStatuses:
                  - name: api
                    containerID: containerd://%s
                    image: shop/api:1
                    imageID: shop/api@sha256:12
                    state: {running: {startedAt: "2026-03-01T10:00:00Z"}}
                    lastState: {terminated: {containerID: "containerd://%s", startedAt: "2026-03-01T09:00:00Z"}}
                  - name: job
                    containerID: cri-o://%s
                    state: {terminated: {containerID: "cri-o://%s", startedAt: null}}
                """.formatted(A, B, C, C)).containers();
        assertEquals(
                Map.of(
                        A,
                        new Pod.Container(
                                "api",
                                true,
                                "shop/api:1",
                                "shop/api@sha256:12",
                                "containerd",
                                Instant.parse("2026-03-01T10:00:00Z")),
                        B,
                        new Pod.Container("api", false, "", "", "containerd", Instant.parse("2026-03-01T09:00:00Z")),
                        C,
                        new Pod.Container("job", true, "", "", "cri-o", null)),
                containers);
    }

    @Test
    void aContainerThatWaitsForItsRestartIsStillFound() {
        Map<String, Pod.Container> containers = read("""
                status:
                  containerStatuses:
                  - name: api
                    state: {waiting: {reason: CrashLoopBackOff}}
                    lastState: {terminated: {containerID: "containerd://%s"}}
                """.formatted(A)).containers();
        assertEquals("api", Objects.requireNonNull(containers.get(A)).name());
    }

    @Test
    void aContainerThatWaitsForItsRestartKeepsTheStartOfTheInstanceThatEnded() {
        Map<String, Pod.Container> containers = read("""
                status:
                  containerStatuses:
                  - name: api
                    containerID: containerd://%s
                    image: shop/api:1
                    state: {waiting: {reason: CrashLoopBackOff}}
                    lastState: {terminated: {containerID: "containerd://%s", startedAt: "2026-03-01T09:00:00Z"}}
                """.formatted(A, A)).containers();
        assertEquals(
                Map.of(
                        A,
                        new Pod.Container(
                                "api", true, "shop/api:1", "", "containerd", Instant.parse("2026-03-01T09:00:00Z"))),
                containers);
    }

    @ParameterizedTest
    @CsvSource({
        "0.1Gi, 214748365", // of 107374182.4
        "100m, 1",
        "100n, 1",
        "1e-3, 1",
        "1e-999999999, 1",
        "1500, 3000",
        "1e3, 2000",
        "0, 0",
        "12E, 144115188075855872",
        "1e999999999, 144115188075855872",
        "-1, -1",
    })
    void twiceAQuantity(String memory, long together) {
        String container = "{name: a, resources: {requests: {memory: '" + memory + "'}}}";
        assertEquals(
                new Quantities(Quantities.ABSENT, together),
                read("spec: {containers: [" + container + ", " + container + "]}")
                        .info()
                        .resources()
                        .requests());
    }

    @Test
    void quantitiesAreRoundedUpAndNonsenseIsAbsent() {
        Pod.Info info = read("""
                spec:
                  containers:
                  - name: api
                    resources: {requests: {cpu: 100u, memory: 1500m}, limits: {cpu: lots, memory: -1}}
                """).info();
        assertEquals(new PodResources(new Quantities(1, 2), Quantities.NONE), info.resources());
    }
}
