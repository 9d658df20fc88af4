/** Lookups in the threat library for other modules. Tested through the campaigns of CyberTwins. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { ThreatRow } from './library/schema.ts'

export interface KnownVulnerability {
  readonly cvss_vector: string | null
  readonly epss: number | null
  readonly kev: boolean
}

export interface UsedTechnique {
  readonly id: string
  readonly name: string
  readonly tactic: string | null
}

const batch = 10_000

export async function findVulnerabilities(
  tx: Tx,
  cveIds: readonly string[],
): Promise<ReadonlyMap<string, KnownVulnerability>> {
  const found = new Map<string, KnownVulnerability>()
  for (let at = 0; at < cveIds.length; at += batch) {
    const rows = await tx.query(sql<Pick<ThreatRow, 'external_id' | 'cvss_vector' | 'epss' | 'kev'>>`
      select external_id, cvss_vector, epss, kev from risk_threat
      where external_id = any(${cveIds.slice(at, at + batch)}::text[]) and source = 'cve'`)
    for (const { external_id: id, kev, ...known } of rows) found.set(id, { ...known, kev: kev !== null })
  }
  return found
}

/** Tactics in the order in which an attack comes to them. */
const tactics = [
  ...['reconnaissance', 'resource-development', 'initial-access', 'ai-model-access', 'execution', 'persistence'],
  ...['privilege-escalation', 'defense-evasion', 'credential-access', 'discovery', 'lateral-movement', 'collection'],
  ...['ai-attack-staging', 'command-and-control', 'exfiltration', 'impact'],
]
const mostTechniques = 200

export async function findTechniquesUsedBy(tx: Tx, externalId: string): Promise<readonly UsedTechnique[]> {
  const rows = await tx.query(sql<Pick<ThreatRow, 'external_id' | 'name' | 'tactics'>>`
    select external_id, name, tactics from risk_threat
    where ${externalId} = any(groups) and type = 'attack-pattern' and not revoked and not deprecated
    order by external_id limit ${mostTechniques}`)
  const rank = (tactic: string | null) => (tactic === null ? tactics.length : tactics.indexOf(tactic))
  return rows
    .map(({ external_id: id, name, tactics: own }) => {
      const [tactic = null] = own.filter((one) => tactics.includes(one)).sort((a, b) => rank(a) - rank(b))
      return { id, name, tactic }
    })
    .sort((a, b) => rank(a.tactic) - rank(b.tactic) || (a.id < b.id ? -1 : 1))
}
