/**
 * State of the twin that analyses read: assets and relations with all that their probabilities follow from, as they were
 * at one moment. It is kept as a snapshot, so that an analysis can be repeated. Pure.
 */
import type { Asset, Control, Vulnerability } from '../declared/asset-schema.ts'
import type { AssetKind, RelationKind } from '../declared/words.ts'

export type TwinVulnerability = Omit<Vulnerability, 'source' | 'cvss_score'>
export type TwinControl = Omit<Control, 'source'>

export interface TwinNode {
  readonly id: string
  readonly kind: AssetKind
  readonly name: string
  readonly criticality: number
  readonly crown_jewel: boolean
  readonly entry_point: boolean
  readonly exposure: Asset['exposure']
  readonly status: Asset['status']
  readonly value: Asset['value']
  /** The most that a tool can do; null for other assets and where nobody said. */
  readonly capability: string | null
  readonly vulnerabilities: readonly TwinVulnerability[]
  readonly controls: readonly TwinControl[]
}

export interface TwinEdge {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly kind: RelationKind
  readonly technique: string | null
  readonly p_override: number | null
  readonly hours: number | null
  readonly requires: string | null
}

export interface TwinState {
  /** In the order of their ids. */
  readonly nodes: readonly TwinNode[]
  readonly edges: readonly TwinEdge[]
}
