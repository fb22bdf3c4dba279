package io.kubepods;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arrows within core, and what it may stand on. An arrow is listed with the packages it leads to; there are no others. */
class ArchitectureTest {
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.kubepods");

    @Test
    void coreHasClasses() {
        assertTrue(CORE.contain("io.kubepods.kernel.PosixFiles"));
        assertTrue(CORE.contain("io.kubepods.cgroup.CgroupTree"));
        assertTrue(CORE.contain("io.kubepods.oom.OomReports"));
        assertTrue(CORE.contain("io.kubepods.model.NodeSampler"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "kernel  > ''",
                "kubelet > ''",
                "cgroup  > kernel",
                "oom     > cgroup kernel",
                "model   > cgroup kernel oom kubelet",
            })
    void arrows(String from, String to) {
        String[] allowed = Arrays.stream((from + " " + to).trim().split(" +", -1))
                .map(name -> "io.kubepods." + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("io.kubepods." + from + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.kubepods..").and(not(resideInAnyPackage(allowed))))
                .allowEmptyShould(true)
                .check(CORE);
    }

    @Test
    void everyClassIsInOneOfThosePackages() {
        classes()
                .should()
                .resideInAnyPackage(
                        "io.kubepods.kernel..",
                        "io.kubepods.cgroup..",
                        "io.kubepods.oom..",
                        "io.kubepods.kubelet..",
                        "io.kubepods.model..")
                .check(CORE);
    }

    @Test
    void noCycles() {
        slices().matching("io.kubepods.(*)..").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void coreStandsOnTheJdkJnaSlf4jAndJspecify() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "io.kubepods..", "java..", "com.sun.jna..", "org.slf4j..", "org.jspecify.annotations.."))
                .check(CORE);
    }

    /** An HTTP client is in the JDK too. */
    @Test
    void coreSpeaksToNobody() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..")
                .check(CORE);
    }

    @Test
    void onlyTheKernelPackageCallsTheCLibrary() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.kubepods.kernel..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.sun.jna..").or(simpleName("Libc")))
                .check(CORE);
    }
}
