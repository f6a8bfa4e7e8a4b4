package io.holdfast.cli;

import io.holdfast.client.HoldfastException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The {@code holdfast} command. */
public final class Main {
    private Main() {}

    /**
     * Runs one command and ends the process with its exit code.
     *
     * @param arguments as the shell gave them
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /**
     * Runs one command.
     *
     * @param arguments as the shell gave them
     * @return its exit code
     */
    static int run(String... arguments) {
        CommandLine line = commandLine(arguments);
        try {
            Arguments.requireUtf8(arguments);
        } catch (Failure e) {
            return report(e, wantsJson(arguments));
        }
        line.setExecutionExceptionHandler((e, command, parsed) -> report(e, wantsJson(parsed)));
        line.setParameterExceptionHandler((e, args) -> report(e, wantsJson(args)));
        return line.execute(arguments);
    }

    static CommandLine commandLine(String... arguments) {
        CommandLine line = new CommandLine(new HoldfastCommand());
        Subcommands.addTo(line, arguments);
        line.setCaseInsensitiveEnumValuesAllowed(true)
                .setExpandAtFiles(false) // a name or an argument of CMD may begin with @
                .setOut(new PrintWriter(Printer.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(Printer.err(), true, StandardCharsets.UTF_8));
        line.setExitCodeExceptionMapper(e -> Exit.INTERNAL.code());
        line.setExecutionStrategy(parsed -> exitCode(new CommandLine.RunLast(), parsed));
        return line;
    }

    private static int exitCode(CommandLine.RunLast strategy, ParseResult parsed) {
        int code = strategy.execute(parsed);
        CommandLine last =
                parsed.asCommandLineList().get(parsed.asCommandLineList().size() - 1);
        Object result = last.getExecutionResult();
        return result instanceof Exit exit ? exit.code() : code;
    }

    private static int report(Exception e, boolean json) {
        return switch (e) {
            case Failure failure -> report(failure, json);
            case HoldfastException failure -> report(failure(failure), json);
            case InterruptedException interrupted ->
                report(new Failure(Exit.NO, "INTERRUPTED", "", "interrupted; nothing is held or waited for"), json);
            default -> report(internal(e), json);
        };
    }

    private static int report(ParameterException e, boolean json) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        String message = Objects.requireNonNullElse(e.getMessage(), "bad usage");
        String field = Optional.ofNullable(e.getArgSpec())
                .map(CommandLine.Model.ArgSpec::paramLabel)
                .orElse("");
        int code = report(new Failure(Exit.USAGE, "USAGE", field, message), json);
        if (!json) {
            Printer.note("Try '" + spec.qualifiedName() + " --help'.");
        }
        return code;
    }

    private static int report(Failure failure, boolean json) {
        String message = Objects.requireNonNullElse(failure.getMessage(), failure.reason());
        Printer.note(
                json
                        ? Json.object(out -> {
                            out.writeStringField("error", failure.reason());
                            out.writeStringField("message", message);
                            out.writeStringField("field", failure.field());
                        })
                        : "holdfast: " + message);
        return failure.exit().code();
    }

    private static Failure failure(HoldfastException e) {
        String message = Objects.requireNonNullElse(e.getMessage(), "no reason given");
        return switch (e) {
            case HoldfastException.InvalidArgument it -> Failure.usage(it.field(), message);
            case HoldfastException.Unavailable it ->
                new Failure(
                        Exit.UNAVAILABLE,
                        "UNAVAILABLE",
                        "",
                        message
                                + (it.mayHaveTakenEffect()
                                        ? "; a sending of the request may have been carried out: look with 'get', or 'cluster members'"
                                        : ""));
            case HoldfastException.NoSuchSession it -> new Failure(Exit.NO, "NO_SUCH_SESSION", "session", message);
            case HoldfastException.TooLate it -> new Failure(Exit.NO, "TOO_LATE", "request", message);
            case HoldfastException.OperationRefused it -> new Failure(Exit.NO, it.reason(), "", message);
            case HoldfastException.FeatureLevelTooLow it -> new Failure(Exit.NO, "FEATURE_LEVEL_TOO_LOW", "", message);
            case HoldfastException.LimitReached it -> new Failure(Exit.NO, "LIMIT_REACHED", "", message);
            case HoldfastException.TooOld it -> new Failure(Exit.NO, "TOO_OLD", "from", message);
            case HoldfastException.ServerFault it -> new Failure(Exit.INTERNAL, "INTERNAL_ERROR", "", message);
        };
    }

    private static Failure internal(Exception e) {
        StringWriter trace = new StringWriter();
        e.printStackTrace(new PrintWriter(trace));
        String line = trace.toString()
                .lines()
                .limit(3)
                .map(String::strip)
                .reduce((a, b) -> a + " " + b)
                .orElse("");
        return new Failure(Exit.INTERNAL, "INTERNAL_ERROR", "", "internal error, please report: " + line);
    }

    private static boolean wantsJson(ParseResult parsed) {
        return wantsJson(parsed.originalArgs().toArray(String[]::new));
    }

    /** Looked for by hand: the arguments may be the very thing that is wrong. */
    private static boolean wantsJson(String[] arguments) {
        String all = String.join("\n", Arrays.asList(arguments));
        return all.matches("(?s)(.*\n)?(-o\njson|-o=?json|--output[=\n]json)(\n.*)?");
    }
}
