"""The vocabulary of ERA: prompts, options and events in our own words."""

from __future__ import annotations

from ziggurat_rules.games.era.symbols import KINDS
from ziggurat_rules.terms import Vocabulary

V = Vocabulary()
KIND_WORDS = tuple(V.word(kind) for kind in KINDS)
"""Word of each kind of symbol."""
PROGRESS_WORD = V.word("progress")
DESTRUCTION_WORD = V.word("destruction")
CAP_WORD = V.word("cap")
LAST_WORD = V.word("last one left")
END_WORDS = (V.word("none"), PROGRESS_WORD, DESTRUCTION_WORD, CAP_WORD, LAST_WORD)

# Prompts
WHICH_ERA = V.verb("which_era", text="choose an Era deck")
WHICH_BLOCKED = V.verb(
    "which_blocked", "seat", "kind:word", "amount", text="{amount} of these {kind} symbols are blocked"
)
WHICH_PAIRS = V.verb("which_pairs", "amount", text="which {amount} harvest symbols form pairs")
GATHERING = V.verb("gathering", text="resource gathering")
TO_BUILD = V.verb("to_build", "amount", text="of {amount} dealt cards, how many go unseen to the build pile")
TO_CONFLICT = V.verb(
    "to_conflict", "amount", text="of the other {amount}, how many go unseen to the conflict pile"
)
CARD_PLAY = V.verb("card_play", text="card play")
PAYING = V.verb("paying", "card", "amount", text="pay for {card}: {amount} missing")
CONFLICT_PHASE = V.verb("conflict_phase", text="conflict")
ATTACKERS = V.verb("attackers", "card", "amount", text="attack {card}: {amount} flips so far")
ADD_MONEY = V.verb("add_money", "card", "amount", text="money against {card}: {amount} stars missing")
USE_PLOT = V.verb("use_plot", "amount", text="add {amount} stars by Plot")
WHICH_BONUS = V.verb("which_bonus", text="choose a bonus card and pass the others on")
WHICH_SHIELD = V.verb("which_shield", text="which card does Defense protect")
WHICH_RETURN = V.verb("which_return", text="which discards go back into the deck")
WHICH_FOUND = V.verb("which_found", text="which card does Search take")

# Options
CHOOSE_ERA = V.verb("choose_era", "card", text="play {card}")
BLOCKED = V.verb("blocked", "card", "position:amount", text="{card} at {position}")
PAIR = V.verb("pair", "card", "position:amount", text="{card} at {position}")
SPECIAL_BUILD = V.verb("special_build", text="flip a card onto the build pile")
SPEND_HARVEST = V.verb(
    "spend_harvest",
    "card",
    "position:amount",
    "tokens:amount",
    text="spend the {tokens} harvest tokens of {card} at {position}",
)
DONE = V.verb("done", text="done")
TACTICS = V.verb(
    "tactics", "card", text="tactics: {card} goes face down to the conflict pile, no play, no attack"
)
PLAY = V.verb("play", "card", "cost:amount", text="play {card} for {cost}")
FLOURISH = V.verb(
    "flourish", "card", "position:amount", "cost:amount", text="flourish {card} at {position} for {cost}"
)
VISION_STORE = V.verb(
    "vision_store", "card", "position:amount", text="store {card} under the card at {position}"
)
VISION_DRAW = V.verb(
    "vision_draw", "card", "position:amount", text="draw {card} from under the card at {position}"
)
PLAY_COMMUNITY = V.verb(
    "play_community",
    "card",
    "owner:seat",
    "cost:amount",
    text="play {card} from the pile of {owner} for {cost}",
)
END_PLAY = V.verb("end_play", text="end card play")
PAY_UP = V.verb("pay_up", "card", "amount", text="pay face-up {card}, worth {amount}")
PAY_MONEY = V.verb("pay_money", text="pay 1 money")
PAY_DOWN = V.verb("pay_down", text="pay 1 face-down build card")
ATTACK = V.verb(
    "attack",
    "card",
    "era:seat",
    "position:amount",
    "kind:word",
    "defense:amount",
    text="{kind} attack on {card} of {era} at {position}, defense {defense}",
)
ADD_ATTACKER = V.verb(
    "add_attacker",
    "card",
    "position:amount",
    "symbols:amount",
    text="{card} at {position} attacks with {symbols} symbols",
)
ADD_GIFT = V.verb("add_gift", "symbols:amount", text="use {symbols} symbols that an opponent's card gives")
NO_PLOT = V.verb("no_plot", text="not now")
PLOT = V.verb("plot", "amount", text="add {amount} stars")
CYCLE = V.verb("cycle", "card", "owner:seat", text="pay 1 to put {card} under the pile of {owner}")
END_TURN = V.verb("end_turn", text="end the turn")
TAKE_BONUS = V.verb("take_bonus", "card", text="take {card}")
SHIELD = V.verb("shield", "card", "position:amount", text="protect {card} at {position}")
RETURN = V.verb("return", "card", text="return {card}")
FIND = V.verb("find", "card", text="take {card}")

