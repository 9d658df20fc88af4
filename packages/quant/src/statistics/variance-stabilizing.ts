/** Anscombe transform of a count, `2√(x + 3/8)`: standard deviation close to 1 for Poisson counts of 4 and more. */
export function anscombe(count: number): number {
  if (!(count >= 0)) throw new RangeError(`Count must be 0 or more, got ${count}`)
  return 2 * Math.sqrt(count + 0.375)
}

/** Arcsine square root of a ratio 0..1, in radians: standard deviation close to `1/(2√n)` for n trials. */
export function arcsineRoot(ratio: number): number {
  if (!(ratio >= 0 && ratio <= 1)) throw new RangeError(`Ratio must be 0..1, got ${ratio}`)
  return Math.asin(Math.sqrt(ratio))
}

/** Standard deviation of {@link arcsineRoot} for a ratio of `trials` trials: the floor of its robust z. */
export function arcsineRootDeviation(trials: number): number {
  if (!(trials > 0)) throw new RangeError(`Number of trials must be above 0, got ${trials}`)
  return 0.5 / Math.sqrt(trials)
}
