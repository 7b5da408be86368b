"""What options, prompts and events of The Flow of History say."""

from __future__ import annotations

from ziggurat_rules.terms import Vocabulary

V = Vocabulary()

# The five actions and what belongs to them
TURN = V.verb("turn", text="take an action")
INVEST = V.verb("invest", "card", text="invest in {card}")
COMPLETE = V.verb("complete", "card", "bonus:amount", text="complete {card} (investor bonus {bonus})")
SNIPE = V.verb(
    "snipe", "card", "investor:seat", "tokens:amount", text="snipe {card} from {investor} for {tokens}"
)
ACTIVATE = V.verb("activate", "card", text="activate {card}")
HARVEST = V.verb("harvest", "gain:amount", text="harvest {gain}")
TOKENS = V.verb("tokens", "card", text="how many tokens to invest in {card}")
BONUS_ACTION = V.verb("bonus_action", text="take a bonus Invest or Snipe action")
DECLINE = V.verb("decline", text="take none")
BANKER_PLACES = V.verb("banker_places", text="place the Banker")
BANK = V.verb("bank", "card", "tokens:amount", text="the Banker invests {tokens} in {card}")
START = V.verb("start", text="choose the starting card")
KEEP = V.verb("keep", "card", text="start with {card}")

# Effects
GAIN_WHICH = V.verb("gain_which", "card", text="{card}: which card to gain")
GAIN = V.verb("gain", "card", text="gain {card}")
LOSE_WHICH = V.verb("lose_which", "card", text="{card}: which own card to discard")
LOSE = V.verb("lose", "card", text="discard your {card}")
ATTACK_WHOM = V.verb("attack_whom", "card", text="{card}: whom to attack")
ATTACK_WHAT = V.verb("attack_what", "card", "victim:seat", text="{card}: what {victim} loses")
STEAL = V.verb("steal", "victim:seat", "tokens:amount", text="take {tokens} tokens from {victim}")
DESTROY = V.verb("destroy", "victim:seat", "card", text="discard {card} of {victim}")
DESTROY_ALL = V.verb("destroy_all", "victim:seat", text="discard what {victim} has on top")

# Events
INVESTED = V.verb(
    "invested", "investor:seat", "card", "tokens:amount", text="{investor} invests {tokens} in {card}"
)
COMPLETED = V.verb(
    "completed", "seat", "card", "bonus:amount", text="{seat} completes {card}, investor bonus {bonus}"
)
SNIPED = V.verb("sniped", "seat", "card", "investor:seat", text="{seat} snipes {card} from {investor}")
ACTIVATED = V.verb("activated", "seat", "card", text="{seat} activates {card}")
HARVESTED = V.verb("harvested", "seat", "gain:amount", text="{seat} harvests {gain}")
GAINED = V.verb("gained", "seat", "card", text="{seat} gains {card}")
REVEALED = V.verb("revealed", "card", text="{card} comes into the Market")
DISCARDED = V.verb("discarded", "card", "owner:seat", text="{card} is discarded (from {owner})")
TOOK = V.verb("took", "seat", "tokens:amount", text="{seat} takes {tokens} tokens")
STOLE = V.verb(
    "stole", "seat", "victim:seat", "tokens:amount", text="{seat} takes {tokens} tokens from {victim}"
)
SHARED_OUT = V.verb("shared_out", "tokens:amount", text="all tokens are shared out, {tokens} each")
SUPPRESSED = V.verb("suppressed", "seat", "card", text="{card} of {seat} does not attack")
SCORED = V.verb(
    "scored",
    "seat",
    "culture:amount",
    "icons:amount",
    "effects:amount",
    text="{seat} scores {culture} for Culture, {icons} for other icons, {effects} for effects",
)
