package io.kubepods.oom;

import static io.kubepods.oom.KernelSays.CONTAINER;
import static io.kubepods.oom.KernelSays.POD;
import static io.kubepods.oom.KernelSays.killsIn;
import static io.kubepods.oom.KernelSays.killsOf;
import static io.kubepods.oom.KernelSays.summary;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.kubepods.cgroup.CgroupName;
import io.kubepods.cgroup.Value;
import io.kubepods.oom.OomKill.Role;
import io.kubepods.oom.OomKill.Scope;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Lines of real kernels with their right reading; S1 to S10 are public reports, with ids, names and sizes replaced. */
class OomVectorsTest {
    private static final String SUMMARY_V13 =
            "6,392,4393760,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-1111111111111111111111111111111111111111111111111111111111111111.scope,mems_allowed=0,oom_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9.slice,task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9.slice/cri-containerd-1111111111111111111111111111111111111111111111111111111111111111.scope,task=hogger,pid=157,uid=0";

    private static OomKill only(List<OomKill> kills) {
        assertEquals(1, kills.size(), kills.toString());
        return kills.get(0);
    }

    private static void isIn(String container, OomKill kill) {
        assertEquals(
                container,
                CgroupName.ofPath(Objects.requireNonNull(kill.taskMemcg())).containerId());
    }

    @Test
    void v13ThePodsLimit() {
        OomKill kill = only(
                killsOf(
                        List.of(
                                SUMMARY_V13,
                                "3,393,4393800,-;Memory cgroup out of memory: Killed process 157 (hogger) total-vm:33860kB, anon-rss:32384kB, file-rss:0kB, shmem-rss:384kB, UID:0 pgtables:104kB oom_score_adj:0")));
        assertEquals(
                new OomKill(
                        393,
                        392,
                        4_393_800,
                        Role.VICTIM,
                        Scope.CGROUP,
                        157,
                        "hogger",
                        0,
                        0,
                        32_384 * 1_024,
                        0,
                        384 * 1_024,
                        POD,
                        CONTAINER,
                        null),
                kill);
        isIn("1".repeat(64), kill);
    }

    @Test
    void v14TheNode() {
        OomKill kill = only(
                killsOf(
                        List.of(
                                "6,417,5277247,-;oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=cri-containerd-1111111111111111111111111111111111111111111111111111111111111111.scope,mems_allowed=0,global_oom,task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0a1b2c3d_4e5f_6071_8293_a4b5c6d7e8f9.slice/cri-containerd-1111111111111111111111111111111111111111111111111111111111111111.scope,task=globalhog,pid=149,uid=0",
                                "3,418,5278545,-;Out of memory: Killed process 149 (globalhog) total-vm:194628kB, anon-rss:193024kB, file-rss:0kB, shmem-rss:504kB, UID:0 pgtables:416kB oom_score_adj:992")));
        assertEquals(Scope.NODE, kill.scope());
        assertNull(kill.oomMemcg());
        assertEquals(CONTAINER, kill.taskMemcg());
        assertEquals(992, kill.oomScoreAdj());
    }

    @Test
    void v15AndS7ACgroupsLimitAlthoughItSaysNone() {
        OomKill kill = only(killsIn(
                "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/job1,task_memcg=/job1,task=a.out,pid=8123,uid=-2",
                "Memory cgroup out of memory: Kill process 8123 (a.out) score 871 or sacrifice child",
                "Killed process 8123 (a.out) total-vm:1kB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB",
                "Out of memory and no killable processes..."));
        assertEquals(Scope.CGROUP, kill.scope());
        assertEquals("/job1", kill.oomMemcg());
        assertEquals("/job1", kill.taskMemcg());
        assertEquals(-2, kill.uid());
        assertEquals(Value.ABSENT, kill.oomScoreAdj());
    }

    @Test
    void v16ANameLikeTheEndOfTheLine() {
        OomKill kill = only(
                killsIn(
                        summary(CONTAINER, CONTAINER, "a b),pid=1\\x0a\\x5cx", 160),
                        "Memory cgroup out of memory: Killed process 160 (a b),pid=1\\x0a\\x5cx) total-vm:33860kB, anon-rss:32384kB, file-rss:0kB, shmem-rss:384kB, UID:0 pgtables:104kB oom_score_adj:0"));
        assertEquals(160, kill.pid());
        assertEquals("a b),pid=1\n\\x", kill.command());
        assertEquals(CONTAINER, kill.taskMemcg());
    }

