package io.kubepods.model;

import io.kubepods.cgroup.Cgroup;
import io.kubepods.oom.OomState;
import io.kubepods.oom.OomState.Identity;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the agent before knew of cgroups, until each is found or is seen to be gone. What it had accounted for of one that is
 * gone goes to the nearest above it that is there; what it had not is found there, unexplained.
 *
 * <p>Used by the thread that holds the sampler's lock.
 */
final class OomRestart {
    private final Map<Identity, OomState.Account> left = new HashMap<>();

    private static Identity identity(Cgroup cgroup) {
        return new Identity(
                cgroup.id(),
                Objects.requireNonNullElse(cgroup.name().podUid(), ""),
                Objects.requireNonNullElse(cgroup.name().containerId(), ""));
    }

    void begin(Collection<OomState.Account> accounts) {
        accounts.forEach(account -> left.put(account.identity(), account));
    }

    /** What is known of a cgroup that is there; null when it is a new one. */
    OomState.@Nullable Account take(Cgroup cgroup) {
        return left.isEmpty() ? null : left.remove(identity(cgroup));
    }

    /**
     * After the first look.
     *
     * @param parents the pods and slices that are there
     * @return what is gone
     */
    List<OomState.Account> end(List<OomAccount> parents) {
        List<OomState.Account> gone = List.copyOf(left.values());
        for (OomState.Account account : gone) {
            OomAccount heir = heir(account, parents);
            if (heir != null) {
                heir.restoreGone(account);
            }
        }
        left.clear();
        return gone;
    }

    private @Nullable OomAccount heir(OomState.Account gone, List<OomAccount> parents) {
        long above = gone.parent();
        while (above != 0) {
            for (OomAccount parent : parents) {
                if (parent.cgroup.id() == above) {
                    return parent;
                }
            }
            above = parentOf(above);
        }
        return null;
    }

    private long parentOf(long id) {
        for (OomState.Account account : left.values()) {
            if (account.id() == id && account.containerId().isEmpty()) {
                return account.parent();
            }
        }
        return 0;
    }
}
