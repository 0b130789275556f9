"""What fits of texts that may be long: head and tail of each, the first of many, and how much is left out."""

from collections.abc import Sequence

from gate.report import Evidence, Finding, Verdict, Waived


def clip(text: str, limit: int) -> str:
    """At most `limit` characters: the start, and a sign that more would follow."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def middle(text: str, limit: int) -> str:
    """Head and tail in about `limit` characters, and between them how many are left out."""
    if len(text) <= limit:
        return text
    half = max(limit, 2) // 2
    return f"{text[:half]}\n… {len(text) - 2 * half} characters left out …\n{text[-half:]}"


def account(verdict: Verdict, limit: int) -> str:
    """Why a verdict is what it is, in about `limit` characters: its reason, each finding at its place, the details."""
    if not verdict.findings:
        return middle(verdict.message, limit)
    told = observations(verdict.findings, limit)
    return f"{clip(verdict.reason, limit)}\n{told}" if verdict.reason else told


def observations(seen: Sequence[Finding | Evidence], limit: int) -> str:
    """Each finding (or piece of evidence) at its place with its details, in about `limit` characters."""
    if not seen:
        return ""
    share = max(limit // min(len(seen), 20), 80)
    told: list[str] = []
    left = limit
    for number, one in enumerate(seen):
        if left <= 0:
            told.append(f"… and {len(seen) - number} more")
            break
        place = one.place
        text = clip(f"{place}: {one.message}" if place else one.message, share)
        if one.details:
            text += "\n" + middle(one.details, max(share - len(text), 80))
        left -= len(text)
        told.append(text)
    return "\n".join(told)


def asides(seen: Sequence[Finding | Evidence], waived: Sequence[Waived], limit: int) -> str:
    """What is told beside a verdict, in about `limit` characters: what was seen, and what is waived, and why."""
    if not waived:
        return observations(seen, limit)
    excused = [Evidence(message=one.message, path=one.finding.path, line=one.finding.line) for one in waived]
    return observations([*seen, *excused], limit)


def notices(findings: Sequence[Finding], limit: int) -> str:
    """Findings that change no verdict, each with its severity, in about `limit` characters."""
    if not findings:
        return ""
    named = [
        Finding(message=f"{one.severity}: {one.message}", path=one.path, line=one.line, details=one.details)
        for one in findings
    ]
    return observations(named, limit)
