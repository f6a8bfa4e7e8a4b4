package io.holdfast.core;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The core sees no clock, no I/O, no thread, no random, and no order that changes from run to run. */
class ArchitectureTest {
    /** Classes of the allowed packages that would let the machine decide. */
    private static final Class<?>[] REFUSED = {
        System.class,
        Thread.class,
        ThreadLocal.class,
        ThreadGroup.class,
        Runtime.class,
        Process.class,
        ProcessBuilder.class,
        ProcessHandle.class,
        java.util.Calendar.class,
        java.util.Date.class,
        java.util.HashMap.class,
        java.util.HashSet.class,
        java.util.Hashtable.class,
        java.util.IdentityHashMap.class,
        java.util.Random.class,
        java.util.Scanner.class,
        java.util.ServiceLoader.class,
        java.util.SplittableRandom.class,
        java.util.TimeZone.class,
        java.util.Timer.class,
        java.util.TimerTask.class,
        java.util.UUID.class,
        java.util.WeakHashMap.class
    };

    @Test
    void the_core_depends_on_what_is_allowed_and_nothing_else() {
        // An allow-list, so that a new JDK package is refused until someone has thought about it.
        DescribedPredicate<JavaClass> allowed = resideInAnyPackage(
                        "io.holdfast.core..",
                        "java.lang",
                        "java.lang.annotation",
                        "java.lang.invoke",
                        "java.lang.runtime",
                        "java.util",
                        "java.util.function",
                        "java.util.stream",
                        "org.jspecify..")
                .or(arraysOfPrimitives())
                .and(DescribedPredicate.not(belongToAnyOf(REFUSED)));
        classes()
                .that()
                .resideInAPackage("io.holdfast.core..")
                .should()
                .onlyDependOnClassesThat(allowed)
                .allowEmptyShould(true)
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.holdfast.core"));
    }

    private static DescribedPredicate<JavaClass> arraysOfPrimitives() {
        return DescribedPredicate.describe(
                "arrays of primitives",
                type -> type.isArray() && type.getBaseComponentType().isPrimitive());
    }
}
