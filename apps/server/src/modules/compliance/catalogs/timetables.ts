/**
 * Dates of application of the EU AI Act: as adopted in 2024, and as amended by the Digital Omnibus on AI (Parliament
 * 2026-06-16, Council 2026-06-29). Every answer names the timetable that it used.
 */
export interface TimetableRow {
  readonly provision: string
  /** ISO 8601 date. */
  readonly applies_from: string
  readonly condition: string | null
  readonly source: string
  readonly status: 'in_force' | 'adopted' | 'proposed'
}

export const timetableNames = ['2026-amended', '2024-adopted'] as const
export type TimetableName = (typeof timetableNames)[number]

export interface Timetable {
  readonly name: TimetableName
  readonly title: string
  readonly rows: readonly TimetableRow[]
}

/** Provisions that apply from dates of their own. */
export const provisions = [
  'literacy',
  'prohibited',
  'prohibited_imagery',
  'gpai',
  'transparency',
  'marking_existing',
  'high_risk_use',
  'high_risk_product',
] as const
export type Provision = (typeof provisions)[number]

const adopted = (provision: Provision, from: string, condition: string | null = null): TimetableRow => ({
  ...{ provision, applies_from: from, condition, source: 'Regulation (EU) 2024/1689, Art. 113', status: 'in_force' },
})
const amended = (provision: Provision, from: string, condition: string | null = null): TimetableRow => ({
  ...{ provision, applies_from: from, condition, source: 'Digital Omnibus on AI, 2025/0359(COD)', status: 'adopted' },
})

const common: readonly TimetableRow[] = [
  adopted('literacy', '2025-02-02'),
  adopted('prohibited', '2025-02-02'),
  adopted('gpai', '2025-08-02'),
  adopted('transparency', '2026-08-02'),
]

export const timetables: readonly Timetable[] = [
  {
    name: '2026-amended',
    title: 'As amended by the Digital Omnibus on AI, 2026',
    rows: [
      ...common,
      amended('prohibited_imagery', '2026-12-02'),
      amended('marking_existing', '2026-12-02', 'Systems placed on the market before 2026-08-02'),
      amended('high_risk_use', '2027-12-02', 'Annex III'),
      amended('high_risk_product', '2028-08-02', 'Annex I'),
    ],
  },
  {
    name: '2024-adopted',
    title: 'As adopted in 2024',
    rows: [
      ...common,
      adopted('high_risk_use', '2026-08-02', 'Annex III'),
      adopted('high_risk_product', '2027-08-02', 'Annex I'),
    ],
  },
]

export function timetableOf(name: TimetableName): Timetable {
  const found = timetables.find((timetable) => timetable.name === name)
  if (found === undefined) throw new RangeError(`there is no timetable ${name}`)
  return found
}

/** ISO 8601 date from which a provision applies; null where the timetable does not have it. */
export const appliesFrom = (name: TimetableName, provision: Provision): string | null =>
  timetableOf(name).rows.find((row) => row.provision === provision)?.applies_from ?? null
