"""JSON documents of a bundle, read strictly: what is wrong with one is the bundle's fault, with its place."""

from typing import TypeVar

from gate.document import DocumentError, parse
from gate.errors import BundleError
from gate.shape import shaped

T = TypeVar("T")


def read(data: bytes, kind: type[T], where: str) -> T:
    """A document as `kind`; `where` is what messages call it. BundleError says what is wrong with it."""
    try:
        document = parse(data)
        return shaped(document, kind, document.value)
    except DocumentError as error:
        raise fault(error, where) from None


def fault(error: DocumentError, where: str) -> BundleError:
    """A mistake in a document of a bundle, with its place."""
    return BundleError(error.at(where), kind=error.kind)
