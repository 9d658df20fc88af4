/** Content of an imported document, as it comes out of the thread that reads it. */
import type { Relation } from '../crosswalk/relations.ts'
import type { ControlDefinition, GroupDefinition } from '../oscal/definitions.ts'
import type { Fault, FaultKind } from '../oscal/fault.ts'

export interface ImportedControl extends ControlDefinition {
  /** Criticality, 1 to 3. */
  readonly weight: number
}

export interface FrameworkContent {
  readonly kind: 'framework'
  readonly title: string
  readonly edition: string
  readonly groups: readonly GroupDefinition[]
  readonly controls: readonly ImportedControl[]
  /** Catalog in OSCAL, as JSON text; null for one in another form. */
  readonly catalog: string | null
  readonly warnings: readonly string[]
}

export interface MappingEntry {
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly relation: Relation
  readonly rationale: string | null
  readonly reason: string | null
  readonly strength: number | null
  readonly coverage: number | null
  readonly confidence: number
}

export interface MappingsContent {
  readonly kind: 'mappings'
  readonly title: string
  readonly collections: readonly {
    readonly source: string
    readonly target: string
    readonly entries: readonly MappingEntry[]
  }[]
}

export interface FaultyContent {
  readonly kind: 'fault'
  readonly fault: { readonly kind: FaultKind; readonly message: string; readonly faults: readonly Fault[] }
}

export type Content = FrameworkContent | MappingsContent | FaultyContent
