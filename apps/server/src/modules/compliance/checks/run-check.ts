/**
 * One run of a check over facts that were read in one snapshot: outcome, counts, failing items, a sample that a seed
 * repeats, and all that an auditor needs to perform it again. Pure. Tested in run-check.test.ts.
 */
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { Outcome } from '../scoring/words.ts'
import type { CheckDefinition, Evaluation, Item } from './define.ts'
import { FactData, FactFormError } from './fact-data.ts'

/** A fact as it was read; null where no module publishes it. */
export interface ReadFact {
  readonly fact: string
  readonly query: Readonly<Record<string, unknown>>
  readonly reading: {
    readonly owner: string
    readonly at: string
    readonly data: Readonly<Record<string, unknown>>
  } | null
  /** Why it could not be read. */
  readonly failure: string | null
}

export interface Snapshot {
  /** ISO 8601. */
  readonly at: string
  /** The database's name of the snapshot. */
  readonly id: string
}

export interface CheckRun {
  readonly outcome: Outcome
  readonly reason: string | null
  readonly population: number
  readonly recount: number | null
  readonly evaluated: number
  readonly passed: number
  readonly failed: number
  readonly failing: readonly { readonly id: string; readonly reason: string | null }[]
  readonly ids: readonly string[]
}

const mostFailing = 10_000

/** @param facts of the check's `reads`, in their order */
export function runCheck(check: CheckDefinition, facts: readonly ReadFact[], { at }: Snapshot): CheckRun {
  const missing = facts.find(({ reading, failure }) => reading === null && failure === null)
  if (missing !== undefined) return unread('not_evaluated', `No module publishes ${missing.fact}.`)
  const failed = facts.find(({ failure }) => failure !== null)
  if (failed !== undefined) return unread('error', `${failed.fact} could not be read: ${failed.failure}`)
  const data = facts.map(({ fact, reading }) => new FactData(fact, reading?.data ?? {}))
  try {
    return judged(check, check.evaluate(data, { atMs: Date.parse(at) }))
  } catch (error) {
    if (error instanceof FactFormError) return unread('error', error.message)
    throw error
  }
}

function unread(outcome: 'error' | 'not_evaluated', reason: string): CheckRun {
  const none = { population: 0, recount: null, evaluated: 0, passed: 0, failed: 0, failing: [], ids: [] }
  return { outcome, reason, ...none }
}

function judged({ passShare = 1 }: CheckDefinition, { items, population, recount }: Evaluation): CheckRun {
  const failing = items.filter(({ passed }) => !passed)
  const passed = items.length - failing.length
  const counted = population ?? items.length
  const counts = {
    population: counted,
    recount: recount ?? null,
    evaluated: items.length,
    passed,
    failed: failing.length,
    failing: failing.slice(0, mostFailing).map(({ id, reason }: Item) => ({ id, reason: reason ?? null })),
    ids: items.map(({ id }) => id),
  }
  if (recount !== undefined && recount !== counted)
    return {
      outcome: 'error',
      reason: `The population is ${counted} by one count and ${recount} by another.`,
      ...counts,
    }
  if (counted === 0) return { outcome: 'not_evaluated', reason: 'The population is empty.', ...counts }
  if (items.length < counted && failing.length === 0)
    return { outcome: 'error', reason: `Only ${items.length} of ${counted} were told.`, ...counts }
  return { outcome: passed / items.length >= passShare ? 'pass' : 'fail', reason: null, ...counts }
}

/** Items of a daily, weekly, monthly and yearly control that an auditor draws. */
export function sampleSize(freshnessDays: number): number {
  if (freshnessDays <= 1) return 25
  if (freshnessDays <= 7) return 5
  return freshnessDays <= 30 ? 2 : 1
}

/** The items with the smallest SHA-256 of `<seed>:<id>`: the same for everybody who has the seed. */
export function sampleOf(ids: readonly string[], seed: string, size: number): readonly string[] {
  return ids
    .map((id) => ({ id, rank: sha256(`${seed}:${id}`) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, size)
    .map(({ id }) => id)
}

/** Digest of the code of a check, by which two runs are known to have asked the same. */
export const codeDigest = (check: CheckDefinition): string =>
  sha256(`${check.id}@${check.version}\n${check.evaluate.toString()}`)

export interface RunContext {
  readonly tenantId: string
  readonly snapshot: Snapshot
  readonly platformVersion: string
  /** Event that asked for the run. */
  readonly cause: { readonly event_id: string; readonly channel: string; readonly subject: string } | null
  readonly seed: string
}

/** The document that is sealed as evidence. */
export function runDocument(
  check: CheckDefinition,
  facts: readonly ReadFact[],
  run: CheckRun,
  { tenantId, snapshot, platformVersion, cause, seed }: RunContext,
) {
  const { ids, ...shown } = run
  const size = sampleSize(check.freshnessDays)
  return {
    form: 'parapet/check-run/1',
    tenant_id: tenantId,
    check: {
      id: check.id,
      version: check.version,
      title: check.title,
      severity: check.severity,
      code_sha256: codeDigest(check),
      pass_share: check.passShare ?? 1,
    },
    snapshot,
    platform_version: platformVersion,
    cause,
    population_definition: check.population,
    reads: facts.map(({ fact, query, reading, failure }) => ({
      fact,
      query,
      owner: reading?.owner ?? null,
      at: reading?.at ?? null,
      sha256: reading === null ? null : canonicalHash(reading.data),
      failure,
    })),
    ...shown,
    sample: { seed, size, ids: sampleOf(ids, seed, size) },
  }
}
