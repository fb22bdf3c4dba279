/** Kubernetes' view of this node's pods. */
@NullMarked
package io.kubepods.agent.kube;

import org.jspecify.annotations.NullMarked;
