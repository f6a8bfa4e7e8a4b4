package io.holdfast.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.MemberInfo;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast cluster members|add|remove|transfer-leader}. */
final class MemberCommands {
    private static final List<String> HEADS = List.of("NODE", "CLIENT", "RAFT", "");

    private MemberCommands() {}

    /** {@code holdfast cluster members}. */
    @Command(
            name = "members",
            description = "Lists the members, as the leader knows them, whether they run or not.",
            footer = {
                "",
                "With -o json: leader, term, members[] (id, endpoint, raftAddress).",
                "Exit code: 0 listed, 3 no leader within --timeout.",
                "",
                "Examples:",
                "  holdfast cluster members",
                "  holdfast cluster members -o json"
            })
    static final class Members implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                io.holdfast.client.Members members = client.admin().members();
                Printer.result(output.isJson() ? json(members) : table(members));
                return Exit.YES;
            }
        }
    }

    /** {@code holdfast cluster add}. */
    @Command(
            name = "add",
            description = "Adds a member, and waits until it has caught up.",
            footer = {
                "",
                "Start its node first, with an empty data folder and a configuration that lists all members and itself:"
                        + " it waits to be added, and shows this command with its addresses.",
                "If the answer is lost it is not known whether the member was added: 'cluster members' tells.",
                "With -o json: added, members[] (id, endpoint, raftAddress).",
                "Exit code: 0 added, 1 it cannot be (ALREADY_MEMBER, CHANGE_UNDER_WAY, MEMBER_NOT_READY), 3 no leader.",
                "",
                "Examples:",
                "  holdfast cluster add n4 --client 10.0.0.4:7401 --raft 10.0.0.4:7411",
                "  holdfast cluster add n4 --client host4:7401 --raft host4:7411 --catch-up 30m"
            })
    static final class Add implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters(index = "0", paramLabel = "ID", description = "Its node id.")
        private String id = "";

        @Option(
                names = "--client",
                paramLabel = "HOST:PORT",
                required = true,
                description = "Where clients and the other members reach it.")
        private String client = "";

        @Option(
                names = "--raft",
                paramLabel = "HOST:PORT",
                required = true,
                description = "Where the other members replicate to it.")
        private String raft = "";

        @Option(
                names = "--catch-up",
                paramLabel = "DURATION",
                defaultValue = "5m",
                converter = Durations.Converter.class,
                description = "How long it may take to catch up, 1s to 1h (default: ${DEFAULT-VALUE}); if it has not by"
                        + " then, it is not added.")
        private Duration catchUp = Duration.ofMinutes(5);

        @Override
        public Exit call() throws InterruptedException {
            if (catchUp.toMillis() < 1_000 || catchUp.compareTo(Duration.ofHours(1)) > 0) {
                throw Failure.usage("catch-up", "--catch-up is " + catchUp.toMillis() + "ms; it must be 1s to 1h");
            }
            try (HoldfastClient holdfast = cluster.client()) {
                if (Printer.isWatched()) {
                    Printer.note("waiting until " + id + " has caught up");
                }
                List<MemberInfo> members = holdfast.admin().addMember(new MemberInfo(id, client, raft), catchUp);
                Printer.result(changed(output, "added", id, members));
                return Exit.YES;
            }
        }
    }

    /** {@code holdfast cluster remove}. */
    @Command(
            name = "remove",
            description = "Removes a member, running or not. Its node says so, and stops.",
            footer = {
                "",
                "A leader hands leadership over first. What the node has in its data folder stays there; to use the node"
                        + " again, start it with --rejoin and add it.",
                "With -o json: removed, members[] (id, endpoint, raftAddress).",
                "Exit code: 0 removed, 1 it cannot be (NO_SUCH_MEMBER, LAST_MEMBER, CHANGE_UNDER_WAY), 3 no leader.",
                "",
                "Examples:",
                "  holdfast cluster remove n4"
            })
    static final class Remove implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters(index = "0", paramLabel = "ID", description = "Its node id.")
        private String id = "";

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                Printer.result(changed(output, "removed", id, client.admin().removeMember(id)));
                return Exit.YES;
            }
        }
    }

    /** {@code holdfast cluster transfer-leader}. */
    @Command(
            name = "transfer-leader",
            description = "Hands leadership over: to the member named, or to whichever is furthest.",
            footer = {
                "",
                "With -o json: leader.",
                "Exit code: 0 handed over (or the member led already), 1 it cannot be (NO_SUCH_MEMBER, LAST_MEMBER,"
                        + " MEMBER_NOT_READY, CHANGE_UNDER_WAY), 3 no leader.",
                "",
                "Examples:",
                "  holdfast cluster transfer-leader",
                "  holdfast cluster transfer-leader n2"
            })
    static final class TransferLeader implements Callable<Exit> {
        @Mixin
        private ClientOptions cluster = new ClientOptions();

        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters(index = "0", arity = "0..1", paramLabel = "ID", description = "Who is to lead.")
        private @Nullable String id;

        @Override
        public Exit call() throws InterruptedException {
            try (HoldfastClient client = cluster.client()) {
                String leader = client.admin().transferLeadership(Optional.ofNullable(id));
                Printer.result(
                        output.isJson()
                                ? Json.object(json -> json.writeStringField("leader", leader))
                                : leader + " leads");
                return Exit.YES;
            }
        }
    }

    static String table(io.holdfast.client.Members members) {
        List<List<String>> rows = members.members().stream()
                .map(it -> List.of(
                        it.id(),
                        it.endpoint(),
                        it.raftAddress(),
                        members.leader().filter(it.id()::equals).isPresent() ? "leads, term " + members.term() : ""))
                .toList();
        return LockTableText.aligned(HEADS, rows);
    }

    static String json(io.holdfast.client.Members members) {
        return Json.object(json -> {
            json.writeStringField("leader", members.leader().orElse(""));
            Json.number(json, "term", members.term());
            list(json, members.members());
        });
    }

    static String changed(OutputOptions output, String how, String id, List<MemberInfo> members) {
        if (output.isJson()) {
            return Json.object(json -> {
                json.writeStringField(how, id);
                list(json, members);
            });
        }
        String ids = members.stream().map(MemberInfo::id).collect(Collectors.joining(", "));
        return how + " " + id + "; the members are now " + ids;
    }

    private static void list(JsonGenerator json, List<MemberInfo> members) throws IOException {
        json.writeArrayFieldStart("members");
        for (MemberInfo member : members) {
            json.writeStartObject();
            json.writeStringField("id", member.id());
            json.writeStringField("endpoint", member.endpoint());
            json.writeStringField("raftAddress", member.raftAddress());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
