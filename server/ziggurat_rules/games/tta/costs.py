"""What a civilization can spend, and what things cost it after all modifiers."""

from __future__ import annotations

from ziggurat_rules.games.tta import cells as c
from ziggurat_rules.games.tta.facts import KIND_NAMES, LEADER, WONDER, Face
from ziggurat_rules.games.tta.ratings import has_pacts, pacts_of
from ziggurat_rules.games.tta.table import TtaTable

TECHNOLOGY = -1
"""All kinds of technology together."""
_AGES = ("A", "I", "II", "III")


class Means:
    """What a seat has to spend at this moment, and its technologies in play."""

    __slots__ = (
        "base",
        "buildings",
        "by_kind",
        "counters",
        "food",
        "held",
        "in_play",
        "leader",
        "paired",
        "partner",
        "partner_pays",
        "pool",
        "resources",
        "seat",
        "stages_max",
        "t",
        "trades_food",
        "trades_resource",
        "units",
        "unused",
        "urban_discount",
        "urban_limit",
        "workers",
    )

    def __init__(self, t: TtaTable, seat: int) -> None:
        counters = t.counters
        base = seat * t.layout.per_seat
        self.t = t
        self.seat = seat
        self.counters = counters
        self.base = base
        self.unused = counters[base + c.UNUSED]
        self.food = counters[base + c.FOOD]
        self.resources = counters[base + c.RESOURCES]
        self.pool = counters[base + c.POOL_LEADER] + counters[base + c.POOL_UNITS]
        self.urban_limit = counters[base + c.URBAN_LIMIT]
        self.held: dict[int, list[Face]] | None = None
        self.leader = t.leader(seat)
        self.paired = self.leader.ops.get("cost_with_partner", []) if self.leader is not None else []
        self.trades_food = self.trades_resource = False
        self.partner, self.partner_pays = -1, 0
        self.stages_max = 1
        self.urban_discount: list[int] | None = None
        self._technologies()
        if has_pacts(t):
            self._pacts()

    def _technologies(self) -> None:
        t, seat = self.t, self.seat
        faces, ident, counters = t.layout.faces, t.ident, self.counters
        base = self.base + c.WORKERS
        self.in_play: list[Face] = []
        self.buildings: list[Face] = []
        self.units: list[Face] = []
        self.by_kind: dict[int, list[Face]] = {}
        self.workers = [0] * 11
        for card in t.zones[seat * c.ZONES_PER_SEAT + c.TECHNOLOGIES]:
            face = faces[ident[card]]
            if face.slot >= 0:
                self.in_play.append(face)
                self.by_kind.setdefault(face.kind, []).append(face)
                number = counters[base + face.slot]
                if number:
                    self.workers[face.kind] += number
                    (self.units if face.unit else self.buildings).append(face)
            elif face.ops:
                self._special(face)

    def _special(self, face: Face) -> None:
        op = face.op("urban_build_discount")
        if op is not None:
            self.urban_discount = [op["by_building_age"][age] for age in _AGES]
        op = face.op("wonder_stages_per_action")
        if op is not None:
            self.stages_max = op["max"]

    def _pacts(self) -> None:
        t, seat = self.t, self.seat
        own_turn = t.common(c.CURRENT) == seat and not t.get(seat, c.TRADE_USED)
        for _, own, partner in pacts_of(t, seat):
            if own_turn and own.get("food_as_resource_per_turn"):
                self.trades_food = True
            if own_turn and own.get("resource_as_food_per_turn"):
                self.trades_resource = True
            if own.get("develop_science_cost") and t.get(partner, c.SCIENCE) >= own["partner_pays_science"]:
                self.partner, self.partner_pays = partner, own["partner_pays_science"]

    def hand(self, kind: int) -> list[Face]:
        """The different civil cards of a kind (or TECHNOLOGY) in hand."""
        held = self.held
        if held is None:
            held = self.held = {}
            faces, ident = self.t.layout.faces, self.t.ident
            hand = self.t.zones[self.seat * c.ZONES_PER_SEAT + c.CIVIL_HAND]
            for index in sorted({ident[card] for card in hand}):
                face = faces[index]
                held.setdefault(face.kind, []).append(face)
                if face.tech:
                    held.setdefault(TECHNOLOGY, []).append(face)
        return held.get(kind, [])

    def on(self, face: Face) -> int:
        """Workers on a technology."""
        return self.counters[self.base + c.WORKERS + face.slot]

    def price(self, face: Face) -> int:
        """Resources of a building or unit, by its printed cost and special technologies."""
        if face.urban and self.urban_discount is not None:
            return max(0, face.resource_cost - self.urban_discount[face.level])
        return face.resource_cost

    def _with_partner(self, face: Face, what: str) -> int:
        """Change of a cost by the leader, for a kind of building of which the other kind is there."""
        change = 0
        for op in self.paired:
            needed = KIND_NAMES.index(op["needs_building"])
            if KIND_NAMES[face.kind] == op["of"] and self.workers[needed]:
                change += int(op[what])
        return change

    def build_cost(self, face: Face, less: int = 0) -> int:
        """Resources to build, `less` by a card."""
        cost = self.price(face) - less
        if self.paired:
            cost += self._with_partner(face, "resources")
        return cost if cost > 0 else 0

    def upgrade_cost(self, old: Face, new: Face, less: int = 0) -> int:
        """Resources to upgrade: the difference of the prices."""
        return max(0, self.price(new) - self.price(old) - less)

    def population_cost(self, less: int = 0) -> int:
        """Food to increase the population; -1 if the bank is empty."""
        costs = self.t.layout.board.population_food_cost
        bank = self.counters[self.base + c.YELLOW_BANK]
        if not bank:
            return -1
        cost = costs[min(bank, len(costs) - 1)] - less
        for op in self.leader.ops.get("population_food_cost", ()) if self.leader is not None else ():
            cost += op["amount"]
        return max(0, cost)

    def science_cost(self, face: Face, revolution: bool, less: int = 0) -> tuple[int, int, int]:
        """Science to develop: own points, points of the pool, points of the partner of a pact."""
        cost = (face.revolution_cost if revolution else face.science_cost) - less
        if self.leader is not None:
            for op in self.leader.ops.get("develop_cost", ()):
                if KIND_NAMES[face.kind] == op["of"]:
                    cost += op["science"]
        cost += self._with_partner(face, "science")
        partner = 0
        if self.partner_pays and cost > 0:
            cost -= self._pact_discount()
            partner = self.partner_pays
        cost = max(0, cost)
        pool = min(cost, self.counters[self.base + c.POOL_SCIENCE]) if face.unit else 0
        return cost - pool, pool, partner

    def _pact_discount(self) -> int:
        return -sum(int(own.get("develop_science_cost", 0)) for _, own, _ in pacts_of(self.t, self.seat))

    def payments(self, cost: int, unit: bool = False) -> list[tuple[int, int, int]]:
        """Ways to pay resources: (resources, from the pool, food traded for one)."""
        pool = min(cost, self.pool) if unit else 0
        rest = cost - pool
        ways = [(rest, pool, 0)] if rest <= self.resources else []
        if self.trades_food and rest and self.food and rest - 1 <= self.resources:
            ways.append((rest - 1, pool, 1))
        return ways

    def food_payments(self, cost: int) -> list[tuple[int, int]]:
        """Ways to pay food: (food, resources traded for one)."""
        ways = [(cost, 0)] if 0 <= cost <= self.food else []
        if self.trades_resource and cost > 0 and self.resources and cost - 1 <= self.food:
            ways.append((cost - 1, 1))
        return ways

    def blue_tokens(self) -> int:
        """Blue tokens that are not on a wonder."""
        t = self.t
        return self.counters[self.base + c.BLUE_BANK] + sum(
            self.counters[self.base + counter] for counter, _ in t.layout.all_tokens
        )


