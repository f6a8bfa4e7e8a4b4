package io.holdfast.server.grpc;

import io.holdfast.core.Outcome;
import io.holdfast.core.TokenCheck;
import io.holdfast.server.proposer.Store.Answer;
import io.holdfast.v1.CheckTokenResponse;
import io.holdfast.v1.ConvertResponse;
import io.holdfast.v1.HandOffResponse;
import io.holdfast.v1.PartOfSet;
import io.holdfast.v1.ProclaimResponse;
import io.holdfast.v1.RevokeResponse;

/** Outcomes of what is done with a hold, as responses; as {@link Answers} does it. */
final class HoldAnswers {
    private final Answers answers;

    HoldAnswers(Answers answers) {
        this.answers = answers;
    }

    ConvertResponse converted(Answer<Outcome> answer) {
        ConvertResponse.Builder response = ConvertResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.Granted it ->
                response.setConverted(Views.hold(it.hold())).build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome.NotAlone it ->
                response.setNotAlone(ConvertResponse.NotAlone.newBuilder().setHolders(it.holders()))
                        .build();
            case Outcome.PartOfSet it ->
                response.setPartOfSet(PartOfSet.newBuilder().setName(it.name().value()))
                        .build();
            case Outcome.OtherKind it ->
                response.setOtherKind(Refusals.otherKind(it)).build();
            case Outcome.Ended it ->
                response.setEnded(Refusals.ended(it.how(), it.token())).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    ProclaimResponse proclaimed(Answer<Outcome> answer) {
        ProclaimResponse.Builder response = ProclaimResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.Proclaimed it -> response.setProclaimed(proclaimed(it)).build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    private static ProclaimResponse.Proclaimed proclaimed(Outcome.Proclaimed done) {
        ProclaimResponse.Proclaimed.Builder proclaimed =
                ProclaimResponse.Proclaimed.newBuilder().setToken(done.token().value());
        done.hold().ifPresent(hold -> proclaimed.setHold(Views.hold(hold)));
        return proclaimed.build();
    }

    HandOffResponse handedOff(Answer<Outcome> answer) {
        HandOffResponse.Builder response = HandOffResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.HandedOff it ->
                response.setHandedOff(HandOffResponse.HandedOff.newBuilder()
                                .setToken(it.token().value()))
                        .build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome.NoSuchTarget it ->
                response.setNoSuchTarget(HandOffResponse.NoSuchTarget.getDefaultInstance())
                        .build();
            case Outcome.TargetBusy it ->
                response.setTargetBusy(HandOffResponse.TargetBusy.getDefaultInstance())
                        .build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    RevokeResponse revoked(Answer<Outcome> answer) {
        RevokeResponse.Builder response = RevokeResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case Outcome.Revoking it ->
                response.setRevoking(Views.hold(it.hold())).build();
            case Outcome.Revoked it ->
                response.setRevoked(RevokeResponse.Revoked.newBuilder()
                                .setToken(it.token().value()))
                        .build();
            case Outcome.NotHeld it ->
                response.setNotHeld(Refusals.notHeld(it.holder())).build();
            case Outcome other -> throw Refusals.failure(other);
        };
    }

    CheckTokenResponse checked(Answer<TokenCheck> answer) {
        CheckTokenResponse.Builder response = CheckTokenResponse.newBuilder().setHeader(answers.header(answer));
        return switch (answer.value()) {
            case TokenCheck.Current it ->
                response.setCurrent(Views.hold(it.hold())).build();
            case TokenCheck.Stale it ->
                response.setStale(CheckTokenResponse.Stale.newBuilder()
                                .setNewestToken(it.newest().value()))
                        .build();
            case TokenCheck.Free it ->
                response.setFree(CheckTokenResponse.Free.getDefaultInstance()).build();
        };
    }
}