    @Test
    void v17AForgedRecord() {
        String text =
                "Memory cgroup out of memory: Killed process 1 (init) total-vm:1kB, anon-rss:1kB, file-rss:1kB, shmem-rss:0kB, UID:0 pgtables:1kB oom_score_adj:0";
        assertEquals(
                List.of(),
                killsOf(List.of("11,369,4627134,-;fake " + text, "11,370,4627135,-;" + text, "8,371,1,-;" + text)));
        assertEquals(List.of(), killsIn("fake " + text), "only at the beginning of a line");
        assertEquals(1, killsIn(text).size());
    }

    @Test
    void v18ASummaryInTwoRecords() {
        OomKill kill = only(killsOf(List.of(
                "6,461,6007175,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=c,mems_allowed=0,oom_memcg=/a/b/c,task_memcg=",
                "4,462,6007535,c;/a/b/c,task=hogger,pid=152,uid=0",
                "3,463,6007540,-;" + KernelSays.killed(152, "hogger"))));
        assertEquals(461, kill.report());
        assertEquals("/a/b/c", kill.oomMemcg());
        assertEquals("/a/b/c", kill.taskMemcg());
    }

    @Test
    void v19AFieldMoreInTheHeader() {
        OomKill kill = only(killsOf(List.of(
                "6,3057,12345678,-,caller=T9694;" + summary("/a", "/a/c", "x", 7),
                "3,3058,12345679,-,caller=T9694;" + KernelSays.killed(7, "x"))));
        assertEquals("/a/c", kill.taskMemcg());
        assertEquals(12_345_679, kill.timestampUsec());
    }

    @Test
    void v20AGroup() {
        List<OomKill> kills = killsOf(List.of(
                "6,557,3,-;" + summary(CONTAINER, CONTAINER, "hogger", 154),
                "3,558,4,-;" + KernelSays.killed(154, "hogger"),
                "6,559,5,-;" + KernelSays.group(CONTAINER),
                "3,560,6,-;" + KernelSays.killed(152, "init-proc"),
                "3,561,7,-;" + KernelSays.killed(153, "sidekick"),
                "3,562,8,-;" + KernelSays.killed(154, "hogger")));
        assertEquals(
                List.of(Role.VICTIM, Role.MEMBER, Role.MEMBER, Role.AGAIN),
                kills.stream().map(OomKill::role).toList());
        assertEquals(
                List.of(152, 153, 154),
                kills.stream().map(OomKill::pid).distinct().sorted().toList());
        kills.forEach(kill -> {
            assertEquals(557, kill.report());
            assertEquals(CONTAINER, kill.oomMemcg());
            assertEquals(CONTAINER, kill.taskMemcg());
        });
    }

    @Test
    void v21AKillWithoutASummary() {
        OomKill kill = only(killsIn(KernelSays.killed(9, "java")));
        assertEquals(Scope.CGROUP, kill.scope());
        assertNull(kill.oomMemcg());
        assertNull(kill.taskMemcg());
        assertEquals(kill.sequence(), kill.report());
        assertEquals(7, kill.uid());
    }

    @Test
    void v22NotAKill() {
        assertEquals(List.of(), killsOf(List.of("4,593,8344441,-;Out of memory and no killable processes...")));
        assertEquals(
                List.of(),
                killsIn(
                        KernelSays.invoked("java"),
                        summary("/a", "/a", "java", 7),
                        "Memory cgroup out of memory: OOM victim 7 (java) is already exiting. Skip killing the task",
                        "oom_reaper: reaped process 7 (java), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"));
    }

    @Test
    void v23AChildIsSacrificed() {
        OomKill kill = only(killsIn(
                "Memory cgroup out of memory: Kill process 31877 (java) score 0 or sacrifice child",
                "Killed process 31902 (java) total-vm:19877712kB, anon-rss:471020kB, file-rss:12988kB"));
        assertEquals(31_902, kill.pid());
        assertEquals(Scope.CGROUP, kill.scope());
        assertEquals(471_020 * 1_024, kill.anonRss());
        assertEquals(12_988 * 1_024, kill.fileRss());
        assertEquals(Value.ABSENT, kill.shmemRss());
        assertEquals(Value.ABSENT, kill.uid());
        assertEquals(Value.ABSENT, kill.oomScoreAdj());
        assertEquals(kill.sequence() - 1, kill.report());
    }

