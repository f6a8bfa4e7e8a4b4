package io.holdfast.jepsen;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/**
 * Who may know whom, over all modules.
 *
 * <p>The harness itself is left out: it looks at every layer on purpose.
 */
class ArchitectureTest {
    private static final String CORE = "io.holdfast.core..";
    private static final String CODEC = "io.holdfast.statemachine.codec..";
    private static final String SNAPSHOT = "io.holdfast.statemachine.snapshot..";
    private static final String RATIS = "io.holdfast.statemachine.ratis..";
    private static final String NODE = "io.holdfast.server.node..";
    private static final String GRPC_DOOR = "io.holdfast.server.grpc..";
    private static final String SERVER = "io.holdfast.server..";
    private static final String CLIENT = "io.holdfast.client..";
    private static final String PROTOCOL = "io.holdfast.protocol..";
    private static final String CLI = "io.holdfast.cli..";
    private static final String HARNESS = "io.holdfast.jepsen..";
    private static final String PUBLIC_PROTO = "io.holdfast.v1..";
    private static final String LOG_PROTO = "io.holdfast.log.v1..";
    private static final String SNAPSHOT_PROTO = "io.holdfast.snapshot.v1..";

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.holdfast");

    @Test
    void protobuf_never_passes_beyond_the_codecs_and_the_front_doors() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(
                        CODEC, SNAPSHOT, GRPC_DOOR, CLIENT, PROTOCOL, PUBLIC_PROTO, LOG_PROTO, SNAPSHOT_PROTO, HARNESS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com.google.protobuf..", "com.google.rpc..", PUBLIC_PROTO, LOG_PROTO, SNAPSHOT_PROTO)
                .because("a protobuf type has no business beyond a codec or a front door"));
    }

    @Test
    void the_snapshot_format_is_known_to_snapshots_alone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(SNAPSHOT, SNAPSHOT_PROTO)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SNAPSHOT_PROTO)
                .because("one place knows how a checkpoint is written"));
    }

    @Test
    void the_log_format_is_known_to_the_codec_alone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(CODEC, LOG_PROTO)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LOG_PROTO)
                .because("the codec is the only place that knows how an entry is written"));
    }

    @Test
    void the_codec_knows_no_public_protocol() {
        check(noClasses()
                .that()
                .resideInAPackage(CODEC)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PUBLIC_PROTO, "io.grpc..")
                .because("the log must stay readable when the public protocol moves on"));
    }

    @Test
    void ratis_never_passes_beyond_the_state_machine_and_the_bootstrap() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(RATIS, "io.holdfast.server.ratis..", NODE, HARNESS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.ratis..")
                .because("replacing or upgrading Ratis must touch its own packages only"));
    }

    @Test
    void rocksdb_is_known_to_snapshots_alone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(SNAPSHOT, HARNESS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.rocksdb..")
                .because("native memory is opened and closed in one place"));
    }

    @Test
    void grpc_is_known_to_its_door_the_bootstrap_and_the_client_alone() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages(GRPC_DOOR, NODE, CLIENT, PROTOCOL, PUBLIC_PROTO, HARNESS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.grpc..")
                .because("a front door translates; what stands behind it does not know which door was used"));
    }

    @Test
    void data_walks_one_way() {
        check(classes()
                .that()
                .resideInAPackage(CORE)
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage(CORE, "io.holdfast.statemachine..", SERVER, HARNESS)
                .because("clients and commands speak the protocol, not the core"));
        check(noClasses()
                .that()
                .resideInAPackage("io.holdfast.statemachine..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(SERVER, CLIENT, CLI, HARNESS)
                .because("what is replicated does not know who asks"));
        check(noClasses()
                .that()
                .resideInAPackage("io.holdfast.server.proposer..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(GRPC_DOOR)
                .because("the proposer serves every front door alike"));
        check(noClasses()
                .that()
                .resideInAPackage(CLIENT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(CORE, "io.holdfast.statemachine..", SERVER, CLI, HARNESS)
                .because("an application links the client and the protocol, not a server"));
    }

    /** A rule about a package that has no classes yet holds. */
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(PRODUCT);
    }
}
