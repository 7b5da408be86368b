def report(*a):
    return None