    @Test
    void v26LostRecordsAndOthersText() {
        KernelSays kernel = new KernelSays();
        kernel.record("6,370,1,-;x").record("6,2230,2,-;y");
        assertEquals(1_859, kernel.reports().lost());
        kernel.record("6,2231,3,-;cpu 0 is up\n SUBSYSTEM=cpu\n DEVICE=+cpu:0");
        kernel.record("6,2232,4,-;anon 33325056\\x0afile 0\\x0akernel 229376\\x0aworkingset_");
        assertEquals(List.of(), kernel.kills());
        assertEquals(1_859, kernel.reports().lost());
    }

    @Test
    void s1Rhel8WithCriO() {
        OomKill kill = only(killsIn(
                "ingestd invoked oom-killer: gfp_mask=0x6000c0(GFP_KERNEL), order=0, oom_score_adj=999",
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=crio-653221dfcc8acb9d487337bbad876930180b04feb88794fc60dc17df7656471b.scope,mems_allowed=0-1,oom_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podf4b7a40e_96d5_4a2b_a5a7_41483de1f1f3.slice,task_memcg=/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podf4b7a40e_96d5_4a2b_a5a7_41483de1f1f3.slice/crio-653221dfcc8acb9d487337bbad876930180b04feb88794fc60dc17df7656471b.scope,task=ingestd,pid=207731,uid=1000870000",
                "Memory cgroup out of memory: Killed process 207731 (ingestd) total-vm:2511240kB, anon-rss:912340kB, file-rss:41216kB, shmem-rss:0kB, UID:1000870000 pgtables:2512kB oom_score_adj:999",
                "oom_reaper: reaped process 207731 (ingestd), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"));
        assertEquals(1_000_870_000, kill.uid());
        assertEquals(999, kill.oomScoreAdj());
        assertEquals(kill.sequence() - 2, kill.report());
        isIn("653221dfcc8acb9d487337bbad876930180b04feb88794fc60dc17df7656471b", kill);
        assertEquals(
                CgroupName.Role.POD,
                CgroupName.ofPath(Objects.requireNonNull(kill.oomMemcg())).role());
    }

    @Test
    void s2InLxc() {
        OomKill kill = only(killsIn(
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=cri-containerd-681ed881ab533ce17a72c1833ec85396d500fd28697022fb8a8c565a2c735418.scope,mems_allowed=0-1,oom_memcg=/lxc.payload.xx-lxc/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7130af54_ea5b_4d9d_afaa_96a171cbd39f.slice,task_memcg=/lxc.payload.xx-lxc/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7130af54_ea5b_4d9d_afaa_96a171cbd39f.slice/cri-containerd-681ed881ab533ce17a72c1833ec85396d500fd28697022fb8a8c565a2c735418.scope,task=train_worker,pid=482190,uid=0",
                KernelSays.killed(482_190, "train_worker")));
        isIn("681ed881ab533ce17a72c1833ec85396d500fd28697022fb8a8c565a2c735418", kill);
    }

    @Test
    void s3UnderCgroupfs() {
        OomKill kill = only(killsIn(
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=628bb2d64e2ae76455b6dad87610f58f2acd89f67ffb84dabae7e8085c7d8b74,mems_allowed=0,oom_memcg=/kubepods/burstable/pod54f98ebd-2b3d-4036-aec3-34eb5862d37a,task_memcg=/kubepods/burstable/pod54f98ebd-2b3d-4036-aec3-34eb5862d37a/628bb2d64e2ae76455b6dad87610f58f2acd89f67ffb84dabae7e8085c7d8b74,task=operator,pid=971,uid=0",
                KernelSays.killed(971, "operator")));
        assertEquals("/kubepods/burstable/pod54f98ebd-2b3d-4036-aec3-34eb5862d37a", kill.oomMemcg());
        isIn("628bb2d64e2ae76455b6dad87610f58f2acd89f67ffb84dabae7e8085c7d8b74", kill);
    }

