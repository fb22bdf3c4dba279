package io.kubepods.agent.metrics;

import io.kubepods.model.OomSeries;
import io.kubepods.model.SliceState;
import io.kubepods.oom.OomCause;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * The ledger of OOM kills, whose counts outlive the containers and pods they are of. Every cause is there at 0, so that the
 * first OOM is an increase.
 *
 * <pre>
 * kubepods_container_oom_kills_total{container="api",namespace="shop",pod="order-api-0"} 4.0
 * kubepods_container_oom_incidents_total{cause="pod_limit",container="api",namespace="shop",pod="order-api-0"} 2.0
 * </pre>
 */
final class OomFamilies {
    static final List<Family<OomSeries>> CONTAINERS = of(
            "kubepods_container_oom_",
            "in the container, all its instances together",
            OomSeries::kills,
            OomSeries::incidents);

    static final List<Family<OomSeries>> PODS = of(
            "kubepods_pod_unattributed_oom_",
            "in the pod that no container can be named for",
            OomSeries::kills,
            OomSeries::incidents);

    static final List<Family<SliceState>> SLICES = of(
            "kubepods_slice_oom_",
            "in all pods of the slice, those that are gone too",
            slice -> slice.ooms().kills(),
            (slice, cause) -> slice.ooms().incidents(cause));

    private OomFamilies() {}

    private static <T> List<Family<T>> of(
            String prefix, String where, ToLongFunction<T> kills, ToLongBiFunction<T, OomCause> incidents) {
        Family<T> byCause = Family.by(
                "cause",
                prefix + "incidents_total",
                "OOMs " + where
                        + ", each one whatever it took along, by whose limit was hit; those before this agent first saw"
                        + " the pod are not known.");
        for (OomCause cause : OomCause.values()) {
            byCause = byCause.with(cause.label(), subject -> Amount.of(incidents.applyAsLong(subject, cause)));
        }
        return List.of(
                Family.of(
                        prefix + "kills_total",
                        "Processes killed by the kernel's OOM killer " + where
                                + "; as the kernel counts them, the victim of a group kill twice (memory.events oom_kill).",
                        subject -> Amount.of(kills.applyAsLong(subject))),
                byCause);
    }
}
