package io.kubepods.model;

import io.kubepods.kubelet.Quantities;

/**
 * What is told of the node as a whole.
 *
 * @param cgroupDriver systemd or cgroupfs, by the kubelet's names for its directories; "" before it has made one
 * @param kernel as {@code uname -r} prints it; "" when it cannot be read
 * @param pageSize in bytes
 * @param capacity what the API says the node has
 * @param memory of the whole machine
 * @param totals of its pods
 */
public record NodeState(
        String cgroupDriver, String kernel, int pageSize, Quantities capacity, NodeMemory memory, NodeTotals totals) {}
