package io.kubepods.model;

import io.kubepods.cgroup.CgroupRoot;
import io.kubepods.cgroup.CgroupTree;
import io.kubepods.cgroup.InitProcesses;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a namespace of the agent's own hides the node from it; each is said once, with what to do.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class HiddenNode {
    private static final Logger log = LoggerFactory.getLogger(HiddenNode.class);

    private final CgroupTree tree;
    private final InitProcesses processes;
    private final boolean namespaced;
    private boolean saidCgroupsHidden;
    private boolean saidProcessesHidden;
    private boolean saidNothingThere;

    HiddenNode(Path cgroupfs, CgroupTree tree, InitProcesses processes) {
        this.tree = tree;
        this.processes = processes;
        namespaced = CgroupRoot.isNamespaced(cgroupfs);
    }

    /** The node container of kind has a cgroup namespace too, with the kubelet's whole tree in it. */
    boolean byCgroupNamespace() {
        return namespaced && tree.kubepodsTrees() == 0;
    }

    boolean byPidNamespace() {
        return processes.areHidden();
    }

    void sayOnce() {
        if (byCgroupNamespace() && !saidCgroupsHidden) {
            saidCgroupsHidden = true;
            log.warn(
                    "{} is the root of a cgroup namespace without pods in it: this agent seems to see its own cgroups only,"
                            + " not the node's. Mount the node's /sys/fs/cgroup into its pod by hostPath.",
                    tree.root().directory());
        }
        if (tree.kubepodsTrees() == 0 && !namespaced && !saidNothingThere) {
            saidNothingThere = true;
            log.info(
                    "There are no pods' cgroups below {} yet: no kubelet has made any.",
                    tree.root().directory());
        }
        if (byPidNamespace() && !saidProcessesHidden) {
            saidProcessesHidden = true;
            log.warn("This agent runs in a pid namespace of its own and cannot see the containers' processes:"
                    + " oom_score_adj and oom_score are not there. Set hostPID: true in its pod's spec.");
        }
    }
}
