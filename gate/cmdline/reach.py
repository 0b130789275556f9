"""One attempt to reach for the network, as far as words tell."""

import msgspec

from gate.cmdline.url import is_loopback


class Reach(msgspec.Struct, frozen=True):
    """The word that shows it, the hosts that it names, and the passage.

    `unread` is none: the passage has commands deeper inside it than is read, which may be one.
    """

    pattern: str
    hosts: tuple[str, ...]
    text: str
    unread: bool = False

    @property
    def stays_here(self) -> bool:
        """Whether it names hosts, and all of them are this machine."""
        return bool(self.hosts) and all(map(is_loopback, self.hosts))
