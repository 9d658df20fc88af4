/** Generated inputs of a run, as a share of those of a long run: `PARAPET_TEST_FUZZ=1` sends all of them. */
const share = Number(process.env.PARAPET_TEST_FUZZ ?? 0.4)

/** @param whole count of a long run */
export const sampled = (whole: number): number => Math.ceil(whole * share)

/** Which of several surroundings a commit of continuous integration runs; unset, all of them run. */
const round = process.env.PARAPET_TEST_ROUND

/** Of databases or services that a suite runs once each with, all, or the one whose turn it is. */
export const ofRound = <T>(surroundings: readonly T[]): readonly T[] =>
  round === undefined || surroundings.length < 2
    ? surroundings
    : surroundings.filter((_, index) => index % 2 === Number(round))
