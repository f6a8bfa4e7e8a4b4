package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code holdfast}: what stands above its subcommands. */
@Command(
        name = "holdfast",
        description = "A lock store for locks that must be safe: replicated leases with fencing tokens.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        scope = ScopeType.INHERIT,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        footer = {
            "",
            "Results go to stdout, everything else to stderr.",
            "Exit codes: 0 yes, 1 a clear no, 2 bad input, 3 no leader or quorum within --timeout, 4 lease lost while a"
                    + " command ran, 5 not allowed, 70 internal error.",
            "",
            "Examples:",
            "  holdfast up",
            "  holdfast acquire orders/42 --ttl 10s",
            "  holdfast run nightly-report --wait 1m -- ./report.sh"
        })
final class HoldfastCommand {}
