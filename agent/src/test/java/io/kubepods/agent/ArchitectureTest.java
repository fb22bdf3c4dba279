package io.kubepods.agent;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The arrows between packages, of both modules. */
class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.kubepods");

    @Test
    void arrowsGoOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("kernel")
                .definedBy("io.kubepods.kernel")
                .layer("kubelet")
                .definedBy("io.kubepods.kubelet")
                .layer("cgroup")
                .definedBy("io.kubepods.cgroup")
                .layer("model")
                .definedBy("io.kubepods.model")
                .layer("kube")
                .definedBy("io.kubepods.agent.kube")
                .layer("metrics")
                .definedBy("io.kubepods.agent.metrics")
                .layer("http")
                .definedBy("io.kubepods.agent.http")
                .layer("demo")
                .definedBy("io.kubepods.agent.demo")
                .layer("agent")
                .definedBy("io.kubepods.agent")
                .whereLayer("kernel")
                .mayNotAccessAnyLayer()
                .whereLayer("kubelet")
                .mayNotAccessAnyLayer()
                .whereLayer("cgroup")
                .mayOnlyAccessLayers("kernel")
                .whereLayer("model")
                .mayOnlyAccessLayers("cgroup", "kernel", "kubelet")
                .whereLayer("kube")
                .mayOnlyAccessLayers("model", "kubelet")
                .whereLayer("metrics")
                .mayOnlyAccessLayers("model", "cgroup", "kernel", "kubelet")
                .whereLayer("http")
                .mayNotAccessAnyLayer()
                .whereLayer("demo")
                .mayNotAccessAnyLayer()
                .whereLayer("agent")
                .mayNotBeAccessedByAnyLayer()
                .check(OURS);
    }
}
