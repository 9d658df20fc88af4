/**
 * The risk of a discovered service: `0.6 × inherent + 0.4 × exposure`, each the sum of its terms, so that anybody can
 * recompute it from the reasons. Pure; tested in risk-score.test.ts.
 */
import { worksWithin } from '../../../../kernel/base/regions.ts'
import type { CatalogEntry, Facts } from '../catalog/schema.ts'
import type { RiskReason } from '../declared/service-schema.ts'
import type { EvidenceKind } from '../formats/record.ts'

export interface Exposure {
  readonly users: number
  readonly bytesUp: number
  /** Users in departments that handle restricted data. */
  readonly restrictedUsers: number
  readonly evidence: readonly EvidenceKind[]
}

export interface RiskInput {
  /** Null for a service that no entry describes. */
  readonly entry: Pick<CatalogEntry, 'kind' | 'facts' | 'terms_url'> | null
  readonly exposure: Exposure
  /** Where the tenant lets its data go; null for anywhere. */
  readonly allowedRegions: readonly string[] | null
  /** Unix milliseconds. */
  readonly now: number
}

export interface RiskScore {
  readonly inherent: number
  readonly exposure: number
  readonly risk_score: number
  readonly risk_reasons: RiskReason[]
}

const dayMs = 86_400_000
const mebibyte = 1_048_576
const incidentDays = 730
const longRetentionDays = 30
/** Evidence of names alone says nothing of bytes, and of users only who looked a name up. */
const mostOfDnsOnly = 30

export function riskScore(input: RiskInput): RiskScore {
  const inherentReasons = inherentTerms(input)
  const exposureReasons = exposureTerms(input.exposure)
  const inherent = sum(inherentReasons)
  const exposure = sum(exposureReasons)
  return {
    inherent,
    exposure,
    risk_score: tenths(0.6 * inherent + 0.4 * exposure),
    risk_reasons: [...inherentReasons, ...exposureReasons],
  }
}

/** An adverse fact counts whole, an unknown one half, a favorable one nothing. */
type Verdict = 'adverse' | 'unknown' | 'favorable'
const share: Readonly<Record<Verdict, number>> = { adverse: 1, unknown: 0.5, favorable: 0 }

interface Term {
  readonly term: string
  readonly weight: number
  readonly verdict: Verdict
  readonly words: Readonly<Record<'adverse' | 'unknown', string>>
  readonly source: string | null
}

function inherentTerms(input: RiskInput): readonly RiskReason[] {
  const { entry } = input
  const facts = entry?.facts ?? {}
  const terms = [
    ...factTerms(facts),
    certificates(facts),
    retention(facts),
    consumer(entry),
    ...(input.allowedRegions === null ? [] : [region(facts, input.allowedRegions)]),
    incident(facts, input.now),
  ]
  return terms.flatMap(({ term, weight, verdict, words, source }) =>
    verdict === 'favorable'
      ? []
      : [{ part: 'inherent', term, points: weight * share[verdict], fact: words[verdict], source_url: source }],
  )
}

type YesNoFact = 'trains_on_input_default' | 'gdpr_dpa' | 'sso' | 'file_upload' | 'plugins_or_agents'

const yesNoTerms: readonly {
  readonly fact: YesNoFact
  readonly term: string
  readonly weight: number
  readonly adverse: boolean
  readonly words: string
}[] = [
  {
    ...{ fact: 'trains_on_input_default', term: 'trains_on_input', weight: 22, adverse: true },
    words: 'Input trains the models by default',
  },
  { fact: 'gdpr_dpa', term: 'no_dpa', weight: 12, adverse: false, words: 'No data processing agreement' },
  { fact: 'sso', term: 'no_sso', weight: 6, adverse: false, words: 'No single sign-on' },
  { fact: 'file_upload', term: 'file_upload', weight: 8, adverse: true, words: 'Takes files' },
  { fact: 'plugins_or_agents', term: 'plugins_or_agents', weight: 6, adverse: true, words: 'Runs plugins or agents' },
]

const factTerms = (facts: Facts): readonly Term[] =>
  yesNoTerms.map(({ fact, term, weight, adverse, words }) => ({
    ...{ term, weight, source: facts[fact]?.source_url ?? null },
    verdict: verdictOf(facts[fact]?.value, adverse),
    words: { adverse: words, unknown: `Not known: ${words.toLowerCase()}` },
  }))

