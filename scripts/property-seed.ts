/**
 * One seed for all property tests, so a commit that passed passes again. `PARAPET_TEST_SEED=random` looks for new
 * counterexamples, `PARAPET_TEST_SEED=<number>` repeats a run.
 */
import fc from 'fast-check'

const wanted = process.env.PARAPET_TEST_SEED ?? '20261121'

if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })
