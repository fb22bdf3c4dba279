/** A small simulated Kubernetes node as plain files: see every metric move without a cluster. */
@NullMarked
package io.kubepods.agent.demo;

import org.jspecify.annotations.NullMarked;
