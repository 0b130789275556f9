"""What an oracle says of its type as a whole, and of one of its kind more exactly."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class _Derived(Generic[T]):
    """A value of a class that is another one for each of its objects."""

    def __init__(self, plain: T, of: Callable[[Any], T]) -> None:
        self._plain, self._of = plain, of

    def __get__(self, one: Any, kind: type) -> T:
        return self._plain if one is None else self._of(one)


def derived(plain: T, of: Callable[[Any], T]) -> Any:
    """A class attribute: `plain` when it is asked of the class, what `of` makes of an object when asked of that."""
    return _Derived(plain, of)
