/**
 * The one form in which assets and relations come in, whether people, files or the platform bring them. Pure.
 */

import type { Static } from 'typebox'
import type { Asset, ExternalId, Measurement, NewControl, NewVulnerability } from '../declared/asset-schema.ts'
import type { Skipped } from '../declared/relation-schema.ts'
import type { AssetKind, RelationKind, VexState } from '../declared/words.ts'

/** Members that a source says; those that it does not name stay as they are. */
export type AssetFields = Partial<
  Pick<
    Asset,
    | 'criticality'
    | 'crown_jewel'
    | 'value'
    | 'owner_id'
    | 'environment'
    | 'exposure'
    | 'entry_point'
    | 'data_classes'
    | 'properties'
  >
>

export type ReadVulnerability = Static<typeof NewVulnerability>
export type ReadControl = Static<typeof NewControl> & { readonly measured?: Measurement }

export interface ReadAsset {
  readonly kind: AssetKind
  readonly name: string
  readonly externalIds: readonly ExternalId[]
  readonly fields: AssetFields
  /** All vulnerabilities that the source knows; absent where it knows none. */
  readonly vulnerabilities?: readonly ReadVulnerability[]
  readonly controls?: readonly ReadControl[]
  /** JSON Pointer of the asset in what came in. */
  readonly pointer: string
}

/** An asset of the content by its place, a stored one by its id, or any by an external id. */
export type AssetRef = { readonly place: number } | { readonly id: string } | { readonly key: string }

export interface ReadRelation {
  readonly source: AssetRef
  readonly target: AssetRef
  readonly kind: RelationKind
  readonly technique: string | null
  readonly p_override: number | null
  readonly reason: string | null
  readonly hours: number | null
  readonly requires: string | null
  readonly pointer: string
}

/** A statement of VEX about an asset that is stored or part of the content. */
export interface VexStatement {
  readonly key: string
  readonly id: string
  readonly state: VexState
  readonly pointer: string
}

export interface TwinContent {
  readonly assets: readonly ReadAsset[]
  readonly relations: readonly ReadRelation[]
  readonly vex: readonly VexStatement[]
  readonly skipped: readonly Skipped[]
}

export const keyOf = ({ source, id }: ExternalId): string => `${source}:${id}`

/** A relation that says its kind and ends alone. */
export const plainRelation = (
  source: AssetRef,
  kind: RelationKind,
  target: AssetRef,
  pointer: string,
): ReadRelation => ({
  ...{ source, target, kind, pointer },
  ...{ technique: null, p_override: null, reason: null, hours: null, requires: null },
})
