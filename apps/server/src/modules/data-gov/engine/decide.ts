/**
 * Whether personal data of a person may be used for a purpose now. A pure function of the person's state, so that the
 * gateway, the API and the tests decide alike. Everything that is not allowed by a rule is denied. Tested in
 * decide.test.ts.
 */
import type { Basis, ConsentState } from '../declared/consent-schema.ts'

/** The record of one purpose. */
export interface PurposeState {
  readonly recordId: string
  readonly eventId: string
  readonly state: ConsentState
  readonly basis: Basis
  /** Empty for all. */
  readonly categories: readonly string[]
  readonly recipients: readonly string[]
  /** Unix milliseconds; null without an end. */
  readonly validUntil: number | null
  readonly occurredAt: number
  /** The notice changed materially since, for this purpose. */
  readonly outdated: boolean
  /** Sale, sharing or targeted advertising, of which Global Privacy Control opts out. */
  readonly saleOrSharing: boolean
}

export interface SubjectState {
  readonly id: string
  readonly status: 'active' | 'restricted' | 'erased'
  /** Unix milliseconds of the last signal of Global Privacy Control. */
  readonly gpcAt: number | null
  readonly purposes: ReadonlyMap<string, PurposeState>
}

export interface DecisionInput {
  /** Null for a person of whom nothing is recorded. */
  readonly subject: SubjectState | null
  readonly purpose: string
  readonly category?: string | undefined
  readonly recipient?: string | undefined
  /** Global Privacy Control was sent with this request. */
  readonly gpc?: boolean
  /** Unix milliseconds. */
  readonly at: number
}

export const decisionRules = [
  'erased',
  'restricted',
  'withdrawn',
  'objected',
  'privacy_control',
  'basis',
  'consent',
  'refused',
  'expired',
  'notice_outdated',
  'out_of_scope',
  'no_record',
] as const
export type DecisionRule = (typeof decisionRules)[number]

export interface Decision {
  readonly allow: boolean
  readonly rule: DecisionRule
  readonly recordId: string | null
  readonly eventId: string | null
  readonly reason: string
}

const reasons: Readonly<Record<DecisionRule, string>> = {
  erased: 'The person was erased on request.',
  restricted: 'Processing of the data of this person is restricted (GDPR Art. 18).',
  withdrawn: 'The person has withdrawn the consent.',
  objected: 'The person has objected to this purpose (GDPR Art. 21).',
  privacy_control: 'The person opted out of sale and sharing by Global Privacy Control.',
  basis: 'A legal basis other than consent is recorded for this purpose.',
  consent: 'The person has given consent to this purpose.',
  refused: 'The person has not given consent to this purpose.',
  expired: 'The consent or legal basis has expired.',
  notice_outdated: 'The notice changed materially since the consent. Ask again.',
  out_of_scope: 'The consent does not cover this category or recipient.',
  no_record: 'No consent and no other legal basis is recorded for this purpose.',
}

/** In the order of the rules: what forbids comes before whatever allows. */
export function decide(input: DecisionInput): Decision {
  const record = input.subject?.purposes.get(input.purpose) ?? null
  const rule = ruleOf(input, record)
  return {
    allow: rule === 'basis' || rule === 'consent',
    rule,
    recordId: record?.recordId ?? null,
    eventId: record?.eventId ?? null,
    reason: reasons[rule],
  }
}

function ruleOf(input: DecisionInput, record: PurposeState | null): DecisionRule {
  const { subject } = input
  if (subject !== null && subject.status !== 'active') return subject.status
  if (record === null) return 'no_record'
  if (record.state === 'withdrawn' || record.state === 'objected') return record.state
  if (isOptedOut(input, record)) return 'privacy_control'
  if (record.state === 'expired' || record.state === 'invalidated' || isOver(record, input.at)) return 'expired'
  if (record.basis !== 'consent') return covers(record, input) ? 'basis' : 'out_of_scope'
  if (record.state !== 'given') return 'refused'
  if (record.outdated) return 'notice_outdated'
  return covers(record, input) ? 'consent' : 'out_of_scope'
}

/** An explicit consent after the last signal counts more than the signal; the signal of this request counts in any case. */
function isOptedOut({ subject, gpc = false }: DecisionInput, record: PurposeState): boolean {
  if (!record.saleOrSharing) return false
  const last = subject?.gpcAt ?? null
  return gpc || (last !== null && last >= record.occurredAt)
}

const isOver = ({ validUntil }: PurposeState, at: number): boolean => validUntil !== null && validUntil <= at

function covers(record: PurposeState, { category, recipient }: DecisionInput): boolean {
  const inside = (list: readonly string[], word: string | undefined) =>
    word === undefined || list.length === 0 || list.includes(word)
  return inside(record.categories, category) && inside(record.recipients, recipient)
}
