"""What is said at the table: prompts, options and events."""

from __future__ import annotations

from ziggurat_rules.terms import Vocabulary

V = Vocabulary()

# Prompts
DRAFT_TURN = V.verb("draft_turn", "seat", text="{seat} places a draft marker")
PROSPERITY_TURN = V.verb(
    "prosperity_turn", "seat", "pairs:amount", text="{seat} checks for prosperity: {pairs} matched"
)
INCOME_TURN = V.verb("income_turn", "seat", "gold:amount", text="{seat} is about to receive {gold} gold")
CONSTRUCTION_TURN = V.verb("construction_turn", "seat", text="{seat} constructs or passes")
DISCOUNTS = V.verb("discounts", "card", "gold:amount", text="discounts for {card}, now {gold} gold")
ACTION_TURN = V.verb("action_turn", "seat", text="{seat} performs an action")
PAY_FOR = V.verb("pay_for", "techs:amount", text="spend {techs} matching techs")
WHICH_BONUS = V.verb("which_bonus", "seat", text="{seat} resolves a bonus or is done with bonuses")
WHICH_OPTION = V.verb("which_option", "card", text="choose for {card}")
WHICH_SPECIAL = V.verb("which_special", "seat", text="{seat} performs any special action")
WHICH_TRACK = V.verb("which_track", "seat", text="{seat} advances on a lowest track")
WHICH_BRANCH = V.verb("which_branch", "seat", text="{seat} leaves the common politics spots")
WHICH_KEEP = V.verb("which_keep", "amount", text="keep {amount} of the drawn diplomacy cards")
WHICH_CLAIM = V.verb("which_claim", "seat", text="{seat} claims a research card")
WHICH_DISCARD = V.verb("which_discard", "card", text="discard a diplomacy card for {card}")
RAISE_GOLD = V.verb("raise_gold", "card", "gold:amount", text="raise {gold} gold for {card}")
WHICH_TECH = V.verb("which_tech", "card", text="choose a tech card for {card}")
WHICH_WAY = V.verb("which_way", "card", text="how to pay for {card}")
LAST_TURN = V.verb("last_turn", "seat", text="{seat} may play a card before the final scoring")

# Options
DRAFT = V.verb(
    "draft", "card", "row:amount", "income:amount", text="draft {card} from row {row} (income {income})"
)
TAKE_SPOT = V.verb("take_spot", "card", text="place a marker on {card}")
ONE_ICON = V.verb(
    "one_icon",
    "card",
    "first:card",
    "second:card",
    text="{card}: one icon is enough for {first} and {second}",
)
MATCH = V.verb("match", "card", "prosperity:card", text="spend {card} to match {prosperity}")
BUILD = V.verb(
    "build", "card", "gold:amount", text="construct {card} for {gold} gold before discounts you choose"
)
ARCHITECT = V.verb("use_architect", "gold:amount", text="use the architect: {gold} gold less")
DISCOUNT = V.verb("use_discount", "card", "gold:amount", text="play {card}: {gold} gold less")
PAY = V.verb("pay", "gold:amount", text="pay {gold} gold")
PASS = V.verb("pass", text="pass")
DONE = V.verb("done", text="done")
PERFORM = V.verb("perform", "card", text="{card}")
RETRIEVE = V.verb("retrieve", "card", text="retrieve a marker: {card}")
CONVERT = V.verb("convert", "card", text="{card}")
BUY = V.verb("buy", "card", "rp:amount", text="{card}, costs {rp} RP")
ACTIVATE = V.verb("activate", "card", text="use {card}")
PLAY = V.verb("play", "card", text="play {card}")
STANDARD = V.verb("standard", "card", "what:word", "amount", text="play {card} for {amount} {what}")
SPEND_TECH = V.verb("spend_tech", "card", text="spend {card}")
SPEND_ICON = V.verb("spend_icon", "card", text="use the icon of {card}")
SPEND_JOKER = V.verb("spend_joker", text="spend a joker tech")
WAY = V.verb(
    "way",
    "economics:amount",
    "mixed:amount",
    "factory:amount",
    "opera:amount",
    text="{economics} economics and {mixed} mixed techs (skip building {factory}, double arts {opera})",
)
RESOLVE = V.verb("resolve", "card", "part:amount", text="resolve {card} ({part})")
OPTION = V.verb("option", "number:amount", "track:word", "amount", text="option {number}: {amount} {track}")
SPECIAL = V.verb("special", "card", text="{card}")
TRACK = V.verb("track", "track:word", text="{track} track")
KEEP = V.verb("keep", "card", text="keep {card}")
KEEP_BOTH = V.verb("keep_both", "card", text="use {card}: keep both")
CLAIM = V.verb("claim", "card", text="claim {card}")
DISCARD = V.verb("discard", "card", text="discard {card}")
STAY = V.verb("stay", text="stay where you are")
BRANCH = V.verb("branch", "branch:word", text="take the {branch} section")
COPY = V.verb(
    "copy",
    "card",
    "wonder:card",
    "seat",
    "gold:amount",
    text="play {card}: copy {wonder} of {seat} for {gold} gold",
)

# Events
AGE = V.verb("age_begins", "age:amount", text="age {age} begins")
DREW_TECH = V.verb("drafted", "seat", "card", text="{seat} drafts {card}")
TOOK_SPOT = V.verb("took_spot", "seat", "card", text="{seat} reserves {card}")
PROSPERED = V.verb("prospered", "seat", "pairs:amount", text="{seat} matches {pairs} pairs")
INCOME = V.verb("received_income", "seat", "gold:amount", text="{seat} receives {gold} gold of income")
BUILT = V.verb("built", "seat", "card", "gold:amount", text="{seat} constructs {card} for {gold} gold")
PASSED = V.verb("passed", "seat", text="{seat} passes")
DID = V.verb("did", "seat", "card", text="{seat}: {card}")
ADVANCED = V.verb(
    "advanced", "seat", "track:word", "spot:amount", text="{seat} advances to {spot} on the {track} track"
)
MAXED = V.verb("maxed_out", "seat", "track:word", text="{seat} goes past the end of the {track} track")
BLOCKED = V.verb("blocked", "seat", "track:word", text="{seat} cannot advance on the {track} track")
CLAIMED = V.verb("claimed", "seat", "card", text="{seat} claims {card}")
PLAYED = V.verb("played", "seat", "card", text="{seat} plays {card}")
DISCARDED = V.verb("discarded", "seat", "card", text="{seat} discards {card}")
DREW_DIPLOMACY = V.verb("drew_diplomacy", "seat", "cards:amount", text="{seat} draws {cards} diplomacy cards")
WAR = V.verb("war", "amount", text="all war markers go back {amount}")
SCORED = V.verb("scored", "seat", "for:word", "vp:amount", text="{seat} scores {vp} VP for {for}")

TRACKS = ("prosperity", "trade", "influence", "politics", "war", "population", "culture")
PROSPERITY, TRADE, INFLUENCE, POLITICS, WAR_TRACK, POPULATION, CULTURE = range(7)
TRACK_WORD = tuple(V.word(track) for track in TRACKS)
GOLD, VP = V.word("gold"), V.word("VP")
BRANCHES = ("common", "democracy", "tyranny")
COMMON, DEMOCRACY, TYRANNY = range(3)
BRANCH_WORD = tuple(V.word(branch) for branch in BRANCHES)
PARTS = (
    "track spots",
    "influence times politics",
    "war position",
    "wonders",
    "yellow buildings",
    "diplomacy cards",
)
PART_WORD = tuple(V.word(part) for part in PARTS)
