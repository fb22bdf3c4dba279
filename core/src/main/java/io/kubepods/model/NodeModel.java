package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupTree;
import io.kubepods.kubelet.Quantities;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pods, containers and slices of this node, as its cgroups come and go and as the API names them.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
public final class NodeModel implements CgroupTree.Listener {
    private final Map<String, PodState> pods = new HashMap<>();
    /** The same pods once more: a list can be walked without an iterator. */
    private final List<PodState> podList = new ArrayList<>();

    private final List<ContainerState> containers = new ArrayList<>();
    private final Slices slices = new Slices();
    private List<PodState> shownPods = List.of();
    private List<ContainerState> shownContainers = List.of();
    private final OomJournal journal = new OomJournal(InstantSource.system());
    private final OomLedger ledger = new OomLedger(journal);
    private final ShownOoms containerOoms = new ShownOoms();
    private final ShownOoms podOoms = new ShownOoms();
    private final NodeTotals totals = new NodeTotals();
    private List<NodeState> node;
    private long generation = -1;
    private boolean changed = true;

    /**
     * @param kernel as {@code uname -r} prints it
     * @param pageSize in bytes
     * @param memory of the machine
     */
    NodeModel(String kernel, int pageSize, NodeMemory memory) {
        node = List.of(new NodeState("", kernel, pageSize, Quantities.NONE, memory, totals));
    }

    /** All containers that are there, sandboxes too. */
    List<ContainerState> containers() {
        return containers;
    }

    /** All pods that are there. */
    List<PodState> pods() {
        return podList;
    }

    /** The roots of kubepods trees and their QoS slices. */
    List<Cgroup> slices() {
        return slices.all();
    }

    /** The pods to show: of two with one namespace and name, the newest. */
    public List<PodState> shownPods() {
        return shownPods;
    }

    /**
     * The containers to show: no sandboxes, and of two with one namespace, pod and name the newest pod's; of one pod's (a
     * restarted one whose old cgroup is still there) the present one, or the newest.
     */
    public List<ContainerState> shownContainers() {
        return shownContainers;
    }

    /** The OOM kills of every container that is there or has a name, and for a while of those of pods that were. */
    public List<OomSeries> containerOoms() {
        return containerOoms.shown();
    }

    /** By pod, the OOM kills that no container can be named for. */
    public List<OomSeries> podOoms() {
        return podOoms.shown();
    }

    /** The last OOMs. */
    public OomJournal oomJournal() {
        return journal;
    }

    OomLedger ledger() {
        return ledger;
    }

    public List<SliceState> shownSlices() {
        return slices.shown();
    }

    /** What depends on all pods together: their sums, and the order of their eviction. */
    void settlePods() {
        totals.addUp(podList);
        Evictions.rank(podList);
    }

    /** The node itself, as a list of one. */
    public List<NodeState> node() {
        return node;
    }

    /** How many containers the API has not named; sandboxes are not meant to be. */
    public int unnamed() {
        int unnamed = 0;
        for (int i = 0; i < shownContainers.size(); i++) {
            unnamed += shownContainers.get(i).isNamed() ? 0 : 1;
        }
        return unnamed;
    }

    /** How many pods are in another place than their QoS class has. */
    public int podsQosMismatched() {
        int mismatched = 0;
        for (int i = 0; i < podList.size(); i++) {
            mismatched += podList.get(i).isQosMismatched() ? 1 : 0;
        }
        return mismatched;
    }

    @Override
    public void appeared(Cgroup cgroup) {
        changed = true;
        switch (cgroup.role()) {
            case KUBEPODS, QOS -> {
                slices.all().add(cgroup);
                ledger.appeared(cgroup, null);
            }
            case POD -> {
                pod(cgroup).cgroups.add(cgroup);
                ledger.appeared(cgroup, null);
            }
            case CONTAINER -> {
                PodState pod = pod(cgroup);
                ContainerState container = new ContainerState(pod, cgroup);
                pod.containers.add(container);
                containers.add(container);
                ledger.appeared(cgroup, container);
            }
            case INNER -> {
                for (ContainerState container : containers) {
                    if (container.cgroup() == cgroup.parent()) {
                        container.inner = cgroup;
                    }
                }
            }
            default -> {}
        }
    }

