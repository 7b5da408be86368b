"""The vocabulary: prompts, options and events of the game."""

from __future__ import annotations

from ziggurat_rules.terms import Vocabulary

V = Vocabulary()

# Prompts
ACTION_PHASE = V.verb("action_phase", text="choose an action")
POLITICS_PHASE = V.verb("politics_phase", text="choose a political action")
FOR_CARD = V.verb("for_card", "card", text="choose for {card}")
DISCARD_EXCESS = V.verb("discard_excess", "amount", text="discard {amount} military cards")
DEFEND = V.verb(
    "defend",
    "card",
    "rival:seat",
    "missing:amount",
    text="defend against {card} of {rival}: {missing} strength missing",
)
ANSWER_PACT = V.verb("answer_pact", "card", "seat", text="answer {seat}, who offers {card}")
BIDDING = V.verb("bidding", "card", "high:amount", text="bid for {card}, the highest bid is {high}")
FORCE = V.verb("force", "card", "missing:amount", text="send a force to {card}: {missing} missing")
LOSE_POPULATION = V.verb("lose_population", "card", text="choose the worker that is lost to {card}")
DISCARD_FOR = V.verb(
    "discard_for", "card", "amount", text="discard {amount} military cards because of {card}"
)
SPOILS = V.verb("spoils", "card", "left:amount", text="choose spoils of {card}, {left} left")
REPLACE_LEADER = V.verb("replace_leader", "card", text="choose what becomes of {card}")

# Options of the action phase
TAKE = V.verb(
    "take", "card", "space:amount", "civil:amount", text="take {card} from space {space} ({civil} civil)"
)
GROW = V.verb(
    "grow", "civil:amount", "food:amount", "resources:amount",
    text="increase population ({civil} civil, {food} food, {resources} resources)",
)  # fmt: skip
GROW_FREE_BY = V.verb("grow_free", "card", text="increase population for free by {card}")
BUILD = V.verb(
    "build", "card", "civil:amount", "resources:amount", "food:amount",
    text="build {card} ({civil} civil, {resources} resources, {food} food)",
)  # fmt: skip
UPGRADE = V.verb(
    "upgrade", "from:card", "to:card", "civil:amount", "resources:amount", "food:amount",
    text="upgrade {from} to {to} ({civil} civil, {resources} resources, {food} food)",
)  # fmt: skip
DESTROY = V.verb("destroy", "card", "civil:amount", text="destroy {card} ({civil} civil)")
BUILD_UNIT = V.verb(
    "build_unit", "card", "military:amount", "resources:amount", "pool:amount", "food:amount",
    text="build {card} ({military} military, {resources} resources, {pool} from the pool, {food} food)",
)  # fmt: skip
UPGRADE_UNIT = V.verb(
    "upgrade_unit", "from:card", "to:card", "military:amount", "resources:amount", "pool:amount",
    "food:amount",
    text="upgrade {from} to {to} ({military} military, {resources} resources, {pool} from the pool, "
    "{food} food)",
)  # fmt: skip
DISBAND = V.verb("disband", "card", "military:amount", text="disband {card} ({military} military)")
CROSS_UPGRADE = V.verb(
    "cross_upgrade", "from:card", "to:card", "civil:amount", "resources:amount", "food:amount",
    text="turn {from} into {to} ({civil} civil, {resources} resources, {food} food)",
)  # fmt: skip
LEVY = V.verb(
    "levy", "card", "military:amount", "food:amount", "resources:amount", "pool:amount", "trade:amount",
    text="grow and build {card} ({military} military, {food} food, {resources} resources, {pool} from "
    "the pool, "
    "{trade} traded)",
)  # fmt: skip
PLAY_LEADER = V.verb("play_leader", "card", "civil:amount", text="play {card} ({civil} civil)")
STAGE = V.verb(
    "stage", "card", "stages:amount", "civil:amount", "resources:amount", "food:amount",
    text="build {stages} stages of {card} ({civil} civil, {resources} resources, {food} food)",
)  # fmt: skip
DEVELOP = V.verb(
    "develop", "card", "civil:amount", "science:amount", "pool:amount", "partner:amount",
    text="develop {card} ({civil} civil, {science} science, {pool} from the pool, {partner} by the partner)",
)  # fmt: skip
REVOLUTION = V.verb(
    "revolution", "card", "civil:amount", "military:amount", "science:amount", "partner:amount",
    text="revolution to {card} ({civil} civil, {military} military, {science} science, {partner} by the "
    "partner)",
)  # fmt: skip
PLAY_ACTION = V.verb("play_action", "card", "civil:amount", text="play {card} ({civil} civil)")
PLAY_TACTIC = V.verb("play_tactic", "card", "military:amount", text="play {card} ({military} military)")
COPY_TACTIC = V.verb("copy_tactic", "card", "military:amount", text="copy {card} ({military} military)")
CONVERT = V.verb(
    "convert", "military:amount", "civil:amount", text="use {military} military as {civil} civil action"
)
TURN_GAIN = V.verb("turn_gain", "card", "culture:amount", text="score {culture} culture by {card}")
TURN_POOL = V.verb(
    "turn_pool", "card", "science:amount", "resources:amount",
    text="{science} science and {resources} resources for units by {card}",
)  # fmt: skip
END = V.verb("end", text="end the action phase")

