"""The enumeration against itertools."""

import itertools

import numpy as np
import pytest

from metaeval.errors import InputError
from metaeval.properties.compositions import chunk, count, rank, unrank


@pytest.mark.parametrize("items", range(5))
@pytest.mark.parametrize("cells", [1, 2, 4, 9])
def test_order_and_numbers_are_those_of_itertools(items, cells):
    ways = list(itertools.combinations_with_replacement(range(cells), items))
    expected = [[way.count(cell) for cell in range(cells)] for way in ways]
    found = chunk(items, cells, 0, count(items, cells))
    assert found.T.tolist() == expected
    assert rank(found, items).tolist() == list(range(len(ways)))


def test_a_chunk_is_a_piece_of_the_whole():
    whole = chunk(5, 9, 0, count(5, 9))
    assert np.array_equal(chunk(5, 9, 300, 700), whole[:, 300:700])


def test_ranks_of_large_sizes_come_back():
    numbers = np.random.default_rng(0).integers(0, count(20, 25), 1000)
    assert np.array_equal(rank(unrank(numbers, 20, 25), 20), numbers)


def test_too_many_ways_are_refused():
    with pytest.raises(InputError, match="too many"):
        unrank(np.zeros(1, dtype=np.int64), 500, 121)


def test_shared_chunks_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        chunk(2, 4, 0, 10)[0, 0] = 7
