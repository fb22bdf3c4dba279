package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.cgroup.CgroupFile;
import io.kubepods.cgroup.CgroupName;
import io.kubepods.cgroup.CgroupReader;
import io.kubepods.cgroup.CgroupTree;
import io.kubepods.cgroup.InitProcess;
import io.kubepods.cgroup.InitProcesses;
import io.kubepods.cgroup.Value;
import io.kubepods.kernel.ErrorCounts;
import io.kubepods.kernel.KernelFiles;
import io.kubepods.kernel.KernelLog;
import io.kubepods.kernel.PosixFiles;
import io.kubepods.oom.OomIncident;
import io.kubepods.oom.OomReports;
import io.kubepods.oom.OomState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads this node: cheaply every tick, wholly when somebody asks.
 *
 * <p>Its lock is the one lock of the read path. A tick holds it, and so does everybody who looks at the model, through
 * {@link #sample}: what they see is of one moment.
 */
public final class NodeSampler implements CgroupTree.Listener {
    /** All files at most so often, however many ask: reading memory.stat makes the kernel add up per-CPU counters. */
    private static final long SAMPLE_AGAIN_NANOS = 1_000_000_000L;

    /** Cgroups outside the kubepods trees are listed every so many ticks. */
    private static final int TICKS_BETWEEN_SEARCHES = 10;

    /** Cheap, and what bursts and kills are seen by. */
    private static final CgroupFile[] TICK_FILES = {CgroupFile.CPU_STAT, CgroupFile.MEMORY_EVENTS};

    private static final CgroupFile[] SLICE_TICK_FILES = {CgroupFile.MEMORY_EVENTS};

    private static final CgroupFile[] ALL_FILES = CgroupFile.values();
    private static final CgroupFile[] SLICE_FILES = {
        CgroupFile.CPU_MAX,
        CgroupFile.CPU_WEIGHT,
        CgroupFile.MEMORY_CURRENT,
        CgroupFile.MEMORY_MAX,
        CgroupFile.MEMORY_EVENTS,
        CgroupFile.MEMORY_EVENTS_LOCAL,
        CgroupFile.CPU_PRESSURE,
        CgroupFile.MEMORY_PRESSURE,
        CgroupFile.IO_PRESSURE
    };
    private static final CgroupFile[] LIMIT_FILES = {CgroupFile.CPU_MAX};

    private final PosixFiles posix;
    private final KernelFiles files;
    private final LongSupplier clock;
    private final PodSource pods;
    private final ErrorCounts readErrors = new ErrorCounts("kubepods_agent_read_errors_total");
    private final ErrorCounts malformed = new ErrorCounts("kubepods_agent_malformed_files_total");
    private final NodeMemory memory;
    private final NodeModel model;
    private final CgroupTree tree;
    private final CgroupReader reader;
    private final OomReading oomReading;
    private final ThrottleReading throttleReading;
    private final InitProcesses processes;
    private final HiddenNode hidden;
    private @Nullable OomLog oomLog;
    private long logAfter = OomReports.FROM_THE_BEGINNING;
    private int ticksToSearch;
    private boolean sampled;
    private boolean changed;
    private long sampledAt;

    /** What the agent can say of itself. */
    public record Status(
            int cgroups,
            int kubepodsTrees,
            int unknownCgroups,
            int unnamedContainers,
            int openFiles,
            int openFilesLimit,
            int openDirectories,
            boolean hiddenByCgroupNamespace,
            boolean hiddenByPidNamespace) {}

    /**
     * @param posix keeps the descriptors
     * @param files reads: {@code posix} itself, or what a test puts before it
     * @param clock {@link System#nanoTime()}
     */
    public NodeSampler(
            PosixFiles posix, KernelFiles files, Path cgroupfs, Path procfs, PodSource pods, LongSupplier clock) {
        this.posix = posix;
        this.clock = clock;
        this.pods = pods;
        this.files = files;
        tree = new CgroupTree(posix, cgroupfs, readErrors, this);
        memory = new NodeMemory(procfs, tree.root());
        model = new NodeModel(kernel(procfs), PosixFiles.pageSize(), memory);
        reader = new CgroupReader(files, readErrors, malformed);
        oomReading = new OomReading(reader);
        throttleReading = new ThrottleReading(reader);
        processes = new InitProcesses(files, posix, procfs, readErrors, malformed);
        hidden = new HiddenNode(cgroupfs, tree, processes);
    }

    private static String kernel(Path procfs) {
        try {
            return Files.readString(procfs.resolve("sys/kernel/osrelease")).strip();
        } catch (IOException e) {
            return ""; // it is told for people only
        }
    }

    /** Has what the kernel log says of OOMs from now on told with them. */
    public synchronized void watch(KernelLog kernelLog) {
        oomLog = new OomLog(kernelLog, logAfter, model.oomJournal(), model.ledger()::byPid, readErrors, malformed);
    }

    /** The last OOMs, the newest first. */
    public synchronized List<OomIncident> ooms() {
        return model.oomJournal().incidents();
    }

    /** OOMs that were counted since this was last asked, the oldest first. */
    public synchronized List<OomIncident> takeNewOoms() {
        return model.oomJournal().takeNews();
    }

    /** Goes on counting OOMs where the agent before stopped; before anything is read. */
    public synchronized void restore(OomState state) {
        model.ledger().restore(state, clock.getAsLong());
        model.oomJournal().restore(state.incidents());
        logAfter = state.logPosition();
    }

    /** What must be kept over a restart; null when nothing has changed since this was last asked. */
    public synchronized @Nullable OomState takeState(String bootId) {
        return model.ledger().save(bootId, oomLog == null ? logAfter : oomLog.position());
    }

    /** Says that what was taken could not be kept. */
    public synchronized void stateWasNotKept() {
        model.ledger().unsaved();
    }

    /** Records of the kernel log that were overwritten before they were read; {@link Value#ABSENT} when it is not read. */
    public synchronized long lostLogRecords() {
        return oomLog == null ? Value.ABSENT : oomLog.lost();
    }

    public synchronized Status status() {
        return new Status(
                tree.size(),
                tree.kubepodsTrees(),
                tree.unknown(),
                model.unnamed(),
                posix.keptFiles(),
                posix.keptFilesAtMost(),
                posix.keptDirectories(),
                hidden.byCgroupNamespace(),
                hidden.byPidNamespace());
    }

    /** Reads that failed, by file and errno. */
    public ErrorCounts readErrors() {
        return readErrors;
    }

    /** Files whose text was not what any kernel writes. */
    public ErrorCounts malformedFiles() {
        return malformed;
    }

    /** The most keys in one text of the file that this agent does not know. */
    public synchronized int unknownKeys(CgroupFile file) {
        return reader.unknownKeys(file);
    }

    /** Looks what is there, and reads what must be read every second. */
    public synchronized void tick() {
        long now = clock.getAsLong();
        model.ledger().begin();
        walk(now);
        // From the top down: what a cgroup has counted, those below it that are there have too when they are read after
        // it.
        List<Cgroup> slices = model.slices();
        for (int i = 0; i < slices.size(); i++) {
            reader.read(slices.get(i), SLICE_TICK_FILES, now);
        }
        List<PodState> all = model.pods();
        for (int i = 0; i < all.size(); i++) {
            readPod(all.get(i), TICK_FILES, now);
            throttleReading.tick(all.get(i), now);
        }
        List<ContainerState> containers = model.containers();
        for (int i = 0; i < containers.size(); i++) {
            ContainerState container = containers.get(i);
            reader.read(container.cgroup(), TICK_FILES, now);
            Cgroup inner = container.inner;
            if (inner != null) {
                reader.read(inner, TICK_FILES, now);
            }
            throttleReading.tick(container, now);
        }
        if (oomLog != null) {
            oomLog.read(now); // after the counters: what they say, it has said too by the next tick
        }
        model.ledger().settle(oomReading, pods, now);
        model.rename(pods);
    }

    /**
     * Reads everything, unless that was done within the last second, and gives the model to {@code look} while nothing in it
     * changes.
     */
    public synchronized <R> R sample(Look<R> look) {
        if (!model.ledger().hasBegun()) {
            tick();
        }
        long now = clock.getAsLong();
        if (!sampled || changed || now - sampledAt >= SAMPLE_AGAIN_NANOS) {
            readAll(now);
            sampled = true;
            sampledAt = now;
        }
        return look.at(model);
    }

    /** Does something while nobody reads the node's files. */
    public synchronized void exclusively(Runnable work) {
        work.run();
    }

    /** Takes what it needs from the model; keeps nothing of it. */
    @FunctionalInterface
    public interface Look<R> {
        R at(NodeModel model);
    }

    private void walk(long now) {
        boolean search = tree.kubepodsTrees() == 0 || ticksToSearch == 0;
        ticksToSearch = search ? TICKS_BETWEEN_SEARCHES : ticksToSearch - 1;
        tree.refresh(search, now);
        model.rename(pods);
        hidden.sayOnce();
    }

    private void readAll(long now) {
        walk(now);
        changed = false;
        processes.lookAgain();
        memory.read(files, reader, readErrors, malformed, now);
        boolean gone = false;
        List<Cgroup> slices = model.slices();
        for (int i = 0; i < slices.size(); i++) {
            reader.read(slices.get(i), SLICE_FILES, now);
            if (slices.get(i).role() == CgroupName.Role.KUBEPODS) {
                readLimitsAbove(slices.get(i), now);
            }
        }
        List<PodState> all = model.pods();
        for (int i = 0; i < all.size(); i++) {
            gone |= !readPod(all.get(i), ALL_FILES, now);
        }
        List<ContainerState> containers = model.containers();
        for (int i = containers.size() - 1; i >= 0; i--) { // backwards: one may go while it is read
            gone |= !readContainer(containers.get(i), now);
        }
        if (gone) {
            tree.refresh(true, now); // what went while it was read is not shown half
        }
        model.rename(pods);
        model.settlePods();
    }

    private void readLimitsAbove(Cgroup cgroup, long now) {
        // The root too: in a cgroup namespace (kind's node container) it has limits.
        for (Cgroup above = cgroup.parent(); above != null; above = above.parent()) {
            reader.read(above, LIMIT_FILES, now);
        }
    }

    private boolean readPod(PodState pod, CgroupFile[] files, long now) {
        boolean there = true;
        for (int i = 0; i < pod.cgroups.size(); i++) {
            there &= reader.read(pod.cgroups.get(i), files, now);
        }
        return there;
    }

    private boolean readContainer(ContainerState container, long now) {
        boolean there = reader.read(container.cgroup(), ALL_FILES, now);
        Cgroup parent = container.cgroup().parent();
        if (parent != null && parent.role() == CgroupName.Role.OUTSIDE) {
            readLimitsAbove(container.cgroup(), now);
        }
        readInit(container, now);
        Cgroup inner = container.inner;
        if (inner != null) {
            there &= reader.read(inner, ALL_FILES, now);
        }
        container.readStalled();
        if (!container.isSettled()) {
            model.changed();
        }
        return there;
    }

    private void readInit(ContainerState container, long now) {
        InitProcess init = container.init;
        if (init != null && processes.read(init, now)) {
            if (!container.isNamed()) {
                processes.readCommand(init, now); // a sandbox begins as runc
            }
            return;
        }
        if (init != null) {
            init.close(posix);
        }
        if (container.inner == null) {
            tree.refreshContainer(container.cgroup(), now);
        }
        InitProcess found = processes.find(container.processes(), now);
        if (found != null && !processes.read(found, now)) {
            found.close(posix);
            found = null;
        }
        container.init = found;
    }

    @Override
    public void appeared(Cgroup cgroup) {
        changed = true; // what is new has not been read, and is not shown unread
        model.appeared(cgroup);
    }

    @Override
    public void vanished(Cgroup cgroup) {
        if (cgroup.role() == CgroupName.Role.CONTAINER) {
            for (ContainerState container : model.containers()) {
                InitProcess init = container.init;
                if (container.cgroup() == cgroup && init != null) {
                    init.close(posix);
                }
            }
        }
        cgroup.close(posix);
        model.vanished(cgroup);
    }
}
