/** Questions that other modules may ask about the threat library. */
import type { Tx } from '../../kernel/db/port.ts'
import { defineApi } from '../../kernel/module/module.ts'
import type { KnownVulnerability, UsedTechnique } from './threats/lookups.ts'

export type { KnownVulnerability, UsedTechnique }

export interface RiskApi {
  /** EPSS, KEV and CVSS of these CVE ids, as far as the library has them, by id. */
  vulnerabilities(tx: Tx, cveIds: readonly string[]): Promise<ReadonlyMap<string, KnownVulnerability>>
  /** Techniques that a group or campaign uses, by its external id (`G0016`), in the order of tactics of an attack. */
  techniquesUsedBy(tx: Tx, externalId: string): Promise<readonly UsedTechnique[]>
}

export const riskApi = defineApi<RiskApi>('risk')
