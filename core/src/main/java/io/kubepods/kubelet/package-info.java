/** The kubelet's arithmetic: from a pod's spec to what the kernel's files should say. */
@NullMarked
package io.kubepods.kubelet;

import org.jspecify.annotations.NullMarked;
