// What groups of devices send, within nodes and between them.
#include "plan/links.h"

#include "engine/support.h"

namespace plimsoll::test::links {

TEST_CASE("a group within a node sends nothing to other nodes") {
    const LinkedGroup group(8, 1, 8);
    CHECK(group.all_reduce(800).between == 0);
    CHECK(group.all_reduce(800).within == 1400);  // 2 (g − 1) / g
    CHECK(group.gather(800).within == 700);
    CHECK(group.exchange(800).within == 700);
    CHECK(group.hand_on(800).within == 800);
}

TEST_CASE("a group of one device on each node sends everything between them") {
    const LinkedGroup group(4, 8, 8);
    CHECK(group.all_reduce(800).within == 0);
    CHECK(group.all_reduce(800).between == 1200);
    CHECK(group.exchange(800).between == 600);
    CHECK(group.hand_on(800).between == 800);
}

TEST_CASE("devices of a node share what goes to other nodes") {
    const LinkedGroup group(16, 1, 8);  // two nodes, whole
    CHECK(group.all_reduce(800).within == 1400);
    CHECK(group.all_reduce(800).between == 2 * 0.5 * 100);  // of two nodes, an eighth for each device
    CHECK(group.exchange(1600).within == 700);
    CHECK(group.exchange(1600).between == 800);
    CHECK(group.hand_on(800).between == 100);  // two of the sixteen hops leave a node
}

TEST_CASE("a device alone sends nothing") {
    const LinkedGroup alone(1, 8, 8);
    for (const Sent& sent : {alone.all_reduce(800), alone.gather(800), alone.exchange(800), alone.hand_on(800)}) {
        CHECK(sent.within == 0);
        CHECK(sent.between == 0);
    }
}

}  // namespace plimsoll::test::links
