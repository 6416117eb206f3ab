"""Signatures follow Standard Webhooks."""

from bundlesvc.domain.events.signature import secret_text, signature

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # the standard's own example
BODY = b'{"test": 2432232314}'


def test_example_of_the_standard() -> None:
    signed = signature(SECRET, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, BODY)
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_every_part_is_signed() -> None:
    parts = [("a", 1, b"x"), ("b", 1, b"x"), ("a", 2, b"x"), ("a", 1, b"y")]
    assert len({signature(SECRET, *part) for part in parts}) == len(parts)


def test_secret_is_written_with_its_mark() -> None:
    assert secret_text(bytes(24)) == f"whsec_{'A' * 32}"
