package io.kubepods.kubelet;

/** {@code resources} of a container or of a pod, as the spec has them after the API server has filled in what follows. */
public record Resources(Amounts requests, Amounts limits) {
    public static final Resources NONE = new Resources(Amounts.NONE, Amounts.NONE);
}
