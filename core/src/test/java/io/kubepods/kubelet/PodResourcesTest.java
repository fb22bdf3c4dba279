package io.kubepods.kubelet;

import static io.kubepods.kubelet.Quantities.ABSENT;
import static io.kubepods.kubelet.Quantities.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Expected values are worked out by hand from component-helpers' resource/helpers.go. */
class PodResourcesTest {
    private static Quantities of(long cpuMillis, long memoryBytes) {
        return new Quantities(cpuMillis, memoryBytes);
    }

    private static ContainerSpec container(Quantities requests, Quantities limits) {
        return new ContainerSpec("", new Resources(exact(requests), exact(limits)), false);
    }

    private static ContainerSpec sidecar(Quantities requests, Quantities limits) {
        return new ContainerSpec("", new Resources(exact(requests), exact(limits)), true);
    }

    private static PodResources of(@Nullable Resources podLevel, Amounts overhead, ContainerSpec... containers) {
        return PodResources.of(
                new PodSpec(List.of(), List.of(containers), podLevel, overhead, PodPriority.NONE, Resize.NONE, false));
    }

    private static Amounts exact(Quantities amounts) {
        return new Amounts(
                amounts.cpuMillis() == ABSENT ? null : BigDecimal.valueOf(amounts.cpuMillis(), 3),
                amounts.memoryBytes() == ABSENT ? null : BigDecimal.valueOf(amounts.memoryBytes()));
    }

    private static PodResources of(List<ContainerSpec> init, List<ContainerSpec> containers) {
        return PodResources.of(new PodSpec(init, containers));
    }

    @Test
    void containersAreAddedUp() {
        assertEquals(
                new PodResources(of(300, 30), of(600, 60)),
                of(List.of(), List.of(container(of(100, 10), of(200, 20)), container(of(200, 20), of(400, 40)))));
        assertEquals(PodResources.NONE, of(List.of(), List.of(container(NONE, NONE))), "nothing said is not zero");
        assertEquals(
                of(0, ABSENT),
                of(List.of(), List.of(container(of(0, ABSENT), NONE))).requests());
    }

    @Test
    void anInitContainerCountsWhereItNeedsMoreThanAllThatFollows() {
        assertEquals(
                new PodResources(of(1_000, 30), of(1_500, 60)),
                of(List.of(container(of(1_000, 5), of(1_500, 5))), List.of(container(of(300, 30), of(600, 60)))));
    }

    @Test
    void sidecarsRunBesideWhatComesAfterThem() {
        // 500 before the sidecar is there; 100 + 450 beside it; 100 + 300 at the end.
        assertEquals(
                of(550, 40),
                of(
                                List.of(
                                        container(of(500, 1), NONE),
                                        sidecar(of(100, 10), NONE),
                                        container(of(450, 20), NONE)),
                                List.of(container(of(300, 30), NONE)))
                        .requests());
    }

    @Test
    void oneContainerWithoutALimitLeavesThePodWithout() {
        assertEquals(
                of(ABSENT, 60),
                of(List.of(), List.of(container(NONE, of(200, 20)), container(NONE, of(ABSENT, 40))))
                        .limits());
        assertEquals(
                of(ABSENT, ABSENT),
                of(List.of(container(NONE, NONE)), List.of(container(NONE, of(200, 20))))
                        .limits(),
                "an init container too, even when it has ended");
        assertEquals(
                of(ABSENT, 20),
                of(List.of(), List.of(container(NONE, of(0, 20)))).limits(),
                "zero is no limit");
    }

    @Test
    void aSidecarsLimitStandsInForThatOfTheInitContainersAfterIt() {
        assertEquals(
                of(300, 30),
                of(List.of(sidecar(NONE, of(100, 10)), container(NONE, NONE)), List.of(container(NONE, of(200, 20))))
                        .limits());
    }

    @Test
    void whatIsSaidOfThePodTakesThePlaceOfTheSum() {
        Resources pod = new Resources(exact(of(1_000, ABSENT)), exact(of(ABSENT, 100)));
        assertEquals(
                new PodResources(of(1_000, 10), of(ABSENT, 100)), of(pod, Amounts.NONE, container(of(100, 10), NONE)));
    }

    @Test
    void theOverheadIsAddedToRequestsAndToLimitsThatThereAre() {
        assertEquals(
                new PodResources(of(150, 5), of(250, ABSENT)),
                of(null, exact(of(50, 5)), container(of(100, ABSENT), of(200, ABSENT))));
    }

    @Test
    void theSumIsRoundedAndNotItsParts() {
        Amounts part = new Amounts(new BigDecimal("0.0001"), new BigDecimal("107374182.4"));
        ContainerSpec container = new ContainerSpec("", new Resources(part, part), false);
        PodResources resources = of(null, part, container, container);
        assertEquals(new PodResources(of(1, 322_122_548), of(1, 322_122_548)), resources);
    }

    @Test
    void whatIsMoreThanANumberCanBeIsTheLargest() {
        Amounts most = new Amounts(BigDecimal.valueOf(Long.MAX_VALUE), BigDecimal.valueOf(Long.MAX_VALUE));
        ContainerSpec container = new ContainerSpec("", new Resources(most, Amounts.NONE), false);
        assertEquals(
                of(Long.MAX_VALUE, Long.MAX_VALUE),
                of(List.of(), List.of(container, container)).requests());
    }
}
