package io.kubepods.agent.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A kubeconfig file with one cluster and one user. */
public final class KubeconfigOnDisk {
    /** With a token. */
    public static final String USER = "{name: u, user: {token: t}}";

    private KubeconfigOnDisk() {}

    /**
     * @param server its address, with what else is said of the cluster
     * @param users as YAML has them between the brackets
     */
    public static Path write(Path directory, String server, String users) throws IOException {
        return Files.writeString(directory.resolve("config"), """
                apiVersion: v1
                kind: Config
                current-context: c
                contexts: [{name: c, context: {cluster: a, user: u}}]
                clusters: [{name: a, cluster: {server: %s}}]
                users: [%s]
                """.formatted(server, users));
    }
}
