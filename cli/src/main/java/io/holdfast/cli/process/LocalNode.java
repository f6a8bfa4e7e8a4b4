package io.holdfast.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One node of a cluster on this machine: its folder, and the process that {@code node.pid} names, if it is ours.
 *
 * @param folder absolute
 * @param shape the cluster
 * @param number 1, 2, 3 …
 */
record LocalNode(Path folder, ClusterShape shape, int number) {
    private static final int TAIL_BYTES = 16_384;
    private static final int CONNECT_TIMEOUT_MILLIS = 200;

    String id() {
        return shape.id(number);
    }

    Path log() {
        return folder.resolve("node.log");
    }

    private Path config() {
        return folder.resolve("config.yaml");
    }

    private Path pidFile() {
        return folder.resolve("node.pid");
    }

    /**
     * The process, if it runs. A pid file may be older than the last reboot, and its number a stranger's by now: only a process that was started with this very configuration counts.
     */
    Optional<ProcessHandle> running() {
        try {
            if (!Files.exists(pidFile())) {
                return Optional.empty();
            }
            long pid = Long.parseLong(Files.readString(pidFile()).strip());
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isOurs);
        } catch (IOException | NumberFormatException e) {
            return Optional.empty(); // no readable number, no process to speak of
        }
    }

    private boolean isOurs(ProcessHandle process) {
        List<String> words = words(process);
        int option = words.indexOf("--config");
        return option > 0 && words.size() > option + 1 && words.get(option + 1).equals(config().toString());
    }

    private static List<String> words(ProcessHandle process) {
        Path commandLine = Path.of("/proc", Long.toString(process.pid()), "cmdline");
        try {
            if (Files.exists(commandLine)) {
                // Empty for a process that has ended and whom nobody has buried yet.
                return Arrays.asList(Files.readString(commandLine, UTF_8).split("\0", -1));
            }
        } catch (IOException e) {
            return List.of(); // it has just ended
        }
        return process.info().arguments().map(Arrays::asList).orElse(List.of());
    }

    /** Ports of this node that somebody listens on. */
    Stream<Integer> portsInUse() {
        return Stream.of(shape.clientPort(number), shape.raftPort(number)).filter(port -> !isFree(port));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // connections of a node that ran here may still be dying
            socket.bind(address(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static InetSocketAddress address(int port) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    /** Whether somebody answers where clients connect. */
    boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(address(shape.clientPort(number)), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts the process, in a session of its own: it outlives this one and its terminal. */
    Process start(NodeCommand command) throws IOException {
        Files.createDirectories(folder);
        if (!Files.exists(config())) {
            Files.writeString(config(), shape.config(number), UTF_8);
        }
        ProcessBuilder builder = new ProcessBuilder(command.words(config()));
        builder.environment().put("CLASSPATH", command.classPath());
        builder.directory(folder.toFile());
        builder.redirectInput(new File("/dev/null"));
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        Process process = builder.start();
        Files.writeString(pidFile(), process.pid() + "\n", UTF_8);
        return process;
    }

    /** After its process has ended. */
    void forget() throws IOException {
        Files.deleteIfExists(pidFile());
    }

    /** The last lines of its log. */
    String logTail(int lines) {
        try (RandomAccessFile file = new RandomAccessFile(log().toFile(), "r")) {
            file.seek(Math.max(0, file.length() - TAIL_BYTES));
            byte[] bytes = new byte[(int) (file.length() - file.getFilePointer())];
            file.readFully(bytes);
            List<String> all = new String(bytes, UTF_8).lines().toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(" + log() + " cannot be read)";
        }
    }
}
