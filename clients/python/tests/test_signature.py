"""Signatures of webhooks."""

import base64

import pytest

from soundstage_sandbox import SignatureInvalid, sign, verify

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
BODY = b'{"type":"transcript.completed"}'
# openssl: printf '%s' 'evt.1777890600.{"type":"transcript.completed"}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:000102…1f -binary | base64
KNOWN = "v1,0h7Ie1M1MITrVBXl8pAtJYv8+ZLKKtuga/QkSDpDRao="


def headers(signature: str, timestamp: str = "1777890600") -> "dict[str, str]":
    return {"Webhook-Id": "evt", "Webhook-Timestamp": timestamp, "Webhook-Signature": signature}


def test_known_signature() -> None:
    assert sign(SECRET, "evt", 1777890600, BODY) == KNOWN


def test_verifies() -> None:
    assert verify(SECRET, headers(KNOWN), BODY, now=1777890601) == {"type": "transcript.completed"}
    assert verify(SECRET, headers("v1,other " + KNOWN), BODY.decode(), tolerance=None) == {"type": "transcript.completed"}


@pytest.mark.parametrize(
    "secret, found, body, why",
    [
        (SECRET, headers(KNOWN), BODY + b" ", "not that of its secret and body"),
        (SECRET, headers(KNOWN.upper()), BODY, "not that of its secret and body"),
        (SECRET, headers("v1,é"), BODY, "not that of its secret and body"),
        (SECRET, headers(KNOWN, "1777890601"), BODY, "not that of its secret and body"),
        (SECRET, {}, BODY, "no header webhook-id"),
        (SECRET[6:], headers(KNOWN), BODY, "begins with whsec_"),
        ("whsec_!", headers(KNOWN), BODY, "not base64"),
        (SECRET, headers(sign(SECRET, "evt", "soon", BODY), "soon"), BODY, "more than 300 s off"),
        (SECRET, headers(sign(SECRET, "evt", 1777890600, b"["), "1777890600"), b"[", "not JSON"),
        (SECRET, headers(sign(SECRET, "evt", 1777890600, b"[]"), "1777890600"), b"[]", "not a JSON object"),
    ],
)
def test_refuses(secret: str, found: "dict[str, str]", body: bytes, why: str) -> None:
    with pytest.raises(SignatureInvalid, match=why):
        verify(secret, found, body, now=1777890600)


def test_refuses_old_signatures() -> None:
    with pytest.raises(SignatureInvalid, match="1777890600, is more than 300 s off"):
        verify(SECRET, headers(KNOWN), BODY, now=1777890600 + 301)
