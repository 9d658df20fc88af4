/** Duties of a role for the tiers of a system, with their dates of application. Pure. Tested in classify.test.ts. */
import { catalogOfKey } from '../catalogs/catalogs.ts'
import { appliesFrom, type Provision, type TimetableName } from '../catalogs/timetables.ts'
import type { Role } from './questions.ts'
import type { Classification, Tier } from './schema.ts'

const dayMs = 86_400_000

export interface Dutied {
  readonly tiers: readonly Tier[]
  readonly said: (id: string) => boolean | undefined
  readonly role: Role | null
  readonly timetable: TimetableName
  /** ISO 8601. */
  readonly at: string
}

/** Obligations of all roles where the role is unknown. */
export function obligationsOf({
  tiers,
  said,
  role,
  timetable,
  at,
}: Dutied): Pick<Classification, 'obligations' | 'documents'> {
  const kinds = kindsOf(tiers, said)
  const rows = (catalogOfKey('eu-ai-act')?.groups ?? []).flatMap((group) => group.controls)
  const obligations = rows
    .filter((row) => kinds.has(row.applies_to ?? '') && (role === null || row.roles?.includes(role) === true))
    .map(({ ref, title, applies_to: kind }) => {
      const from = appliesFrom(
        timetable,
        provisionOf({ ref, kind: kind ?? '', tiers, existing: said('on_market_before') === true, timetable }),
      )
      return { ref, title, applies_from: from, days_left: from === null ? null : daysBetween(at, from) }
    })
  return { obligations, documents: documentsOf(tiers, role) }
}

const daysBetween = (at: string, date: string): number =>
  Math.ceil((Date.parse(`${date}T00:00:00Z`) - Date.parse(at)) / dayMs)

/** Which kinds of rows of the catalog apply. */
function kindsOf(tiers: readonly Tier[], said: Dutied['said']): ReadonlySet<string> {
  const has = (tier: Tier) => tiers.includes(tier)
  const high = has('high_risk_use') || has('high_risk_product')
  const conditions: readonly (readonly [string, boolean])[] = [
    ['all', true],
    ['prohibited', has('prohibited')],
    ['high_risk', high],
    ['high_risk_use', has('high_risk_use')],
    ['high_risk_product', has('high_risk_product')],
    ['biometric', high && said('biometric_identification') === true],
    ['public_authority', high && said('public_authority') === true],
    ['fria', isFria(has('high_risk_use'), said)],
    ['derogation', isDerogated(tiers, said)],
    ['transparency', has('transparency')],
    ['interaction', said('interacts_with_people') === true],
    ['synthetic', said('synthetic_content') === true],
    ['emotion', said('emotion_or_biometric') === true],
    ['deepfake', said('deep_fake') === true],
    ['gpai', has('gpai')],
    ['gpai_systemic', has('gpai_systemic')],
  ]
  return new Set(conditions.flatMap(([kind, applies]) => (applies ? [kind] : [])))
}

/** Public deployers, and those of credit scoring and insurance, assess the impact on fundamental rights (Art. 27(1)). */
const isFria = (byUse: boolean, said: Dutied['said']): boolean =>
  byUse && (said('public_authority') === true || said('credit_scoring') === true || said('insurance') === true)

/** In Annex III by its use, and not high-risk by a derogation: that is documented and registered (Art. 6(4)). */
function isDerogated(tiers: readonly Tier[], said: Dutied['said']): boolean {
  const isDerogation = ['narrow_task', 'improves_human_work', 'detects_patterns', 'preparatory_task'].some(
    (id) => said(id) === true,
  )
  return isDerogation && !tiers.includes('high_risk_use')
}

interface Placed {
  readonly ref: string
  readonly kind: string
  readonly tiers: readonly Tier[]
  readonly existing: boolean
  readonly timetable: TimetableName
}

function provisionOf({ ref, kind, tiers, existing, timetable }: Placed): Provision {
  if (ref === 'Art. 4') return 'literacy'
  if (ref === 'Art. 5(1)(i)') return 'prohibited_imagery'
  if (kind === 'prohibited') return 'prohibited'
  if (kind === 'gpai' || kind === 'gpai_systemic') return 'gpai'
  if (ref === 'Art. 50(2)' && existing && timetable === '2026-amended') return 'marking_existing'
  if (ref.startsWith('Art. 50')) return 'transparency'
  if (kind === 'high_risk_product') return 'high_risk_product'
  // A system that is high-risk in both ways has its duties from the earlier date.
  return tiers.includes('high_risk_use') || kind === 'derogation' ? 'high_risk_use' : 'high_risk_product'
}

function documentsOf(tiers: readonly Tier[], role: Role | null): string[] {
  const isHigh = tiers.includes('high_risk_use') || tiers.includes('high_risk_product')
  const ofProvider = role === null || role === 'provider' || role === 'product_manufacturer'
  return [
    ...(isHigh && ofProvider
      ? [
          'Technical documentation (Annex IV)',
          'Instructions for use',
          'EU declaration of conformity (Annex V)',
          'CE marking',
        ]
      : []),
    ...(tiers.includes('high_risk_use') && ofProvider ? ['Registration in the EU database (Annex VIII)'] : []),
    ...(tiers.includes('high_risk_use') && (role === null || role === 'deployer')
      ? ['Fundamental rights impact assessment, where Art. 27 applies']
      : []),
    ...(tiers.includes('gpai')
      ? ['Technical documentation of the model (Annex XI)', 'Summary of training content']
      : []),
  ]
}