class Taking:
    """The limits and modifiers of taking cards from the row, for one seat at this moment."""

    __slots__ = ("ages", "changes", "costs", "full", "owned", "replaced", "surcharge", "unfinished")

    def __init__(self, t: TtaTable, seat: int) -> None:
        zone = seat * c.ZONES_PER_SEAT
        counters, base = t.counters, seat * t.layout.per_seat
        ident, zones = t.ident, t.zones
        hand = zones[zone + c.CIVIL_HAND]
        self.costs = t.layout.board.row_costs
        self.full = len(hand) >= counters[base + c.CIVIL_LIMIT]
        self.unfinished = bool(zones[zone + c.UNFINISHED])
        self.ages = counters[base + c.LEADER_AGES]
        self.owned: set[int] = set()
        if not self.full:
            face_of = ident.__getitem__
            self.owned = {*map(face_of, hand), *map(face_of, zones[zone + c.TECHNOLOGIES])}
        self.surcharge = len(zones[zone + c.WONDERS])
        self.replaced = counters[base + c.LEADER_REPLACED]
        self.changes: dict[int, int] = {}
        leader = t.leader(seat)
        for op in leader.ops.get("row_cost", ()) if leader is not None else ():
            if op.get("ignore_completed_wonders"):
                self.surcharge = 0
            self.changes[KIND_NAMES.index(op["card_kind"])] = op.get("civil_actions", 0)

    def price(self, face: Face, cost: int) -> int:
        """Civil actions to take this card from a space of this cost, -1 if the limits forbid it."""
        kind = face.kind
        if kind == WONDER:
            if self.unfinished:
                return -1
            cost += self.surcharge
            for op in face.ops.get("row_cost", ()):
                if op["card_kind"] == "this_card" and self.replaced:
                    cost += op["civil_actions"]
        elif self.full:
            return -1
        elif kind == LEADER:
            if self.ages >> face.level & 1:
                return -1
        elif face.tech and face.index in self.owned:
            return -1
        if self.changes:
            cost += self.changes.get(kind, 0)
        return cost if cost > 0 else 0
