/** Reads the current state of the twin, with EPSS and KEV of the threat library. Tested through the analyses. */

import { graphLimits } from '@parapet/graph'
import { canonicalHash } from '../../../kernel/crypto/canonical-json.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { AssetRow } from '../declared/asset-schema.ts'
import { errors } from '../errors/errors.ts'
import type { TwinEdge, TwinNode, TwinState, TwinVulnerability } from '../model/state.ts'
import type { TwinServices } from '../services/twin-services.ts'

type Known = Awaited<ReturnType<TwinServices['risk']['vulnerabilities']>>
type Read = Pick<
  AssetRow,
  | 'id'
  | 'kind'
  | 'name'
  | 'criticality'
  | 'crown_jewel'
  | 'entry_point'
  | 'exposure'
  | 'status'
  | 'value'
  | 'properties'
  | 'vulnerabilities'
  | 'controls'
>

/** @throws TWIN-009 for a twin beyond the limits of the analyses */
export async function currentState({ risk }: Pick<TwinServices, 'risk'>, tx: Tx): Promise<TwinState> {
  await refuseTooLarge(tx)
  const assets = await tx.query(sql<Read>`
    select id, kind, name, criticality, crown_jewel, entry_point, exposure, status, value, properties, vulnerabilities,
      controls
    from cybertwins_asset where status <> 'retired' order by id`)
  const stored = await tx.query(sql<TwinEdge>`
    select id, source_id as "from", target_id as "to", kind, technique, p_override, hours, requires
    from cybertwins_relation order by id`)
  const live = new Set(assets.map(({ id }) => id))
  const edges = stored.filter(({ from, to }) => live.has(from) && live.has(to))
  const cves = new Set(assets.flatMap(({ vulnerabilities }) => vulnerabilities.map(({ id }) => id)))
  const known = cves.size === 0 ? new Map() : await risk.vulnerabilities(tx, [...cves])
  return { nodes: assets.map((asset) => nodeOf(asset, known)), edges }
}

async function refuseTooLarge(tx: Tx): Promise<void> {
  const counted = await tx.first(sql<{ nodes: number; edges: number }>`
    select (select count(*) from cybertwins_asset where status <> 'retired')::int as nodes,
      (select count(*) from cybertwins_relation)::int as edges`)
  const { nodes, edges } = counted ?? { nodes: 0, edges: 0 }
  // One place for the attacker, and two for each relation that counts only together with others.
  if (nodes < graphLimits.nodes && edges * 2 < graphLimits.edges) return
  throw errors.limitExceeded({
    what: `The twin has ${nodes} assets and ${edges} relations, more than can be analyzed.`,
  })
}

function nodeOf({ properties, vulnerabilities, controls, ...node }: Read, known: Known): TwinNode {
  return {
    ...node,
    capability: properties.find(({ name }) => name === 'capability')?.value ?? null,
    vulnerabilities: vulnerabilities.map((one) => vulnerabilityOf(one, known)),
    controls: controls.map(({ source: _source, ...control }) => control),
  }
}

function vulnerabilityOf(
  { source: _source, cvss_score: _score, ...one }: AssetRow['vulnerabilities'][number],
  known: Known,
): TwinVulnerability {
  const library = known.get(one.id)
  return {
    ...one,
    cvss_vector: one.cvss_vector ?? library?.cvss_vector ?? null,
    epss: one.epss ?? library?.epss ?? null,
    kev: one.kev ?? library?.kev ?? null,
  }
}

/** Equal states have equal digests. */
export const digestOf = (state: TwinState): string => canonicalHash(state)
