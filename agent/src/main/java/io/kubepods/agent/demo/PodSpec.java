package io.kubepods.agent.demo;

import static java.lang.Integer.parseInt;

import io.kubepods.agent.demo.DemoPod.Qos;
import java.util.ArrayList;
import java.util.List;

/** A pod's spec, and the pods of the demo. */
record PodSpec(String namespace, String name, List<ContainerSpec> containers) {
    private static final String STATIC_NAMESPACE = "kube-system";

    /**
     * A line is a container: CPU in thousandths and memory in Mi, request and limit of each, then processes, threads of
     * the first, and Mi of anonymous memory. A star marks a sidecar.
     *
     * <p>A container that is alone in its pod shares its limits with the pod's slice. The slice's memory limit is then
     * hit first, for the slice holds the sandbox container as well (thumbnails).
     */
    private static final String TABLE = """
            shop        cart-7c9d8b6f5d-4xk2p         cart           cart            100  200  64 128 SPIN    1  6  41
            shop        search-6b8f9d7c44-w7q5m       search         search           50  200  64 128 BURST   1  9  58
            shop        search-6b8f9d7c44-w7q5m       log-shipper    log-shipper       0    0   0   0 LIGHT   1  5  14
            shop        orders-5f6d7c8b9-nd8zr        orders         java            500 1000 384 512 JVM     1 43 380
            shop        orders-5f6d7c8b9-nd8zr        config-reload  reloader         10   50  16  32 LIGHT   1  4   9
            shop        recommender-84c7b5d9f6-tq2vj  recommender    python3         100  500 128 192 LEAK    2  3  12
            shop        recommender-84c7b5d9f6-tq2vj  model-sync     model-sync       10   50  32  64 LIGHT   1  5  17
            batch       thumbnails-6d5c9b7f8-hx4lw    thumbnails     node            100  500 256 384 LEAK    3 11  28
            data        catalog-db-0                  catalog-db     postgres        200 1000 256 384 CACHE   4  1  71
            data        catalog-db-0                  exporter       pg_exporter      10  100  16  32 LIGHT   1  6  11
            payments    gateway-78f5c6d8b4-9mzkc      gateway        gateway         250  250 128 128 CALM    1 10  62
            payments    gateway-78f5c6d8b4-9mzkc      tls-proxy*     envoy           100  100  64  64 CALM    1  7  29
            batch       report-viewer-5b9c8d7f6-zv7ks report-viewer  report-viewer     0    0   0   0 LIGHT   1  4  19
            kube-system kube-apiserver-%s             kube-apiserver kube-apiserver  250    0   0   0 CALM    1 14 211
            """;

    private static final String SIDECAR_MARK = "*";

    static List<PodSpec> all() {
        List<PodSpec> pods = new ArrayList<>();
        for (String line : TABLE.replace("%s", Host.NAME).lines().toList()) {
            String[] words = line.split(" +");
            PodSpec last = pods.isEmpty() ? null : pods.get(pods.size() - 1);
            if (last == null || !last.name.equals(words[1])) {
                last = new PodSpec(words[0], words[1], new ArrayList<>());
                pods.add(last);
            }
            last.containers.add(container(words));
        }
        return pods;
    }

    private static ContainerSpec container(String[] words) {
        return new ContainerSpec(
                words[2].replace(SIDECAR_MARK, ""),
                words[3],
                words[2].endsWith(SIDECAR_MARK),
                Resources.of(parseInt(words[4]), parseInt(words[5]), parseInt(words[6]), parseInt(words[7])),
                Workload.valueOf(words[8]),
                parseInt(words[9]),
                parseInt(words[10]),
                parseInt(words[11]));
    }

    boolean isStatic() {
        return namespace.equals(STATIC_NAMESPACE);
    }

    Resources resources() {
        return containers.stream()
                .map(ContainerSpec::resources)
                .reduce(Resources::plus)
                .orElse(Resources.NONE);
    }

    Qos qos() {
        if (containers.stream().allMatch(container -> container.resources().equals(Resources.NONE))) {
            return Qos.BEST_EFFORT;
        }
        boolean guaranteed =
                containers.stream().allMatch(container -> container.resources().isGuaranteed());
        return guaranteed ? Qos.GUARANTEED : Qos.BURSTABLE;
    }

    /** As the kubelet computes it; the static pod is node-critical. */
    int oomScoreAdj(ContainerSpec container) {
        if (isStatic() || qos() == Qos.GUARANTEED) {
            return -997;
        }
        if (qos() == Qos.BEST_EFFORT) {
            return 1000;
        }
        long adj = 1000 - 1000 * container.resources().requestMemory() / Host.MEMORY;
        return (int) Math.max(3, Math.min(999, adj));
    }
}
