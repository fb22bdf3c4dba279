<<<<<<< HEAD
/** OOM kills: how the kernel counts them, what its log says of them, and whose limit they were of. */
=======
/**
 * Records of the kernel's log → {@link io.kubepods.oom.OomKill}: who was killed, at which limit, in which cgroup. It tells
 * kills apart and counts none: the count of record is memory.events, and the log forgets.
 */
>>>>>>> 26e07322824a0be2c5d3f35154a1be1087d2057e
@NullMarked
package io.kubepods.oom;

import org.jspecify.annotations.NullMarked;
