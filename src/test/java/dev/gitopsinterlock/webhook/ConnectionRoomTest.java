package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.webhook.ConnectionRoom.Place;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionRoomTest {

    private final ConnectionRoom room = new ConnectionRoom(4, 2);
    private final List<String> closed = new ArrayList<>();

    @Test
    void anAddressHasAFewPlacesForStrangers() {
        connect("1", "a");
        connect("1", "b");

        connect("1", "c");

        assertThat(closed).containsExactly("a ADDRESS_FULL");
        assertThat(room.open()).isEqualTo(2);
    }

    @Test
    void anApiServerHasAsManyAsItNeeds() {
        for (var name : List.of("a", "b", "c", "d")) {
            connect("1", name).begin(true);
        }

        assertThat(closed).isEmpty();
    }

    @Test
    void strangersMakeRoomBeforeApiServersDo() {
        use(connect("1", "api server"), true);
        use(connect("2", "b"), false);
        connect("3", "c");
        connect("4", "d");

        connect("5", "e");
        connect("6", "f");
        connect("7", "g");

        assertThat(closed).containsExactly("b MAKES_ROOM", "c MAKES_ROOM", "d MAKES_ROOM");
    }

    @Test
    void anApiServerThatIsIdleMakesRoomBeforeNobodyDoes() {
        use(connect("1", "a"), true);
        use(connect("1", "b"), true);
        connect("1", "c").begin(true);
        connect("1", "d").begin(true);

        connect("2", "e");

        assertThat(closed).containsExactly("a MAKES_ROOM");
    }

    @Test
    void strangersThatKeepUsBusyMakeRoomBeforeAnyApiServerDoes() {
        use(connect("1", "api server"), true);
        connect("2", "b").begin(false);
        connect("3", "c").begin(false);
        connect("4", "d");

        connect("5", "e").begin(false);
        connect("6", "f").begin(false);

        assertThat(closed).containsExactly("d MAKES_ROOM", "b MAKES_ROOM");
        assertThat(room.isFull()).isFalse();
    }

    @Test
    void noApiServerIsInterrupted() {
        var places = new ArrayList<Place>();
        for (int i = 0; i < 4; i++) {
            var place = connect("address " + i, "used");
            place.begin(true);
            places.add(place);
        }
        assertThat(room.isFull()).isTrue();
        assertThat(room.inUse()).isEqualTo(4);

        connect("5", "e");
        assertThat(closed).containsExactly("e ALL_IN_USE");

        places.getFirst().end();
        assertThat(room.isFull()).isFalse();
        connect("6", "f");
        assertThat(closed).containsExactly("e ALL_IN_USE", "used MAKES_ROOM");
    }

    @Test
    void whoeverSendsNothingGoes() {
        var silent = connect("1", "silent");
        var used = connect("2", "used");
        used.begin(false);
        var gone = connect("3", "gone");
        gone.leave();

        silent.expectUse();
        used.expectUse();
        gone.expectUse();

        assertThat(closed).containsExactly("silent NO_REQUEST");
        assertThat(room.open()).isEqualTo(1);
    }

    @Test
    void anApiServersConnectionMayComeToItsFirstRequestLater() {
        use(connect("1", "api server"), true);
        var inReserve = connect("1", "in reserve");
        var stranger = connect("2", "stranger");

        inReserve.expectUse();
        stranger.expectUse();

        assertThat(closed).containsExactly("stranger NO_REQUEST");
    }

    private static void use(Place place, boolean byApiServer) {
        place.begin(byApiServer);
        place.end();
    }

    private Place connect(String address, String name) {
        return room.enter(address, why -> closed.add(name + " " + why));
    }
}
