/**
 * Records of the kernel's log → {@link io.kubepods.oom.OomKill}: who was killed, at which limit, in which cgroup. It tells
 * kills apart and counts none: the count of record is memory.events, and the log forgets.
 */
@NullMarked
package io.kubepods.oom;

import org.jspecify.annotations.NullMarked;
