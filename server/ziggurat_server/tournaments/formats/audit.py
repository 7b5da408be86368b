def plan(field):
    return [], None
