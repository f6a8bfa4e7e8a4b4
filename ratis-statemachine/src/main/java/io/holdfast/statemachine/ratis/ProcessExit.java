package io.holdfast.statemachine.ratis;

import org.apache.ratis.util.ExitUtils;

/** Who may end this process: not Ratis, which would do so when it cannot have its port, before anyone could say why. */
final class ProcessExit {
    private ProcessExit() {}

    /** From now on Ratis throws where it would end the process. For the whole process, and for good. */
    static void keepRatisFromIt() {
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit();
        // That class, on its first use, makes any uncaught exception of any thread end the process.
        Thread.setDefaultUncaughtExceptionHandler(handler);
    }
}
