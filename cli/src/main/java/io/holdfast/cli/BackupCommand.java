package io.holdfast.cli;

import io.holdfast.client.BackupInfo;
import io.holdfast.client.HoldfastClient;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast backup}. */
@Command(
        name = "backup",
        description = "Writes the whole state, as it was at one log index, into one file.",
        subcommands = BackupCommand.Verify.class,
        footer = {
            "",
            "A follower makes it, if there is one. It comes into FILE.part, is synced and read again from end to end, and"
                    + " only then gets its name. 'holdfast restore' makes a new cluster of it.",
            "With -o json: file, node, cluster, term, index, leaseTime, lastToken, digest, bytes, sha256 (of the file).",
            "Exit code: 0 written and verified, 1 the node cannot make one (DISK_UNUSABLE, LIMIT_REACHED, NO_SUCH_MEMBER),"
                    + " 2 FILE cannot be written, 3 no node answers, or it did not come whole.",
            "",
            "Examples:",
            "  holdfast backup /backups/locks-monday.zip",
            "  holdfast backup locks.zip --node n3 --force",
            "  holdfast backup verify locks.zip"
        })
final class BackupCommand implements Callable<Exit> {
    @Mixin
    private ClientOptions cluster = new ClientOptions();

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = "Where to.")
    private @Nullable Path file;

    @Option(
            names = "--node",
            paramLabel = "ID",
            description = "Which node makes it (default: a follower, or the leader if there is none).")
    private @Nullable String node;

    @Option(names = "--force", description = "Replace FILE if there is one.")
    private boolean isForced;

    @Override
    public Exit call() throws InterruptedException {
        if (file == null) {
            throw Failure.usage("FILE", "FILE is missing: where is the backup to go?");
        }
        BackupTarget target = BackupTarget.of(file, isForced);
        try (HoldfastClient client = cluster.client()) {
            BackupInfo info = receive(client, target);
            Printer.result(output.isJson() ? json(target.file(), info) : text(target.file(), info));
            return Exit.YES;
        }
    }

    private BackupInfo receive(HoldfastClient client, BackupTarget target) throws InterruptedException {
        ProgressLine progress = new ProgressLine();
        try {
            return Caller.givingUpWhenStopped(
                    () -> target.write(out -> client.admin().backup(Optional.ofNullable(node), out, progress)));
        } finally {
            progress.end();
        }
    }

    static String text(Path file, BackupInfo it) {
        return "backup     " + file
                + "\nmade by    " + it.nodeId() + " of cluster " + it.cluster()
                + "\nindex      " + it.index() + ", term " + it.term()
                + "\ndigest     " + it.digest()
                + "\nsize       " + it.bytes() + " bytes (" + Bytes.text(it.contentBytes()) + " unpacked)"
                + "\nsha256     " + it.sha256();
    }

    static String json(Path file, BackupInfo it) {
        return Json.object(json -> {
            json.writeStringField("file", file.toString());
            json.writeStringField("node", it.nodeId());
            json.writeStringField("cluster", it.cluster());
            Json.number(json, "term", it.term());
            Json.number(json, "index", it.index());
            Json.number(json, "leaseTime", it.leaseTimeNanos());
            Json.number(json, "lastToken", it.lastToken());
            json.writeStringField("digest", it.digest());
            Json.number(json, "bytes", it.bytes());
            json.writeStringField("sha256", it.sha256());
        });
    }

    /** {@code holdfast backup verify}. */
    @Command(
            name = "verify",
            description = "Reads a backup from end to end, and says what is in it or what is wrong with it.",
            footer = {
                "",
                "Needs no cluster. Each file in it must have the size and SHA-256 that its manifest says, and nothing may"
                        + " be missing or be there besides.",
                "With -o json: file, product, cluster, term, index, leaseTime, lastToken, featureLevel, digest, createdAt,"
                        + " files, bytes.",
                "Exit code: 0 whole and sound, 1 not (BACKUP_UNUSABLE), 2 there is no such file.",
                "",
                "Examples:",
                "  holdfast backup verify /backups/locks-monday.zip"
            })
    static final class Verify implements Callable<Exit> {
        @Mixin
        private OutputOptions output = new OutputOptions();

        @Parameters(index = "0", paramLabel = "FILE", description = "The backup.")
        private @Nullable Path file;

        @Override
        public Exit call() {
            return new BackupCheck(Objects.requireNonNull(file), output.isJson()).run();
        }
    }
}