# Options of the politics phase
PASS = V.verb("pass", text="pass")
PREPARE = V.verb("prepare", "card", "culture:amount", text="prepare {card} (scores {culture})")
AGGRESSION_ON = V.verb(
    "aggression", "card", "rival:seat", "military:amount", text="{card} against {rival} ({military} military)"
)
WAR_ON = V.verb(
    "declare_war", "card", "rival:seat", "military:amount", text="{card} on {rival} ({military} military)"
)
OFFER = V.verb("offer_pact", "card", "seat", "side:word", text="offer {card} to {seat}, own side {side}")
CANCEL = V.verb("cancel_pact", "card", "seat", text="cancel {card} of {seat}")
DISMISS = V.verb("dismiss_leader", "card", "yellow:amount", text="dismiss {card} for {yellow} yellow tokens")
SETTLE = V.verb("settle", "leader:card", "card", text="{leader} leaves and settles {card}")
RESIGN = V.verb("resign", text="resign")

# Other options
CARD = V.verb("card", "card", text="{card}")
OWN = V.verb("own_card", "seat", "card", text="{card} of {seat}")
UNIT = V.verb("send_unit", "card", "amount", text="send {card} ({amount})")
BONUS_CARD = V.verb("bonus_card", "card", "amount", text="play {card} for {amount}")
DISCARD_CARD = V.verb("discard_card", "card", "amount", text="discard {card} for {amount}")
DONE = V.verb("done", text="done")
BID = V.verb("bid", "amount", text="bid {amount}")
ACCEPT = V.verb("accept", text="accept")
REFUSE = V.verb("refuse", text="refuse")
FOOD_OR = V.verb("split", "food:amount", "resources:amount", text="{food} food and {resources} resources")
STEAL_CARD = V.verb("steal_card", "card", "science:amount", text="take {card} instead of {science} science")
TUCK = V.verb("tuck_under", "card", text="tuck under {card}")
REFUND = V.verb("take_back_action", "civil:amount", text="take back {civil} civil action")

# Events
AGE_BEGINS = V.verb("age_begins", "amount", text="age {amount} begins")
ROUND_BEGINS = V.verb("round_begins", "amount", text="round {amount} begins")
LAST_ROUND_IS = V.verb("last_round_is", "amount", text="round {amount} is the last")
TOOK = V.verb("took", "seat", "card", text="{seat} took {card}")
PUT_IN_PLAY = V.verb("put_in_play", "seat", "card", text="{seat} put {card} into play")
LEFT_PLAY = V.verb("left_play", "seat", "card", text="{card} of {seat} left play")
BUILT = V.verb("built", "seat", "card", text="{seat} built {card}")
UPGRADED = V.verb("upgraded", "seat", "from:card", "to:card", text="{seat} upgraded {from} to {to}")
RETIRED = V.verb("retired", "seat", "card", text="{seat} lost or took back a worker of {card}")
GREW = V.verb("grew", "seat", text="{seat} gained a worker")
STAGES_BUILT = V.verb("stages_built", "seat", "card", "amount", text="{seat} built {amount} stages of {card}")
COMPLETED = V.verb("completed", "seat", "card", text="{seat} completed {card}")
RUINED_WONDER = V.verb("ruined", "seat", "card", text="{card} of {seat} is ruined")
PLAYED = V.verb("played", "seat", "card", text="{seat} played {card}")
DREW = V.verb("drew", "seat", "amount", text="{seat} drew {amount} military cards")
DISCARDED = V.verb("discarded", "seat", "amount", text="{seat} discarded {amount} military cards")
PREPARED = V.verb("prepared", "seat", text="{seat} prepared an event")
EVENT_IS = V.verb("event_is", "card", text="event: {card}")
BIDS = V.verb("bids", "seat", "amount", text="{seat} bids {amount}")
COLONIZED = V.verb("colonized", "seat", "card", text="{seat} colonized {card}")
ATTACKED = V.verb("attacked", "seat", "card", "rival:seat", text="{seat} played {card} against {rival}")
DEFENDED = V.verb("defended", "seat", "card", text="{seat} fended {card} off")
WAR_ENDS = V.verb(
    "war_ends", "seat", "card", "advantage:amount", text="{card} of {seat} ends, advantage {advantage}"
)
OFFERED = V.verb("offered", "seat", "card", "partner:seat", text="{seat} offered {card} to {partner}")
REFUSED = V.verb("refused", "seat", "card", text="{seat} refused {card}")
SCORED = V.verb("scored", "seat", "amount", "card", text="{seat} scored {amount} culture for {card}")
UPRISING = V.verb("uprising", "seat", text="uprising against {seat}")
RESIGNED_NOW = V.verb("resigned", "seat", text="{seat} resigned")

SIDE_WORDS = (V.word("A"), V.word("B"), V.word("both"))