# Events
CHOSE = V.verb("chose", "seat", "card", text="{seat} plays {card}")
REVEALED = V.verb("revealed", "seat", "depth:amount", text="{seat} reveals a conflict card as number {depth}")
FIRST = V.verb("first", "seat", text="{seat} goes first")
TURN = V.verb("turn", "seat", text="turn of {seat}")
EARNED = V.verb("earned", "seat", "kind:word", "amount", text="{seat} gains {amount} {kind}")
DEALT = V.verb("dealt", "seat", "amount", text="{seat} deals {amount}")
COMMITTED = V.verb(
    "committed",
    "seat",
    "build:amount",
    "conflict:amount",
    text="{seat} commits {build} to build, {conflict} to conflict",
)
EXHAUSTED = V.verb("exhausted", "seat", text="{seat} is exhausted")
RECOVERED = V.verb("recovered", "seat", text="{seat} is no longer exhausted")
PLAYED = V.verb("played", "seat", "card", "cost:amount", text="{seat} plays {card} for {cost}")
FLOURISHED = V.verb(
    "flourished", "seat", "card", "position:amount", text="{seat} flourishes {card} at {position}"
)
CASCADED = V.verb("cascaded", "card", "owner:seat", text="{card} of {owner} is played along")
STORED = V.verb("stored", "seat", "position:amount", text="{seat} stores a card at {position}")
DREW_BACK = V.verb("drew_back", "seat", "card", text="{seat} shows {card} and takes it back")
USED_TACTICS = V.verb("used_tactics", "seat", text="{seat} uses tactics")
ATTACKED = V.verb(
    "attacked", "seat", "card", "era:seat", "kind:word", text="{seat} attacks {card} of {era} ({kind})"
)
FLIPPED = V.verb("flipped", "seat", "card", "stars:amount", text="{seat} flips {card}: {stars}")
SEPARATED = V.verb("separated", "seat", "card", text="{seat} discards {card} between attackers")
DESTROYED = V.verb("destroyed", "card", "era:seat", text="{card} of {era} is destroyed")
HELD = V.verb("held", "card", "stars:amount", text="{card} holds against {stars} stars")
TOKEN = V.verb("token", "seat", text="{seat} receives a destruction token")
REMOVED = V.verb("removed", "seat", text="{seat} is out of the game")
CYCLED = V.verb("cycled", "seat", "card", "owner:seat", text="{seat} cycles {card} of {owner}")
BONUS = V.verb("bonus", "seat", "card", text="{seat} reveals {card}")
SHIELDED = V.verb("shielded", "seat", "card", text="{card} of {seat} is protected")
RETURNED = V.verb("returned", "seat", "card", text="{seat} returns {card} to the deck")
SEARCHED = V.verb("searched", "seat", text="{seat} searches the deck")
RESHUFFLED = V.verb("reshuffled", "seat", text="{seat} reshuffles the discard pile")
ENDED = V.verb("ended", "why:word", text="the game ends: {why}")