    @Test
    void s4TheNodeWithDocker() {
        OomKill kill = only(killsIn(
                "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=hostagent,mems_allowed=0,global_oom,task_memcg=/system.slice/docker-4a6c150602f8fae21b07345c7c0fccc8b4f39d11ebaa3822b92c32ff94f94211.scope,task=java,pid=9241,uid=1000",
                "Out of memory: Killed process 9241 (java) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB"));
        assertEquals(Scope.NODE, kill.scope());
        assertEquals(1_000, kill.uid(), "the summary's, before Linux 5.4");
        assertEquals(
                "/system.slice/docker-4a6c150602f8fae21b07345c7c0fccc8b4f39d11ebaa3822b92c32ff94f94211.scope",
                kill.taskMemcg());
    }

    @Test
    void s5El7() {
        OomKill kill = only(killsIn(
                "java invoked oom-killer: gfp_mask=0xd0, order=0, oom_score_adj=-998",
                "java cpuset=bae308b2294f9e9b7fa6affc75c1a9340adb8ec905e46c3ed5f63d2bfd0186e5 mems_allowed=0",
                "Memory cgroup stats for /kubepods/pod5eda43ae-c8a3-4576-ad38-62239400daa8/af68419d6d906ea41f6c5350a436581c7eb91b054542afbf5e43bfaaa124f944: cache:48KB rss:524144KB rss_huge:368640KB mapped_file:0KB swap:524288KB inactive_anon:266240KB active_anon:257904KB inactive_file:12KB active_file:4KB unevictable:0KB",
                "Memory cgroup out of memory: Kill process 31877 (java) score 0 or sacrifice child",
                "Killed process 31902 (java) total-vm:19877712kB, anon-rss:471020kB, file-rss:12988kB"));
        assertEquals(31_902, kill.pid());
        assertEquals(kill.sequence() - 4, kill.report());
        assertNull(kill.taskMemcg(), "what the statistics are of is the limit's");
    }

    @Test
    void s6BeforeLinux5() {
        String path =
                "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod8c5e45a0_1f3e_4701_aff4_8d5c67c00ea0.slice/docker-d2cbe977939071f5dc290448abf96b60b5ad98069a47900064172c3776efeb97.scope";
        OomKill kill = only(killsIn(
                KernelSays.invoked("java"),
                "Task in " + path + " killed as a result of limit of " + path,
                "Memory cgroup out of memory: Kill process 31877 (java) score 0 or sacrifice child",
                "Killed process 31877 (java) total-vm:19877712kB, anon-rss:471020kB, file-rss:12988kB, shmem-rss:0kB"));
        assertEquals(path, kill.oomMemcg());
        assertEquals(path, kill.taskMemcg());
        assertEquals(Scope.CGROUP, kill.scope());
        isIn("d2cbe977939071f5dc290448abf96b60b5ad98069a47900064172c3776efeb97", kill);
    }

    @Test
    void s8ARuntimeIsTheVictim() {
        OomKill kill = only(
                killsIn(
                        "Memory cgroup out of memory: Kill process 402118 (runc) score 402 or sacrifice child",
                        "Killed process 402131 (runc:[2:INIT]) total-vm:481220kB, anon-rss:2956kB, file-rss:3904kB, shmem-rss:0kB"));
        assertEquals("runc:[2:INIT]", kill.command());
        assertEquals(402_131, kill.pid());
    }

    @Test
    void s9ACutSummaryIsNone() {
        OomKill kill = only(killsIn(
                "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=container,mems_allowed=0,oom_",
                KernelSays.killed(5, "x")));
        assertNull(kill.taskMemcg());
        assertEquals(kill.sequence() - 1, kill.report());
    }

    /** 6.1 and 6.12, one run each: E3 plain, E3b group, E3c the pod's limit, E3d a hostile name, E3e a limit lowered. */
    @Test
    void s10WholeRuns() {
        runOf("6.1.192", 98);
        runOf("6.12.117", 152);
    }

