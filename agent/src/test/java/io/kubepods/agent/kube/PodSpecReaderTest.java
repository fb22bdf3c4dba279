package io.kubepods.agent.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.kubepods.kubelet.PodPriority;
import io.kubepods.kubelet.PodSpec;
import io.kubepods.kubelet.Resize;
import io.kubepods.kubelet.Resources;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pod asks for, from its object in the API. */
class PodSpecReaderTest {
    private static PodSpec read(String yaml) {
        String whole = "apiVersion: v1\nkind: Pod\n" + yaml.replace("; ", "\n");
        Pod pod = new KubernetesSerialization().unmarshal(whole, Pod.class);
        boolean isStatic = yaml.contains("config.mirror");
        return PodSpecReader.read(pod, isStatic);
    }

    @Test
    void containersInTheirOrder() {
        PodSpec pod = read("""
                spec:
                  initContainers: [{name: wait}, null, {name: log, restartPolicy: Always}]
                  containers: [{name: api}, {}]
                """);
        assertEquals(
                List.of("wait false", "log true", "api false", " false"),
                Stream.concat(pod.initContainers().stream(), pod.containers().stream())
                        .map(each -> each.name() + " " + each.sidecar())
                        .toList());
        assertEquals(PodSpec.NONE, read("status: {}"));
    }

    @Test
    void resourcesOfThePodThatAreEmptyAreNotMissing() {
        assertEquals(
                Resources.NONE,
                read("spec: {resources: {}, containers: [{name: a}]}").resources());
        assertNull(read("spec: {containers: [{name: a}]}").resources());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "spec: {priority: 7, priorityClassName: high}  > 7          > high > false",
                "spec: {}  > 0          > ''   > false",
                "metadata: {annotations: {kubernetes.io/config.mirror: h}}; spec: {priority: 2000001000}  > 2000001000 > '' > true",
                "metadata: {annotations: {kubernetes.io/config.hash: h}}; spec: {}  > 0          > ''   > false",
            })
    void priority(String pod, int value, String className, boolean isStatic) {
        assertEquals(new PodPriority(value, className, isStatic), read(pod).priority());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "spec: {}; status: {conditions: [null, {type: PodResizePending, status: 'True', reason: Deferred}]}  > PENDING",
                "spec: {}; status: {conditions: [{type: PodResizeInProgress, status: 'True'}]}  > IN_PROGRESS",
                "spec: {}; status: {conditions: [{type: PodResizeInProgress, status: 'False'}]}  > NONE",
                "spec: {}; metadata: {generation: 1}  > NONE",
                "spec: {}; metadata: {generation: 2}  > DONE",
                "spec: {}  > NONE",
            })
    void resize(String pod, Resize expected) {
        assertEquals(expected, read(pod).resize());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "spec: {}; metadata: {deletionTimestamp: '2026-03-01T10:00:00Z'}  > true",
                "spec: {}; status: {phase: Succeeded}  > true",
                "spec: {}; status: {phase: Failed}  > true",
                "spec: {}; status: {phase: Running}  > false",
            })
    void terminating(String pod, boolean expected) {
        assertEquals(expected, read(pod).terminating());
    }
}
