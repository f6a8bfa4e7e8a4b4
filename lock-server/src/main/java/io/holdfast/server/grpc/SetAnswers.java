package io.holdfast.server.grpc;

import io.holdfast.core.FencingToken;
import io.holdfast.core.HoldView;
import io.holdfast.core.Outcome;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.AcquireAllResponse;
import io.holdfast.v1.GiveUpAllResponse;
import io.holdfast.v1.GrantedAll;
import io.holdfast.v1.ReleaseAllResponse;
import io.holdfast.v1.ReleaseResponse;
import java.util.List;

/** Outcomes of what is asked for several locks at once, as responses; as {@link Answers} does it. */
final class SetAnswers {
    private final Answers answers;

    SetAnswers(Answers answers) {
        this.answers = answers;
    }

    AcquireAllResponse acquired(Answer<Outcome> answer) {
        AcquireAllResponse.Builder response = AcquireAllResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.GrantedAll it ->
                response.setGranted(granted(it.token(), it.holds())).build();
            case Outcome.Queued it ->
                response.setWaiting(Answers.waiting(it.holder())).build();
            case Outcome.Ended it ->
                response.setEnded(Refusals.ended(it.how(), it.token())).build();
            case Outcome other ->
                response.setNotGranted(Refusals.notGranted(other).orElseThrow(() -> Refusals.failure(other)))
                        .build();
        };
    }

    GiveUpAllResponse gaveUp(Answer<Outcome> answer) {
        GiveUpAllResponse.Builder response = GiveUpAllResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.GrantedAll it ->
                response.setGranted(granted(it.token(), it.holds())).build();
            case Outcome.Ended it ->
                response.setEnded(Refusals.ended(it.how(), it.token())).build();
            case Outcome refusal
            when Refusals.notGranted(refusal).isPresent() ->
                response.setEnded(Refusals.nothingToGiveUp()).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    ReleaseAllResponse released(Answer<Outcome> answer) {
        ReleaseAllResponse.Builder response = ReleaseAllResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.Released it ->
                response.setReleased(ReleaseResponse.Released.newBuilder()
                                .setToken(it.token().value()))
                        .build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    private static GrantedAll granted(FencingToken token, List<HoldView> holds) {
        return GrantedAll.newBuilder()
                .setToken(token.value())
                .addAllHolds(holds.stream().map(Views::hold).toList())
                .build();
    }
}