    private static void runOf(String version, int first) {
        List<OomKill> kills = killsOf(KernelSays.capture(version + "/oom"));
        String told = kills.stream()
                .map(kill -> kill.pid() - first + " " + kill.role() + " " + kill.command()
                        + (POD.equals(kill.oomMemcg()) ? " by the pod's limit" : ""))
                .collect(Collectors.joining("\n"));
        assertEquals("""
                0 VICTIM hogger
                3 VICTIM hogger
                1 MEMBER init-proc
                2 MEMBER sidekick
                3 AGAIN hogger
                6 VICTIM hogger by the pod's limit
                9 VICTIM a b),pid=1
                \\x
                10 VICTIM holder""", told);
        assertEquals(5, kills.stream().map(OomKill::report).distinct().count(), "incidents");
        kills.forEach(kill -> {
            assertEquals(Scope.CGROUP, kill.scope());
            assertEquals(CONTAINER, kill.taskMemcg());
            assertEquals(POD.equals(kill.oomMemcg()) ? POD : CONTAINER, kill.oomMemcg());
            assertEquals(0, kill.uid());
            assertEquals(0, kill.oomScoreAdj());
            assertTrue(kill.anonRss() >= 0 && kill.fileRss() == 0 && kill.shmemRss() > 0);
        });
    }

    @Test
    void s10TheNode() {
        OomKill kill = only(killsOf(KernelSays.capture("6.12.117/global")));
        assertEquals(364, kill.report());
        assertEquals(418, kill.sequence());
        assertEquals(Scope.NODE, kill.scope());
        assertEquals("globalhog", kill.command());
        assertEquals(CONTAINER, kill.taskMemcg());
        assertNull(kill.oomMemcg());
        assertEquals(193_024 * 1_024, kill.anonRss());
    }

    @Test
    void s10AnEqualLimitOfPodAndContainer() {
        OomKill kill = only(killsOf(KernelSays.capture("6.12.117/eqmem")));
        assertEquals(153, kill.pid());
        assertEquals(POD, kill.oomMemcg());
        assertEquals(CONTAINER, kill.taskMemcg());
    }

    @Test
    void s10ALongLine() {
        OomKill kill = only(killsOf(KernelSays.capture("6.12.117/long")));
        assertEquals(365, kill.report());
        assertEquals(kill.oomMemcg(), kill.taskMemcg());
        assertEquals(POD + "/" + "a".repeat(180) + "/" + "b".repeat(180) + "/" + "c".repeat(180), kill.taskMemcg());
    }

    @Test
    void s10WhatUserSpaceWrote() {
        assertEquals(List.of(), killsOf(KernelSays.capture("6.12.117/kmsg")));
    }

    /** One record with escaped line ends, cut off. */
    @Test
    void whatWasChargedBefore62() {
        OomKill kill = killsOf(KernelSays.capture("6.1.192/oom")).get(0);
        assertEquals(new OomMemory(32_528 * 1_024, 32_768 * 1_024, 33_079_296, 0, 0, 229_376), kill.memory());
    }

    /** A record for each line. */
    @Test
    void whatWasCharged() {
        OomKill kill = killsOf(KernelSays.capture("6.12.117/oom")).get(0);
        assertEquals(new OomMemory(32_768 * 1_024, 32_768 * 1_024, 33_316_864, 0, 0, 237_568), kill.memory());
    }

    @Test
    void whatWasChargedToTheNodeIsNotSaid() {
        assertNull(only(killsOf(KernelSays.capture("6.12.117/global"))).memory());
    }

    @Test
    void whatIsCutOffIsNoNumber() {
        OomMemory memory = killsIn(
                        "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
                        "memory: usage 20kB, limit 9007199254740988kB, failcnt 7",
                        "anon 4096\\x0afile 81",
                        "Memory cgroup out of memory: Killed process 7 (a) total-vm:1kB, anon-rss:1kB, file-rss:1kB",
                        "memory: usage 30kB, limit 40kB, failcnt 7",
                        "Memory cgroup out of memory: Killed process 8 (b) total-vm:1kB, anon-rss:1kB, file-rss:1kB")
                .get(0)
                .memory();
        assertEquals(new OomMemory(20_480, Value.ABSENT, 4_096, Value.ABSENT, Value.ABSENT, Value.ABSENT), memory);
    }

    @Test
    void whatWasChargedIsOfOneReportOnly() {
        List<OomKill> kills = killsIn(
                "a invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0",
                "memory: usage 20kB, limit 20kB, failcnt 7",
                "Memory cgroup out of memory: Killed process 7 (a) total-vm:1kB, anon-rss:1kB, file-rss:1kB",
                "Memory cgroup out of memory: Killed process 8 (b) total-vm:1kB, anon-rss:1kB, file-rss:1kB");
        assertEquals(20_480, Objects.requireNonNull(kills.get(0).memory()).usage());
        assertNull(kills.get(1).memory());
    }
}
