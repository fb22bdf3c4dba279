/** What the tests of several packages share: nodes in plain files, seeds, a count of open descriptors. */
@NullMarked
package io.kubepods;

import org.jspecify.annotations.NullMarked;
