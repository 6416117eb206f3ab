"""A key is recognised when it comes for the second time."""

from bundlesvc.newcomers import MAX_NEWCOMERS, Newcomers


def test_a_key_comes_again_every_second_time() -> None:
    newcomers = Newcomers()

    assert [newcomers.comes_again(("a", 1)) for _ in range(4)] == [False, True, False, True]


def test_other_keys_are_new() -> None:
    newcomers = Newcomers()
    newcomers.comes_again("a")

    assert not newcomers.comes_again("b")
    assert newcomers.comes_again("a")


def test_too_many_new_keys_are_all_forgotten() -> None:
    newcomers = Newcomers()
    for number in range(3 * MAX_NEWCOMERS):
        assert not newcomers.comes_again(number)

    assert len(newcomers) <= MAX_NEWCOMERS
