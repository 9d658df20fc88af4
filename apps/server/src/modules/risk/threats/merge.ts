/** Merges an import into the library. Pure. Tested in merge.test.ts. */
import { ssvcDecision } from '@parapet/quant'
import { endOf, type ReadThreat, type Relation, type Skipped } from './formats/read.ts'
import type { Ssvc, ThreatContent } from './library/schema.ts'

export interface Stored extends ThreatContent {
  readonly key: string
}

export interface Merge {
  readonly created: readonly Stored[]
  readonly updated: readonly Stored[]
  readonly unchanged: number
  /** Threats that are revoked now and were not before. */
  readonly revoked: number
  readonly skipped: readonly Skipped[]
}

const empty: Omit<ThreatContent, 'source' | 'external_id' | 'type' | 'name'> = {
  ...{ stix_id: null, tactics: [], platforms: [], parent_id: null, aliases: [], mitigations: [], groups: [] },
  ...{ revoked: false, revoked_by: null, deprecated: false, object_version: null, modified_at: null },
  ...{ cvss_vector: null, cvss_score: null, cvss_severity: null, cvss_macrovector: null, cvss_nomenclature: null },
  ...{ epss: null, epss_percentile: null, epss_date: null, epss_model: null, kev: null, ssvc: null },
}

/** @param stored what the library has of the threats and of the ends of the relations, by key */
export function merged(
  read: readonly ReadThreat[],
  relations: readonly Relation[],
  stored: ReadonlyMap<string, Stored>,
): Merge {
  const after = new Map<string, Stored>()
  let [older, unknown] = [0, 0]
  for (const threat of read) {
    const before = after.get(threat.key) ?? stored.get(threat.key)
    if (before === undefined && threat.onlyKnown === true) unknown += 1
    else if (before !== undefined && isOlder(threat, before)) older += 1
    else after.set(threat.key, laidOver(threat, before))
  }
  relate(after, relations, stored)
  const changed = [...after.values()].map((row) => ({ row, before: stored.get(row.key) }))
  const updated = changed.flatMap(({ row, before }) =>
    before !== undefined && !isEqual(row, before) ? [{ row, before }] : [],
  )
  const created = changed.flatMap(({ row, before }) => (before === undefined ? [row] : []))
  return {
    created,
    updated: updated.map(({ row }) => row),
    unchanged: changed.length - created.length - updated.length + older,
    revoked: [...created, ...updated.flatMap(({ row, before }) => (before.revoked ? [] : [row]))].filter(
      ({ revoked }) => revoked,
    ).length,
    skipped: [
      ...(older > 0 ? [{ pointer: '/content', reason: `${older} threats are older than those of the library.` }] : []),
      ...(unknown > 0 ? [{ pointer: '/content', reason: `${unknown} vulnerabilities are not in the library.` }] : []),
    ],
  }
}

const isOlder = ({ fields }: ReadThreat, { modified_at: known }: Stored): boolean =>
  typeof fields.modified_at === 'string' && known !== null && Date.parse(fields.modified_at) < Date.parse(known)

function laidOver({ key, fields, points }: ReadThreat, before: Stored | undefined): Stored {
  const base: Stored = before ?? {
    ...empty,
    key,
    source: fields.source ?? 'custom',
    external_id: fields.external_id ?? key,
    type: fields.type ?? 'vulnerability',
    name: fields.external_id ?? key,
  }
  const row = { ...base, ...fields, key }
  return { ...row, ssvc: ssvcOf(row, points) }
}

/** CISA's coordinator table. A listing in KEV is active exploitation, whatever else is said. */
function ssvcOf({ kev, ssvc }: Stored, points: ReadThreat['points'] = {}): Ssvc | null {
  const { automatable, technical_impact: impact, mission, exploitation = 'none' } = { ...ssvc, ...points }
  if (automatable === undefined || impact === undefined || mission === undefined) return ssvc
  const known = { exploitation: kev === null ? exploitation : ('active' as const), automatable, mission }
  return { ...known, technical_impact: impact, decision: ssvcDecision({ ...known, technicalImpact: impact }) }
}

/** Adds what leads out of a file or into it: one end is in the file, the other one in the library. */
function relate(after: Map<string, Stored>, relations: readonly Relation[], stored: ReadonlyMap<string, Stored>): void {
  for (const relation of relations) {
    const { of, names } = endOf(relation)
    const row = after.get(of) ?? stored.get(of)
    const named = (after.get(names) ?? stored.get(names))?.external_id
    if (row !== undefined && named !== undefined) after.set(of, related(row, relation.kind, named))
  }
}

function related(row: Stored, kind: Relation['kind'], named: string): Stored {
  const added = (list: readonly string[]): string[] => [...new Set([...list, named])].sort()
  switch (kind) {
    case 'mitigation':
      return { ...row, mitigations: added(row.mitigations) }
    case 'group':
      return { ...row, groups: added(row.groups) }
    case 'parent':
      return { ...row, parent_id: named }
    case 'successor':
      return { ...row, revoked_by: named }
  }
}

/** By the members of the content; both come from JSON or from the database. */
function isEqual(row: Stored, before: Stored): boolean {
  return contentNames.every((name) => isSame(row[name], before[name]))
}

const contentNames = [
  'source',
  'external_id',
  'type',
  'name',
  ...Object.keys(empty),
] as readonly (keyof ThreatContent)[]

/** Members of a JSON column come back in another order. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [a, b] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))]
  return a.length === b.size && a.every(([name, value]) => value === b.get(name))
}
