/**
 * The form of automatic checks: each reads facts of other modules in one snapshot and says of every item of its population
 * whether it passes. A check is pure; what it could not read is an error, and an empty population is not evaluated: neither
 * is ever a pass. Tested in run-check.test.ts.
 */
import type { Severity } from '../scoring/words.ts'
import type { FactData } from './fact-data.ts'

export interface Item {
  /** Of the thing that was looked at. */
  readonly id: string
  readonly passed: boolean
  /** Why it did not pass. */
  readonly reason?: string
}

export interface Evaluation {
  readonly items: readonly Item[]
  /** Size of the population as the owner counts it, where it is not the number of items (long lists are cut). */
  readonly population?: number
  /** The same by another count; a difference is an error. */
  readonly recount?: number
}

/** A control that a pass supports. */
export interface Claim {
  readonly framework: string
  readonly ref: string
  /** Supports a part of it. */
  readonly part: boolean
}

export interface CheckContext {
  /** Unix milliseconds of the snapshot. */
  readonly atMs: number
}

/** A fact that is read, with the query that it is read with. */
export interface Reading {
  readonly fact: string
  readonly query?: Readonly<Record<string, unknown>>
}

export interface CheckDefinition {
  readonly id: string
  /** Raised when the meaning changes. */
  readonly version: number
  readonly title: string
  readonly severity: Severity
  readonly reads: readonly Reading[]
  /** The population in words. */
  readonly population: string
  readonly freshnessDays: number
  /** Share of items that has to pass; default all. */
  readonly passShare?: number
  /** Channels after whose events it runs at once. */
  readonly triggers: readonly string[]
  readonly claims: readonly Claim[]
  /** `facts` holds the data of `reads`, in their order. */
  readonly evaluate: (facts: readonly FactData[], context: CheckContext) => Evaluation
}

type CheckInput = Omit<CheckDefinition, 'claims' | 'triggers'> & {
  readonly triggers?: readonly string[]
  /** `<framework> <ref>`; with a `~` in front it supports a part. */
  readonly claims: readonly string[]
}

const claimPattern = /^(~?)(\S+) (.+)$/

/** @throws TypeError for a claim of another form */
export function defineCheck({ claims, triggers = [], ...input }: CheckInput): CheckDefinition {
  return {
    ...input,
    triggers,
    claims: claims.map((claim) => {
      const [, part, framework, ref] = claimPattern.exec(claim) ?? []
      if (framework === undefined || ref === undefined) throw new TypeError(`${input.id} has the claim "${claim}"`)
      return { framework, ref, part: part === '~' }
    }),
  }
}
