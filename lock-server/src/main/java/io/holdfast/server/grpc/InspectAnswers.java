package io.holdfast.server.grpc;

import io.holdfast.core.FencingToken;
import io.holdfast.core.HeldAt;
import io.holdfast.core.History;
import io.holdfast.core.LockName;
import io.holdfast.core.WaitGraph;
import io.holdfast.core.Why;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.GetHistoryResponse;
import io.holdfast.v1.GetPastHoldersResponse;
import io.holdfast.v1.GetWaitResponse;
import io.holdfast.v1.ListWaitsResponse;
import io.holdfast.v1.PastHold;
import io.holdfast.v1.WaitEdge;
import io.holdfast.v1.WatchEvent;
import java.util.List;
import java.util.Optional;

/** What a closer look shows, as responses; as {@link Answers} does it. */
final class InspectAnswers {
    private final Answers answers;

    InspectAnswers(Answers answers) {
        this.answers = answers;
    }

    GetWaitResponse wait(Answer<Optional<Why>> answer) {
        GetWaitResponse.Builder response = GetWaitResponse.newBuilder().setHeader(answers.header(answer));
        answer.value()
                .ifPresent(why -> response.setLock(Views.lock(why.lock()))
                        .setWaiter(Views.waiter(why.waiter()))
                        .setPlace(why.place())
                        .addAllAhead(Views.fitting(why.ahead(), Views::waiter))
                        .addAllOthers(why.others().stream().map(LockName::value).toList()));
        return response.build();
    }

    ListWaitsResponse waits(Answer<WaitGraph> answer) {
        List<WaitEdge> edges = Views.fitting(answer.value().edges(), Views::edge);
        return ListWaitsResponse.newBuilder()
                .setHeader(answers.header(answer))
                .addAllEdges(edges)
                .setIsCut(answer.value().isCut()
                        || edges.size() < answer.value().edges().size())
                .build();
    }

    GetHistoryResponse history(Answer<History> answer) {
        List<WatchEvent> latestFirst = Views.fitting(answer.value().events().reversed(), WatchEncoder::remembered);
        return GetHistoryResponse.newBuilder()
                .setHeader(answers.header(answer))
                .addAllEvents(latestFirst.reversed())
                .setFirstIndex(answer.value().firstIndex())
                .build();
    }

    GetPastHoldersResponse heldAt(Answer<HeldAt> answer) {
        GetPastHoldersResponse.Builder response =
                GetPastHoldersResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case HeldAt.Known it ->
                response.setKnown(GetPastHoldersResponse.Known.newBuilder()
                                .addAllHolds(Views.fitting(it.holds(), InspectAnswers::pastHold)))
                        .build();
            case HeldAt.TooOld it ->
                response.setTooOld(GetPastHoldersResponse.TooOld.newBuilder().setFirstIndex(it.firstIndex()))
                        .build();
            case HeldAt.NotYet it ->
                response.setNotYet(GetPastHoldersResponse.NotYet.getDefaultInstance())
                        .build();
        };
    }

    private static PastHold pastHold(HeldAt.PastHold hold) {
        PastHold.Builder shown = PastHold.newBuilder()
                .setOwner(Views.owner(hold.owner()))
                .setOwnerLabel(hold.label())
                .setToken(hold.token().value());
        hold.ending()
                .ifPresent(ending -> shown.setEnding(PastHold.Ending.newBuilder()
                        .setHow(Refusals.ended(ending.how(), Optional.<FencingToken>empty())
                                .getHow())
                        .setLogIndex(ending.logIndex())
                        .setLeaseTime(ending.leaseTimeNanos())));
        return shown.build();
    }
}
