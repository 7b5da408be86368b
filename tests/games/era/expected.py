"""What each card of the five decks is: written down from the fact sheets, apart from the loader."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Expect:
    """`row`: symbols alone in play; `opened`: with all its locks open; `tall`: three copies, locks closed.

    `keys`, `blocks`, `gives` name the side they work on: "own" or "other".
    """

    kind: str
    copies: int
    cost: int
    stars: int
    row: dict[str, int] = field(default_factory=dict)
    opened: dict[str, int] | None = None
    tall: dict[str, int] | None = None
    lock: str = ""
    flourish: int = -1
    unique: bool = False
    might: bool = False
    defense: dict[str, int] = field(default_factory=dict)
    armour: dict[str, int] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    blocks: dict[str, tuple[str, int]] = field(default_factory=dict)
    gives: dict[str, int] = field(default_factory=dict)


EXPECTED = {
    "egypt.kingdom_produce": Expect("resource", 5, 0, 1, row={"harvest": 1}),
    "egypt.nile_trade_goods": Expect("resource", 4, 0, 1, row={"money": 1}),
    "egypt.quarry_stone": Expect("resource", 3, 0, 1, row={"build": 1}),
    "egypt.temple": Expect("normal", 4, 3, 3, row={"progress": 1, "money": 1}, defense={"ruin": 2}),
    "egypt.pyramid": Expect("normal", 3, 6, 4, row={"progress": 2}, defense={"military": 6, "ruin": 5}),
    "egypt.storehouse": Expect(
        "normal",
        5,
        2,
        2,
        row={"harvest": 1},
        tall={"harvest": 1, "progress": 2},
        flourish=2,
        defense={"ruin": 3},
    ),
    "egypt.slaves": Expect("normal", 5, 1, 1, row={"build": 1}, defense={"ruin": 2}),
    "egypt.architect": Expect("normal", 2, 2, 3, row={"vision": 2}, defense={"ruin": 3}),
    "egypt.pharaoh": Expect(
        "normal", 2, 4, 5, row={"progress": 1}, unique=True, defense={"ruin": 5}, keys={"A": "own"}
    ),
    "egypt.charioteer": Expect(
        "normal", 4, 2, 3, row={"military": 1}, opened={"military": 2}, defense={"military": 3}
    ),
    "egypt.nile_farm": Expect("normal", 4, 1, 1, row={"harvest": 1}, defense={"ruin": 2}),
    "egypt.scribe": Expect("normal", 3, 1, 2, row={"money": 1}, defense={"ruin": 2}),
    "egypt.priesthood": Expect("normal", 3, 2, 2, row={"ruin": 1}, defense={"ruin": 3}),
    "egypt.obelisk": Expect("normal", 3, 3, 3, opened={"progress": 1}, defense={"military": 3, "ruin": 3}),
    "egypt.persian_army": Expect("conflict", 2, 3, 4, row={"military": 2}, defense={"military": 5}),
    "egypt.spoilage": Expect("conflict", 2, 1, 2, defense={"ruin": 2}, blocks={"harvest": ("other", 1)}),
    "egypt.drought": Expect("conflict", 1, 2, 2, defense={"ruin": 3}, blocks={"harvest": ("other", 2)}),
    "egypt.sea_raiders": Expect("conflict", 2, 2, 3, row={"military": 1}, defense={"military": 4}),
    "egypt.tomb_robbers": Expect("conflict", 2, 1, 2, row={"ruin": 1}, defense={"military": 3}),
    "egypt.court_intrigue": Expect("conflict", 1, 1, 2, might=True, blocks={"vision": ("other", 1)}),
    "medieval.village_goods": Expect("resource", 4, 0, 1, row={"money": 1}),
    "medieval.manor_harvest": Expect("resource", 5, 0, 1, row={"harvest": 1}),
    "medieval.masons_lodge": Expect("resource", 3, 0, 1, row={"build": 1}),
    "medieval.hamlet": Expect(
        "normal", 5, 2, 2, row={"progress": 1}, flourish=2, defense={"ruin": 2}, armour={"ruin": 3}
    ),
    "medieval.church_of_rome": Expect(
        "normal", 2, 4, 4, row={"ruin": 1}, unique=True, defense={"ruin": 6}, keys={"A": "own"}
    ),
    "medieval.crusade_knight": Expect(
        "normal", 4, 3, 3, row={"military": 1}, lock="A", defense={"military": 4}
    ),
    "medieval.port": Expect(
        "normal", 3, 1, 2, row={"progress": 1}, defense={"ruin": 2, "military": 3}, keys={"B": "other"}
    ),
    "medieval.stone_keep": Expect("normal", 3, 4, 4, row={"progress": 2}, defense={"military": 6}),
    "medieval.abbey": Expect("normal", 3, 2, 3, row={"progress": 1, "vision": 1}, defense={"ruin": 4}),
    "medieval.peasants": Expect("normal", 5, 1, 1, row={"harvest": 1}, defense={"ruin": 2}),
    "medieval.merchant": Expect("normal", 4, 2, 2, row={"money": 1}, defense={"ruin": 3}),
    "medieval.mason": Expect("normal", 3, 1, 1, row={"build": 1}, defense={"ruin": 2}),
    "medieval.longbowmen": Expect("normal", 3, 2, 3, row={"military": 1}, defense={"military": 3}),
    "medieval.inquisitor": Expect(
        "normal", 2, 2, 3, row={"ruin": 2}, defense={"ruin": 4}, blocks={"progress": ("own", 1)}
    ),
    "medieval.cathedral": Expect(
        "normal",
        1,
        6,
        5,
        row={"progress": 2},
        opened={"progress": 3},
        unique=True,
        defense={"ruin": 6, "military": 6},
    ),
    "medieval.bubonic_plague": Expect("conflict", 2, 1, 3, row={"ruin": 3}, lock="B", defense={"ruin": 5}),
    "medieval.arab_empire": Expect("conflict", 2, 3, 4, row={"military": 2}, defense={"military": 4}),
    "medieval.northern_raiders": Expect("conflict", 2, 2, 3, row={"military": 1}, defense={"military": 3}),
    "medieval.peasant_revolt": Expect(
        "conflict", 2, 1, 2, row={"ruin": 1}, defense={"military": 3}, blocks={"harvest": ("other", 1)}
    ),
    "medieval.heresy": Expect("conflict", 1, 0, 1, defense={"ruin": 2}, blocks={"progress": ("other", 1)}),
    "medieval.siege_engines": Expect("conflict", 1, 2, 3, row={"military": 2}, defense={"military": 3}),
    "great_war.ration_depot": Expect("resource", 4, 0, 1, row={"harvest": 1}),
    "great_war.war_bonds": Expect("resource", 5, 0, 1, row={"money": 1}),
    "great_war.munitions_works": Expect("resource", 3, 0, 1, row={"build": 1}),
    "great_war.heavy_artillery": Expect(
        "normal", 3, 4, 3, row={"military": 1}, opened={"military": 3}, defense={"military": 4}
    ),
    "great_war.general_staff": Expect(
        "normal", 2, 3, 4, row={"vision": 1}, unique=True, defense={"ruin": 5}, keys={"A": "own"}
    ),
    "great_war.industrial_city": Expect(
        "normal", 4, 3, 3, row={"progress": 1, "build": 1}, defense={"ruin": 4}
    ),
    "great_war.trench_line": Expect(
        "normal", 5, 1, 2, tall={"military": 2}, flourish=1, defense={"military": 3}, armour={"military": 3}
    ),
    "great_war.infantry": Expect("normal", 5, 1, 2, row={"military": 1}, defense={"military": 2}),
    "great_war.farm_cooperative": Expect("normal", 4, 1, 1, row={"harvest": 1}, defense={"ruin": 2}),
    "great_war.war_office": Expect("normal", 3, 2, 2, row={"money": 1}, defense={"ruin": 3}),
    "great_war.diplomat": Expect("normal", 3, 2, 2, row={"ruin": 1}, defense={"ruin": 3}),
    "great_war.armistice_conference": Expect(
        "normal",
        2,
        6,
        5,
        row={"progress": 2},
        opened={"progress": 3},
        unique=True,
        defense={"ruin": 6, "military": 6},
    ),
    "great_war.tank_column": Expect(
        "normal", 2, 4, 4, row={"military": 2}, lock="A", defense={"military": 5}
    ),
    "great_war.merchant_convoy": Expect(
        "normal", 3, 1, 2, row={"progress": 1}, defense={"military": 3}, keys={"B": "other"}
    ),
    "great_war.field_hospital": Expect("normal", 2, 3, 3, row={"progress": 1}, defense={"ruin": 4}),
    "great_war.central_powers": Expect("conflict", 2, 2, 3, row={"military": 1}, defense={"military": 4}),
    "great_war.red_baron": Expect(
        "conflict", 1, 3, 5, row={"military": 2}, unique=True, defense={"military": 5}
    ),
    "great_war.submarine_blockade": Expect(
        "conflict", 1, 1, 3, lock="B", defense={"military": 4}, blocks={"money": ("other", 2)}
    ),
    "great_war.gas_attack": Expect("conflict", 2, 2, 3, row={"ruin": 2}, defense={"ruin": 3}),
    "great_war.mutiny": Expect("conflict", 2, 1, 2, defense={"ruin": 3}, blocks={"military": ("other", 1)}),
    "great_war.propaganda": Expect("conflict", 2, 0, 1, row={"ruin": 1}, defense={"ruin": 2}),
    "cold_war.consumer_goods": Expect("resource", 5, 0, 1, row={"money": 1}),
    "cold_war.collective_grain": Expect("resource", 4, 0, 1, row={"harvest": 1}),
    "cold_war.steel_complex": Expect("resource", 3, 0, 1, row={"build": 1}),
    "cold_war.space_agency": Expect(
        "normal", 2, 4, 4, row={"progress": 1}, unique=True, defense={"ruin": 5}, keys={"A": "own"}
    ),
    "cold_war.launch_pad": Expect(
        "normal",
        4,
        2,
        2,
        row={"build": 1},
        tall={"build": 1, "progress": 2},
        flourish=2,
        defense={"military": 3},
    ),
    "cold_war.satellite": Expect("normal", 4, 2, 3, row={"progress": 1, "vision": 1}, defense={"ruin": 3}),
    "cold_war.lunar_landing": Expect(
        "normal", 2, 6, 6, row={"progress": 3}, lock="A", unique=True, defense={"military": 6, "ruin": 6}
    ),
    "cold_war.research_campus": Expect(
        "normal", 3, 3, 3, row={"progress": 1}, defense={"ruin": 4}, blocks={"unique": ("own", 1)}
    ),
    "cold_war.suburb": Expect("normal", 5, 1, 1, row={"money": 1}, defense={"ruin": 2}),
    "cold_war.collective_farm": Expect("normal", 4, 1, 1, row={"harvest": 1}, defense={"ruin": 2}),
    "cold_war.engineer_corps": Expect("normal", 3, 1, 2, row={"build": 1}, defense={"ruin": 2}),
    "cold_war.counterspy": Expect("normal", 3, 2, 3, row={"ruin": 2}, defense={"ruin": 3}),
    "cold_war.interceptor_wing": Expect(
        "normal", 4, 2, 3, row={"military": 1}, opened={"military": 2}, defense={"military": 3}
    ),
    "cold_war.summit_talks": Expect(
        "normal", 2, 1, 2, defense={"ruin": 3}, blocks={"ruin": ("other", 1), "military": ("other", 1)}
    ),
    "cold_war.trade_pact": Expect(
        "normal", 2, 1, 2, row={"progress": 1}, defense={"ruin": 2}, keys={"B": "other"}
    ),
    "cold_war.u2_spy_plane": Expect("conflict", 2, 4, 4, row={"ruin": 3}, defense={"military": 5}),
    "cold_war.double_agent": Expect("conflict", 2, 1, 2, row={"ruin": 1}, defense={"ruin": 3}),
    "cold_war.missile_crisis": Expect("conflict", 1, 3, 5, row={"military": 3}, lock="B", might=True),
    "cold_war.proxy_war": Expect("conflict", 2, 2, 3, row={"military": 1}, defense={"military": 4}),
    "cold_war.trade_embargo": Expect(
        "conflict", 2, 1, 2, defense={"ruin": 3}, blocks={"money": ("other", 1)}
    ),
    "cold_war.launch_failure": Expect(
        "conflict", 1, 0, 1, defense={"ruin": 2}, blocks={"progress": ("other", 1)}
    ),
    "frontier.homestead_crops": Expect("resource", 5, 0, 1, row={"harvest": 1}),
    "frontier.gold_claims": Expect("resource", 4, 0, 1, row={"money": 1}),
    "frontier.lumber_camp": Expect("resource", 3, 0, 1, row={"build": 1}),
    "frontier.settler": Expect("normal", 5, 1, 1, row={"harvest": 1}, defense={"ruin": 2}),
    "frontier.sheriff": Expect(
        "normal", 3, 2, 3, row={"military": 1}, defense={"military": 4}, keys={"A": "own"}
    ),
    "frontier.homestead": Expect(
        "normal", 5, 2, 2, row={"progress": 1}, flourish=2, defense={"ruin": 2}, armour={"ruin": 2}
    ),
    "frontier.saloon": Expect(
        "normal", 3, 1, 2, row={"money": 1, "vision": 1}, defense={"ruin": 3}, gives={"ruin": 1}
    ),
    "frontier.railroad": Expect("normal", 3, 5, 4, row={"progress": 2}, defense={"military": 5, "ruin": 6}),
    "frontier.cavalry": Expect("normal", 4, 3, 3, row={"military": 2}, lock="A", defense={"military": 4}),
    "frontier.prospector": Expect("normal", 3, 1, 2, row={"money": 1}, defense={"ruin": 2}),
    "frontier.frontier_doctor": Expect("normal", 2, 2, 2, row={"ruin": 2}, defense={"ruin": 3}),
    "frontier.carpenter": Expect("normal", 3, 1, 1, row={"build": 1}, defense={"ruin": 2}),
    "frontier.telegraph_office": Expect("normal", 2, 3, 3, row={"vision": 2}, might=True),
    "frontier.town_hall": Expect(
        "normal", 2, 4, 4, row={"progress": 1}, opened={"progress": 2}, unique=True, defense={"ruin": 5}
    ),
    "frontier.boomtown": Expect(
        "normal", 3, 2, 2, row={"progress": 1}, defense={"ruin": 2}, keys={"B": "other"}
    ),
    "frontier.outlaw_gang": Expect("conflict", 3, 2, 3, row={"military": 1}, defense={"military": 3}),
    "frontier.train_robbery": Expect(
        "conflict", 2, 1, 2, defense={"military": 3}, blocks={"money": ("other", 1)}
    ),
    "frontier.prairie_fire": Expect("conflict", 1, 2, 3, row={"ruin": 2}, defense={"ruin": 4}),
    "frontier.cholera": Expect("conflict", 1, 1, 3, row={"ruin": 3}, lock="B", defense={"ruin": 5}),
    "frontier.range_war": Expect("conflict", 2, 3, 4, row={"military": 2}, defense={"military": 5}),
    "frontier.harsh_winter": Expect(
        "conflict", 1, 0, 1, defense={"ruin": 2}, blocks={"harvest": ("other", 1)}
    ),
}
