"""Vectorized NumPy for the laws A and F with the same statistics: prints the seconds of each as JSON."""
import json
import sys
import time

import numpy as np

years = int(sys.argv[1])
rng = np.random.Generator(np.random.SFC64(42))


def pert(low, mode, high, size):
    width = high - low
    return low + width * rng.beta(1 + 4 * (mode - low) / width, 1 + 4 * (high - mode) / width, size)


def per_year(counts, losses):
    return np.bincount(np.repeat(np.arange(years), counts), weights=losses, minlength=years)


def law_a():
    counts = rng.poisson(pert(0.5, 2, 5, years))
    return per_year(counts, pert(1e4, 5e4, 3e5, counts.sum()))


def law_f():
    rate = pert(10, 24, 60, years) * pert(0.1, 0.25, 0.5, years) * 0.2660699295
    counts = rng.poisson(rate)
    losses = per_year(counts, pert(5e3, 2e4, 1e5, counts.sum()))
    second = rng.binomial(counts, pert(0.05, 0.2, 0.5, years))
    return losses + per_year(second, pert(1e4, 1e5, 1e6, second.sum()))


def statistics(losses):
    ordered = np.sort(losses)
    levels = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999]
    quantiles = [ordered[int(np.ceil(p * years)) - 1] for p in levels]
    tails = [ordered[int(p * years) :].mean() for p in (0.9, 0.95, 0.99, 0.995)]
    points = np.geomspace(ordered[ordered > 0][0], ordered[-1], 200)
    curve = years - np.searchsorted(ordered, points, side="right")
    bins = np.histogram(losses, 50)
    return losses.mean(), losses.std(), (losses == 0).mean(), quantiles, tails, curve, bins


def seconds(law):
    began = time.perf_counter()
    statistics(law())
    return time.perf_counter() - began


print(json.dumps({"A": seconds(law_a), "F": seconds(law_f)}))