function verdictOf(value: boolean | 'unknown' | undefined, adverse: boolean): Verdict {
  if (value === undefined || value === 'unknown') return 'unknown'
  return value === adverse ? 'adverse' : 'favorable'
}

function certificates({ soc2, iso27001 }: Facts): Term {
  const values = [soc2?.value, iso27001?.value]
  const verdict = values.includes(true) ? 'favorable' : values.every((value) => value === false) ? 'adverse' : 'unknown'
  const words = { adverse: 'Neither SOC 2 nor ISO 27001', unknown: 'Not known: SOC 2 or ISO 27001' }
  return {
    term: 'no_certificate',
    weight: 12,
    verdict,
    words,
    source: soc2?.source_url ?? iso27001?.source_url ?? null,
  }
}

/** Not saying how long input is kept is as bad as keeping it long. */
function retention({ retention_days: fact }: Facts): Term {
  const days = fact?.value ?? 'unknown'
  const isShort = days !== 'unknown' && days <= longRetentionDays
  const adverse = days === 'unknown' ? 'Not known how long input is kept' : `Input is kept for ${days} days`
  const words = { adverse, unknown: adverse }
  const verdict = isShort ? 'favorable' : 'adverse'
  return { term: 'retention', weight: 10, verdict, words, source: fact?.source_url ?? null }
}

function consumer(entry: RiskInput['entry']): Term {
  const kind = entry?.kind ?? null
  const verdict = kind === null ? 'unknown' : kind === 'consumer' ? 'adverse' : 'favorable'
  const words = { adverse: 'A consumer service', unknown: 'Not known: consumer service or business service' }
  return { term: 'consumer', weight: 10, verdict, words, source: entry?.terms_url ?? null }
}

function region({ data_regions: fact }: Facts, allowed: readonly string[]): Term {
  const regions = fact?.value ?? 'unknown'
  const verdict = regions === 'unknown' ? 'unknown' : worksWithin(regions, allowed) ? 'favorable' : 'adverse'
  const words = { adverse: 'Data leaves the allowed regions', unknown: 'Not known in which regions data is kept' }
  return { term: 'region', weight: 8, verdict, words, source: fact?.source_url ?? null }
}

function incident({ incidents: fact }: Facts, now: number): Term {
  const known = fact?.value ?? 'unknown'
  const recent = known === 'unknown' ? [] : known.filter(({ at }) => now - Date.parse(at) <= incidentDays * dayMs)
  const verdict = known === 'unknown' ? 'unknown' : recent.length > 0 ? 'adverse' : 'favorable'
  const words = {
    adverse: `Incident in the last 24 months: ${recent[0]?.title ?? ''}`.slice(0, 300),
    unknown: 'Not known: incidents in the last 24 months',
  }
  return { term: 'incident', weight: 6, verdict, words, source: fact?.source_url ?? null }
}

function exposureTerms({ users, bytesUp, restrictedUsers, evidence }: Exposure): readonly RiskReason[] {
  const megabytes = bytesUp / mebibyte
  const restricted = users === 0 ? 0 : restrictedUsers / users
  const terms = [
    exposureTerm('users', 25 * Math.min(1, Math.log10(1 + users) / 3), `${users} users`),
    exposureTerm('upload', 45 * Math.min(1, Math.log10(1 + megabytes) / 4), `${tenths(megabytes)} MiB uploaded`),
    exposureTerm(
      'restricted_departments',
      30 * restricted,
      `${restrictedUsers} of ${users} users in departments with restricted data`,
    ),
  ].filter(({ points }) => points > 0)
  const total = sum(terms)
  const isDnsOnly = evidence.length > 0 && evidence.every((kind) => kind === 'dns')
  if (!isDnsOnly || total <= mostOfDnsOnly) return terms
  // Lowered in proportion, so that the reasons still add up to the number.
  const cut = mostOfDnsOnly / total
  return terms.map((term) => ({
    ...term,
    points: tenths(term.points * cut),
    fact: `${term.fact}; DNS evidence alone counts ${mostOfDnsOnly} at most`,
  }))
}

const exposureTerm = (term: string, points: number, fact: string): RiskReason => ({
  part: 'exposure',
  term,
  points: tenths(points),
  fact,
  source_url: null,
})

const tenths = (value: number): number => Math.round(value * 10) / 10
const sum = (reasons: readonly RiskReason[]): number =>
  tenths(
    Math.min(
      100,
      reasons.reduce((all, { points }) => all + points, 0),
    ),
  )
