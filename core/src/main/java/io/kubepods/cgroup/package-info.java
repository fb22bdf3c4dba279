/**
 * One cgroup directory → one {@link io.kubepods.cgroup.CgroupSample}; how the directories of a kubepods tree are named and
 * laid out, by every kubelet, driver and runtime (cgroup v2).
 */
@NullMarked
package io.kubepods.cgroup;

import org.jspecify.annotations.NullMarked;
