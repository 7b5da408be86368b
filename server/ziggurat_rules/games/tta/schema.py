"""What the fact files may hold: the keys of each kind of card and the effects that the rules carry out."""

from __future__ import annotations

from ziggurat_rules.catalogue import Key, Schema

FILES = ("initial.toml", "civil.toml", "military.toml")
LEVELS = (0, 1, 2, 3)
BACKS = (
    "player board",
    *(f"civil {age}" for age in ("A", "I", "II", "III")),
    *(f"military {age}" for age in ("A", "I", "II", "III")),
)
WORKER_KINDS = (
    *("farm", "mine", "lab", "temple", "library", "theater", "arena"),
    *("infantry", "cavalry", "artillery", "air_force"),
)

_SYMBOLS = frozenset(
    ("culture", "science", "strength", "happiness", "civil_actions", "military_actions", "colonization")
)
BONUS_KEYS = {
    "per_worker": frozenset(("food", "resources", "culture", "science", "strength", "happiness")),
    "gives": _SYMBOLS | {"blue_tokens", "yellow_tokens"},
    "permanent": _SYMBOLS | {"blue_tokens", "yellow_tokens"},
    "immediate": frozenset(("food", "resources", "science", "culture", "population", "military_cards")),
    "needs": frozenset(("infantry", "cavalry", "artillery")),
}

RECORD: Schema = {
    "id": Key((str,), True),
    "name": Key((str,), True),
    "level": Key((int,), True, (0, 1, 2, 3)),
    "kind": Key(
        (str,),
        True,
        (
            *WORKER_KINDS,
            *("special", "government", "leader", "wonder", "action"),
            *("tactic", "bonus", "territory", "event", "aggression", "war", "pact"),
        ),
    ),
    "copies": Key((dict,), True),
    "source": Key((str,), True, ("rulebook", "public", "house", "pack")),
    "text": Key((str,), True),
    "note": Key((str,)),
    "science_cost": Key((int,)),
    "science_cost_peaceful": Key((int,)),
    "science_cost_revolution": Key((int,)),
    "resource_cost": Key((int,)),
    "per_worker": Key((dict,)),
    "gives": Key((dict,)),
    "civil_actions": Key((int,)),
    "military_actions": Key((int,)),
    "urban_limit": Key((int,)),
    "special_type": Key((str,), False, ("law", "warfare", "exploration", "construction")),
    "stages": Key((list,)),
    "amount": Key((int,)),
    "effects": Key((list,)),
    "needs": Key((dict,)),
    "strength": Key((int,)),
    "outdated_strength": Key((int,)),
    "defense": Key((int,)),
    "colonization": Key((int,)),
    "immediate": Key((dict,)),
    "permanent": Key((dict,)),
    "scoring": Key((bool,)),
    "sides": Key((bool,)),
    "both": Key((dict,)),
    "side_a": Key((dict,)),
    "side_b": Key((dict,)),
    "no_attack_between": Key((bool,)),
    "ends_if_attack_between": Key((bool,)),
}

_WORKERS = {"per_worker": True, "resource_cost": True, "science_cost": False, "effects": False}
KIND_SCHEMAS: dict[str, dict[str, bool]] = {kind: _WORKERS for kind in WORKER_KINDS} | {
    "special": {"science_cost": True, "special_type": True, "gives": False, "effects": False},
    "government": {
        "science_cost_peaceful": False,
        "science_cost_revolution": False,
        "civil_actions": True,
        "military_actions": True,
        "urban_limit": True,
        "gives": False,
    },
    "leader": {"gives": False, "effects": True},
    "wonder": {"stages": True, "gives": False, "effects": False},
    "action": {"effects": True, "amount": False},
    "tactic": {"needs": True, "strength": True, "outdated_strength": True},
    "bonus": {"defense": True, "colonization": True},
    "territory": {"immediate": True, "permanent": True},
    "event": {"effects": True, "scoring": True},
    "aggression": {"effects": True, "military_actions": True},
    "war": {"effects": True, "military_actions": True},
    "pact": {
        "sides": True,
        "both": False,
        "side_a": False,
        "side_b": False,
        "no_attack_between": True,
        "ends_if_attack_between": True,
    },
}
"""By kind: its facts, and whether they must be there."""

