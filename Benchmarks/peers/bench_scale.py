def run(options, report):
    pass
