package io.holdfast.cli;

import io.holdfast.client.Holder;
import io.holdfast.client.LockInfo;
import io.holdfast.client.Mode;
import io.holdfast.client.Waiter;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** Locks as tables for people. */
final class LockTableText {
    private static final List<String> HEADS =
            List.of("NAME", "MODE", "TOKEN", "LOG INDEX", "HELD", "REMAINING", "WAITING", "HOLDER");

    private LockTableText() {}

    static String table(List<LockInfo> locks) {
        List<List<String>> rows = locks.stream()
                .flatMap(lock -> lock.holders().isEmpty()
                        ? Stream.of(row(lock))
                        : lock.holders().stream().map(holder -> row(lock, holder)))
                .toList();
        return aligned(HEADS, rows);
    }

    static String details(LockInfo lock) {
        StringBuilder text = new StringBuilder(lock.name()).append("  ").append(lock.mode());
        if (lock.capacity() > 0) {
            text.append("  ").append(lock.permitsOut()).append(" of ").append(lock.capacity());
            text.append(" permits are out");
        }
        for (Holder holder : lock.holders()) {
            text.append("\n  held by ").append(Words.holding(holder));
            text.append(", log index ").append(holder.logIndex());
            text.append(holder.terms().mode() instanceof Mode.Permits some ? ", " + Words.mode(some) : "");
            text.append(
                    holder.terms().value().isEmpty()
                            ? ""
                            : "\n    value " + Words.quoted(holder.terms().value()));
        }
        lock.holders().stream()
                .flatMap(holder -> holder.notice().stream())
                .forEach(notice -> text.append("\n  revoked")
                        .append(notice.by().isEmpty() ? "" : " by " + notice.by())
                        .append(", ends in ")
                        .append(Durations.text(notice.remaining()))
                        .append(": ")
                        .append(notice.reason()));
        if (lock.holderCount() > lock.holders().size()) {
            text.append("\n  … ").append(lock.holderCount()).append(" hold it in all");
        }
        if (!lock.delayRemaining().isZero()) {
            text.append("\n  nobody gets it for ").append(Durations.text(lock.delayRemaining()));
            text.append(": a hold expired that had asked for a lock-delay");
        }
        int place = 1;
        for (Waiter waiter : lock.waiters()) {
            text.append("\n  waiting ").append(place++).append(": ").append(Words.waiting(waiter));
        }
        if (lock.waiterCount() > lock.waiters().size()) {
            text.append("\n  … ").append(lock.waiterCount()).append(" wait in all");
        }
        return text.toString();
    }

    /** Columns as wide as what stands in them. */
    static String aligned(List<String> heads, List<List<String>> rows) {
        Column[] columns = new Column[heads.size()];
        for (int i = 0; i < columns.length; i++) {
            int width = heads.get(i).length();
            for (List<String> row : rows) {
                width = Math.max(width, row.get(i).codePointCount(0, row.get(i).length()));
            }
            columns[i] = new Column(width + (i == 0 ? 0 : 2), i == 0 ? 0 : 2, Overflow.SPAN);
        }
        TextTable table = TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns);
        add(table, heads);
        rows.forEach(row -> add(table, row));
        return table.toString().stripTrailing();
    }

    private static void add(TextTable table, List<String> row) {
        table.addRowValues(row.stream().map(Ansi.OFF::text).toArray(Text[]::new));
    }

    /** Of a lock that nobody holds at present. */
    private static List<String> row(LockInfo lock) {
        return List.of(lock.name(), "none", "", "", "", "", Integer.toString(lock.waiterCount()), "");
    }

    private static List<String> row(LockInfo lock, Holder holder) {
        return List.of(
                lock.name(),
                Words.mode(holder.terms().mode()),
                Long.toString(holder.token()),
                Long.toString(holder.logIndex()),
                Durations.text(holder.held()),
                Durations.text(holder.remaining()),
                Integer.toString(lock.waiterCount()),
                Words.name(holder));
    }
}