    @Override
    public void vanished(Cgroup cgroup) {
        changed = true;
        ledger.vanished(cgroup);
        switch (cgroup.role()) {
            case KUBEPODS, QOS -> slices.all().remove(cgroup);
            case POD -> {
                PodState pod = pod(cgroup);
                pod.cgroups.remove(cgroup);
                forgetIfEmpty(pod);
            }
            case CONTAINER -> {
                PodState pod = pod(cgroup);
                pod.containers.removeIf(container -> container.cgroup() == cgroup);
                containers.removeIf(container -> container.cgroup() == cgroup);
                forgetIfEmpty(pod);
            }
            case INNER -> {
                for (ContainerState container : containers) {
                    if (container.inner == cgroup) {
                        container.inner = null;
                    }
                }
            }
            default -> {}
        }
    }

    private PodState pod(Cgroup cgroup) {
        String uid = Objects.requireNonNull(cgroup.name().podUid());
        PodState pod = pods.get(uid);
        if (pod == null) {
            pod = new PodState(uid);
            pods.put(uid, pod);
            podList.add(pod);
        }
        return pod;
    }

    private void forgetIfEmpty(PodState pod) {
        if (pod.isEmpty()) {
            pods.remove(pod.uid());
            podList.remove(pod);
        }
    }

    /** Says that what a container's name depends on has changed: whether it looks like a sandbox. */
    void changed() {
        changed = true;
    }

    /** Looks names up again if anything may have changed, and settles who is shown under which name. */
    void rename(PodSource source) {
        long now = source.generation();
        boolean renamed = false;
        if (changed || now != generation) {
            renamed = renameAll(source);
            generation = now;
            changed = false;
            settleNode(source.capacity());
        }
        if (ledger.takeChanged() || renamed) {
            ledger.show(containerOoms, podOoms);
        }
    }

    /** Returns whether anything may be shown otherwise than before. */
    private boolean renameAll(PodSource source) {
        boolean renamed = changed;
        for (PodState pod : podList) {
            renamed |= pod.rename(source);
        }
        ledger.rename(source);
        if (renamed) {
            settle();
        }
        return renamed;
    }

    private void settleNode(@Nullable Quantities capacity) {
        NodeState before = node.get(0);
        NodeState now = new NodeState(
                slices.cgroupDriver(),
                before.kernel(),
                before.pageSize(),
                capacity == null ? before.capacity() : capacity,
                before.memory(),
                totals);
        if (!now.equals(before)) {
            node = List.of(now);
        }
    }

    private void settle() {
        Map<String, PodState> podsByName = new LinkedHashMap<>();
        for (PodState pod : podList) {
            if (pod.cgroup() != null) {
                podsByName.merge(pod.toString(), pod, (a, b) -> id(a) >= id(b) ? a : b);
            }
        }
        shownPods = List.copyOf(podsByName.values());

        Map<String, ContainerState> containersByName = new LinkedHashMap<>();
        for (ContainerState container : containers) {
            if (!container.isSandbox()) {
                containersByName.merge(container.toString(), container, NodeModel::newer);
            }
        }
        shownContainers = List.copyOf(containersByName.values());
        slices.settle(ledger::slice);
    }

    private static long id(PodState pod) {
        Cgroup cgroup = pod.cgroup();
        return cgroup == null ? 0 : cgroup.id();
    }

    /** Of two pods with one name the same that is shown as a pod: numbers of the two are not mixed. */
    private static ContainerState newer(ContainerState a, ContainerState b) {
        if (id(a.pod()) != id(b.pod())) {
            return id(a.pod()) > id(b.pod()) ? a : b;
        }
        if (a.isCurrent() != b.isCurrent()) {
            return a.isCurrent() ? a : b;
        }
        return a.cgroup().id() >= b.cgroup().id() ? a : b;
    }
}
