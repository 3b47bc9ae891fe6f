"""The memory and processor time of a running process."""


def memory(pid, kind="VmRSS"):
    """Resident memory in MB: all of it, or RssAnon, which leaves out pages of files such as the executable's code."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(kind)) / 1024


def processor(pid):
    """Processor time so far, in seconds."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100