OPS: dict[str, frozenset[str]] = {
    name: frozenset(keys.split())
    for name, keys in {
        "air_force_doubles_army": "per_unit",
        "attack_cost_against_self": "multiplier",
        "best_building_doubles": "of what",
        "best_building_science": "of per_level",
        "cannot_play": "cards",
        "colonize_discard": "bonus_each cards max",
        "combo_action": "do food military_actions resources",
        "convert_action": "from per_turn to",
        "cost_with_partner": "needs_building of resources science",
        "cross_upgrade": "civil_actions from level min pay times_per_turn to",
        "culture_per_building": "amount of",
        "culture_per_building_level": "of per_level",
        "culture_per_colony": "additional first",
        "culture_per_happy_face": "amount of",
        "culture_per_pair": "amount of",
        "develop_cost": "of science",
        "do_action": "action of resources stages",
        "double_best_mine": "workers",
        "end_of_turn": "gain if_strength_rank ties",
        "extra_happy_per_source": "amount exclude_self",
        "extra_political_action": "count times_per_game",
        "free_population": "civil_actions food phase times_per_turn",
        "gain": "culture food resources science",
        "gain_choice": "options",
        "gain_per_rival": "culture rivals",
        "hand_limit": "civil military",
        "infantry_may_be_cavalry": "scope",
        "on_complete": "culture",
        "on_develop_technology": "gain refund_civil_actions",
        "on_leave_or_game_end": "gain_culture",
        "on_replaced": "may survives_ravages then_no_action_refund wonder_gains",
        "on_revolution": "gain",
        "on_take_from_row": "card_is gain",
        "peek_current_event": "when",
        "political_action": "action do gain_yellow_tokens no_bid no_sacrifice token_source token_to",
        "population_food_cost": "amount min",
        "resources_per_building_level": "of per_level when",
        "revolution_payment": "instead_of pay",
        "row_cost": "card_kind civil_actions if ignore_completed_wonders min",
        "science_per_building": "amount of",
        "strength_per_happy_face": "amount of",
        "strength_per_unit": "amount of",
        "strength_per_unit_type": "amount types",
        "then_gain": "food science",
        "turn_bonus": "military_actions",
        "turn_choice": "options times_per_turn",
        "turn_pool": "resources use",
        "turn_pool_per_rival": "resources rivals use",
        "urban_build_discount": "by_building_age",
        "wonder_stages_per_action": "max",
    }.items()
}
"""Effects of civil cards and the arguments of each."""

_EVENT_KEYS = """
who may if if_among gain gain_choice gain_mix gain_rating as lose lose_mix lose_all lose_per_discontent
produce ignore
take_from yellow_tokens from_zone to_zone destroy_own count destroy_rival culture may_choose_one civil_actions
build_free draw_military_cards discard_military_cards in_age_iv lose_civil_actions_per_discontent
lose_population_per_discontent discard_leader_if lose_colony chosen_by take_cards_worth cost
then_refill_row_without_discard gain_per_happy_face max flip_completed_wonder ages ruin_gives
"""
EFFECT_KEYS = {
    "event": frozenset(_EVENT_KEYS.split()),
    "aggression": frozenset(
        [
            "steal_mix",
            "split_by",
            "destroy_rival",
            "gain_resources",
            "rival_lose",
            "gain",
            "steal_colony",
            "immediate_effect",
            "remove_rival_one_of",
            "chosen_by",
            "gain_culture_per_level_removed",
            "steal",
        ]
    ),
    "war": frozenset(
        [
            "victor_steals",
            "or_special_technologies_worth",
            "printed_cost",
            "victor_steals_yellow_tokens",
            "from_zone",
        ]
    ),
}
"""Keys of the effects of military cards."""

PACT_KEYS = frozenset(
    [
        "military_actions",
        "attack_strength_against_partner",
        "food_as_resource_per_turn",
        "resource_as_food_per_turn",
        "resource_production",
        "food_production",
        "culture",
        "strength",
        "develop_science_cost",
        "partner_pays_science",
        "blocked_if_partner_cannot_pay",
        "culture_per_partner_wonder",
        "nobody_may_declare_war_on",
    ]
)
"""What a side of a pact may have."""
