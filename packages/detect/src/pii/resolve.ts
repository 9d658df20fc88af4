/** Chooses between overlapping readings. Tested in resolve.test.ts. */
import { byPosition, type Finding } from '../base/finding.ts'
import { identifiers } from './identifiers/identifiers.ts'

const checked = new Set([
  ...identifiers.flatMap(({ id, unchecked }) => (unchecked ? [] : [id])),
  'iban',
  'vin',
  'crypto-address',
  'passport-mrz',
])

// A more specific type first, where nothing else decides.
const specificity = [
  ...[
    'URL_CREDENTIALS',
    'EMAIL',
    'IBAN',
    'CRYPTO',
    'CREDIT_CARD',
    'NATIONAL_ID',
    'UK_NINO',
    'US_SSN',
    'PASSPORT',
    'VIN',
  ],
  ...['IMEI', 'MAC_ADDRESS', 'IP_ADDRESS', 'COORDINATES', 'DATE_OF_BIRTH', 'TAX_ID', 'US_EIN', 'HEALTH_INSURANCE'],
  ...['MEDICAL_RECORD', 'DRIVING_LICENSE', 'BIC', 'PHONE', 'LICENSE_PLATE', 'ADDRESS', 'PERSON'],
]
const rankByType = new Map(specificity.map((type, index) => [type, index]))

/** Length counts only where check digits hold and a name or rarity makes it near certain. */
const provenLength = ({ rule, evidence, score, start, end }: Finding): number =>
  rule !== undefined && checked.has(rule) && evidence === undefined && score >= 0.85 ? end - start : 0

function stronger(a: Finding, b: Finding): number {
  return (
    provenLength(b) - provenLength(a) ||
    strength(b) - strength(a) ||
    (rankByType.get(a.type) ?? 99) - (rankByType.get(b.type) ?? 99) ||
    byPosition(a, b)
  )
}

/** Score, with a little for length: `+44 20 7946 0958` is more than `7946 0958`. Of two e-mails the first is read. */
const strength = ({ type, score, start, end }: Finding): number =>
  score + (type === 'EMAIL' ? 0.5 : Math.min(end - start, 40) * 0.02)

/** Findings in text order of which no two overlap: the longest proven one wins, then the surer and longer. */
export function resolveOverlaps(findings: readonly Finding[]): Finding[] {
  const sorted = [...findings].sort(byPosition)
  const kept: Finding[] = []
  for (let from = 0; from < sorted.length; ) {
    const to = chainEnd(sorted, from)
    const alone = to === from + 1 ? sorted[from] : undefined
    if (alone) kept.push(alone)
    else for (const finding of strongest(sorted.slice(from, to))) kept.push(finding)
    from = to
  }
  return kept
}

/** End of the chain of overlaps that begins with a finding. */
function chainEnd(sorted: readonly Finding[], from: number): number {
  let reach = -1
  let to = from
  for (let finding = sorted[to]; finding && (to === from || finding.start < reach); finding = sorted[to]) {
    reach = Math.max(reach, finding.end)
    to += 1
  }
  return to
}

/** Greedy choice inside one chain of overlaps, in text order. */
function strongest(group: Finding[]): Finding[] {
  const kept: Finding[] = []
  const offset = group[0]?.start ?? 0
  const owners: (string | undefined)[] = []
  for (const finding of group.sort(stronger)) {
    const rest = freePart({ owners, offset }, finding)
    if (!rest) continue
    for (let at = rest.start - offset; at < rest.end - offset; at += 1) owners[at] = rest.type
    kept.push(rest)
  }
  return kept.length > 1 ? kept.sort(byPosition) : kept
}

/** The type that each unit of a chain belongs to, from `offset` on. */
interface Taken {
  readonly owners: readonly (string | undefined)[]
  readonly offset: number
}

/**
 * The finding itself when nothing stronger covers any of it. Of one that overlaps only its own type the uncovered end
 * is kept, so that redaction hides all of `a@b.co.c@d.org`.
 */
function freePart({ owners, offset }: Taken, finding: Finding): Finding | undefined {
  let { start, end } = finding
  while (start < end && owners[start - offset] === finding.type) start += 1
  while (end > start && owners[end - 1 - offset] === finding.type) end -= 1
  for (let at = start; at < end; at += 1) if (owners[at - offset] !== undefined) return undefined
  if (start === finding.start && end === finding.end) return start < end ? finding : undefined
  return start < end ? { ...finding, start, end } : undefined
}
