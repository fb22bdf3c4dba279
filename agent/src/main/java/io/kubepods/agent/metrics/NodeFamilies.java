package io.kubepods.agent.metrics;

import io.kubepods.model.NodeState;
import java.util.List;

/**
 * What is told of the node.
 *
 * <pre>
 * kubepods_node_info{cgroup_driver="systemd",cgroup_version="2",kernel="6.12.9",page_size="4096"} 1
 * kubepods_node_memory_capacity_bytes 1.6777216E10
 * </pre>
 */
final class NodeFamilies {
    static final List<Family<NodeState>> ALL = List.of(
            Family.<NodeState>info(
                            "kubepods_node_info",
                            "1, with the kubelet's cgroup driver, the kernel's release and the size of its pages in bytes.",
                            node -> true)
                    .text("cgroup_driver", NodeState::cgroupDriver)
                    .text("cgroup_version", node -> "2")
                    .text("kernel", NodeState::kernel)
                    .text("page_size", node -> Integer.toString(node.pageSize())),
            Family.of(
                    "kubepods_node_cpu_capacity_cores",
                    "CPUs of the node (status.capacity of the Node object).",
                    node -> Amount.cores(node.capacity())),
            Family.of(
                    "kubepods_node_memory_capacity_bytes",
                    "Memory of the node (status.capacity of the Node object).",
                    node -> Amount.of(node.capacity().memoryBytes())),
            Family.of(
                    "kubepods_node_cpu_requests_cores",
                    "CPU that the pods on the node request together.",
                    node -> Amount.cores(node.totals().requests())),
            Family.of(
                    "kubepods_node_memory_requests_bytes",
                    "Memory that the pods on the node request together.",
                    node -> Amount.of(node.totals().requests().memoryBytes())),
            Family.of(
                    "kubepods_node_cpu_limits_cores",
                    "CPU limits of the pods on the node together, by their specs; pods without one add nothing.",
                    node -> Amount.cores(node.totals().limits())),
            Family.of(
                    "kubepods_node_memory_limits_bytes",
                    "Memory limits of the pods on the node together, by their specs; pods without one add nothing.",
                    node -> Amount.of(node.totals().limits().memoryBytes())),
            Family.of(
                    "kubepods_node_memory_available_bytes",
                    "memory.available, on which the kubelet evicts: MemTotal less anonymous memory and files that are not"
                            + " inactive (/proc/meminfo, the root cgroup's memory.stat).",
                    node -> Amount.of(node.memory().evictionAvailable())),
            Family.of(
                    "kubepods_node_memory_available_kernel_bytes",
                    "What the kernel estimates that new processes could have, its own memory taken off (/proc/meminfo"
                            + " MemAvailable).",
                    node -> Amount.of(node.memory().available())),
            Family.of(
                    "kubepods_node_oom_kills_total",
                    "Processes killed by the kernel's OOM killer on this machine, in pods and outside, since it was booted"
                            + " (/proc/vmstat oom_kill).",
                    node -> Amount.of(node.memory().oomKills())));

    private NodeFamilies() {}
}
