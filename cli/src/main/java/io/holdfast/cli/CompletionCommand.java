package io.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast completion}. */
@Command(
        name = "completion",
        description = "Prints a script that completes this command in a shell.",
        footer = {
            "",
            "Examples:",
            "  source <(holdfast completion bash)",
            "  holdfast completion zsh > ~/.holdfast-completion && echo 'source ~/.holdfast-completion' >> ~/.zshrc"
        })
final class CompletionCommand implements Callable<Exit> {
    /** The shells there is a script for. */
    enum Shell {
        bash,
        zsh
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "bash|zsh", description = "The shell.")
    private Shell shell = Shell.bash;

    @Override
    public Exit call() {
        // zsh reads the same script: it turns on zsh's own bash completion first.
        String script = AutoComplete.bash("holdfast", spec.root().commandLine());
        Printer.result(shell == Shell.zsh ? "autoload -U +X compinit && compinit\n" + script : script);
        return Exit.YES;
    }
}
