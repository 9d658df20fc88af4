/**
 * An asset after a source said something of it. People's words stay: what an importer says of the members of an asset
 * that people have written counts no more. Pure. Tested in merge.test.ts.
 */
import { cvss4, cvss31, VectorError } from '@parapet/quant'
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import type { AssetRow, Control, Source, Vulnerability } from '../declared/asset-schema.ts'
import { manualSource } from '../declared/words.ts'
import { keyOf, type ReadAsset, type ReadControl, type ReadVulnerability } from './content.ts'

export type AssetContent = Omit<AssetRow, 'id' | 'tenant_id' | 'version' | 'created_at' | 'updated_at'>

export interface Seen {
  readonly source: string
  /** ISO 8601. */
  readonly now: string
  /** When the asset goes stale unless it is seen again; null for never. */
  readonly staleAt: string | null
}

export interface Merged {
  readonly content: AssetContent
  /** Other than the times at which it was seen. */
  readonly changed: boolean
}

const mostIds = 50
const mostVulnerabilities = 1_000
const mostControls = 100

export function mergedAsset(before: AssetContent | null, read: ReadAsset, seen: Seen): Merged {
  const base = before ?? empty(read, seen)
  const counts = seen.source === manualSource || !base.sources.some(({ source }) => source === manualSource)
  const content: AssetContent = {
    ...base,
    ...(counts ? { ...given(read.fields), name: read.name } : {}),
    external_ids: joinedIds(base, read),
    vulnerabilities: joinedVulnerabilities(base.vulnerabilities, read.vulnerabilities, seen.source),
    controls: joinedControls(base.controls, read.controls, seen.source),
    sources: joinedSources(base.sources, seen),
    last_seen: seen.now,
    stale_at: seen.source === manualSource ? base.stale_at : seen.staleAt,
    status: before === null ? base.status : base.status === 'retired' ? 'retired' : 'active',
  }
  return { content, changed: before === null || partsOf(before) !== partsOf(content) }
}

function empty({ kind, name }: ReadAsset, { source, now, staleAt }: Seen): AssetContent {
  return {
    ...{ kind, name, criticality: 3, crown_jewel: false, value: null, owner_id: null, environment: null },
    ...{ exposure: 'internal', entry_point: false, data_classes: [], properties: [], external_ids: [] },
    ...{ vulnerabilities: [], controls: [], sources: [], first_seen: now, last_seen: now, stale_at: staleAt },
    status: source === manualSource || source === 'platform' ? 'active' : 'discovered',
  }
}

function given<F extends object>(fields: F): Partial<F> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<F>
}

/** Everything but the times; the database keeps no order of members. */
function partsOf({ sources, last_seen: _last, stale_at: _stale, ...rest }: AssetContent): string {
  return canonicalJson([rest, sources.map(({ source }) => source)])
}

function joinedIds({ external_ids: known }: AssetContent, { externalIds }: ReadAsset): AssetContent['external_ids'] {
  const keys = new Set(known.map(keyOf))
  return [...known, ...externalIds.filter((id) => !keys.has(keyOf(id)))].slice(0, mostIds)
}

function joinedSources(sources: readonly Source[], { source, now }: Seen): Source[] {
  const known = sources.find((one) => one.source === source)
  const others = sources.filter((one) => one.source !== source)
  const confidence = source === manualSource || source === 'platform' ? 100 : 80
  return [...others, { source, first_seen: known?.first_seen ?? now, last_seen: now, confidence }]
}

/** Those of the source are replaced; one that another source told of stays with what was said there. */
export function joinedVulnerabilities(
  known: readonly Vulnerability[],
  read: readonly ReadVulnerability[] | undefined,
  source: string,
): Vulnerability[] {
  if (read === undefined) return [...known]
  const others = known.filter((one) => one.source !== source)
  const ids = new Set(others.map(({ id }) => id))
  const added = read.filter(({ id }) => !ids.has(id)).map((one) => vulnerabilityOf(one, source))
  const byId = new Map(added.map((one) => [one.id, one]))
  return [...others, ...byId.values()].slice(0, mostVulnerabilities)
}

function vulnerabilityOf(read: ReadVulnerability, source: string): Vulnerability {
  const { id, cvss_vector: vector = null, epss = null, kev = null, vex_state: state = 'in_triage', fix = null } = read
  return { id, cvss_vector: vector, cvss_score: scoreOf(vector), epss, kev, vex_state: state, fix, source }
}

/** Score of a vector that was checked before; null without one, and for a version that is not calculated. */
function scoreOf(vector: string | null): number | null {
  if (vector === null) return null
  try {
    return vector.startsWith('CVSS:4.0/') ? cvss4(vector).score : cvss31(vector).score
  } catch (error) {
    if (error instanceof VectorError) return null
    throw error
  }
}

/** Null where the vector is one of CVSS 4.0 or 3.1, else the reason. */
export function vectorFault(vector: string): string | null {
  try {
    if (vector.startsWith('CVSS:4.0/')) cvss4(vector)
    else cvss31(vector)
    return null
  } catch (error) {
    if (error instanceof VectorError) return error.message
    throw error
  }
}

function joinedControls(
  known: readonly Control[],
  read: readonly ReadControl[] | undefined,
  source: string,
): Control[] {
  if (read === undefined) return [...known]
  const others = known.filter((one) => one.source !== source)
  const added = read.map(({ control_id, efficacy, coverage, techniques = null, measured = null }) => ({
    ...{ control_id, efficacy, coverage, techniques, measured, source },
  }))
  return [...others, ...added].slice(0, mostControls)
}
