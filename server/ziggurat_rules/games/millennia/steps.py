"""Numbers of the steps of the agenda, and of the phases that all seats play at the same time."""

from __future__ import annotations

BEGIN_AGE, DRAFT, BEGIN_PHASE, ALL_TOGETHER, ONE_SEAT, BEGIN_CONSTRUCTION = range(6)
CONSTRUCT, WAR_PHASE, UPKEEP, LAST, END, FINAL = range(6, 12)
PROSPERITY_PHASE, INCOME_PHASE, ACTION_PHASE = range(3)
