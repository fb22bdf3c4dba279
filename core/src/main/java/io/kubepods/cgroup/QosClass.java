package io.kubepods.cgroup;

import java.util.Locale;

/** A pod's quality of service, as the kubelet's directories tell it: Guaranteed pods have no level of their own. */
public enum QosClass {
    GUARANTEED,
    BURSTABLE,
    BESTEFFORT;

    /** @param directory {@code burstable} or {@code besteffort} */
    static QosClass of(String directory) {
        return valueOf(directory.toUpperCase(Locale.ROOT));
    }
}
