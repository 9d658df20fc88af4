/**
 * The parts of OSCAL 1.x documents that are read (NIST SP 800-53 and others as JSON). Members that are not named here are
 * kept and written again as they came.
 */
type Kept = { readonly [member: string]: unknown }

export interface Property extends Kept {
  readonly name: string
  readonly value: string
  readonly class?: string
  readonly ns?: string
}

export interface Link extends Kept {
  readonly href: string
  readonly rel?: string
}

export interface Part extends Kept {
  readonly id?: string
  readonly name: string
  readonly ns?: string
  readonly class?: string
  readonly title?: string
  readonly prose?: string
  readonly props?: readonly Property[]
  readonly links?: readonly Link[]
  readonly parts?: readonly Part[]
}

export interface Parameter extends Kept {
  readonly id: string
  readonly label?: string
  readonly values?: readonly string[]
  readonly select?: { readonly 'how-many'?: string; readonly choice?: readonly string[] }
  readonly props?: readonly Property[]
  readonly links?: readonly Link[]
}

export interface Control extends Kept {
  readonly id: string
  readonly class?: string
  readonly title: string
  readonly params?: readonly Parameter[]
  readonly props?: readonly Property[]
  readonly links?: readonly Link[]
  readonly parts?: readonly Part[]
  readonly controls?: readonly Control[]
}

export interface Group extends Kept {
  readonly id?: string
  readonly title: string
  readonly params?: readonly Parameter[]
  readonly groups?: readonly Group[]
  readonly controls?: readonly Control[]
}

export interface Metadata extends Kept {
  readonly title: string
  readonly version: string
  readonly 'last-modified': string
  readonly 'oscal-version': string
  readonly revisions?: readonly Kept[]
}

export interface Resource extends Kept {
  readonly uuid: string
  readonly title?: string
}

export interface Catalog extends Kept {
  readonly uuid: string
  readonly metadata: Metadata
  readonly params?: readonly Parameter[]
  readonly groups?: readonly Group[]
  readonly controls?: readonly Control[]
  readonly 'back-matter'?: { readonly resources?: readonly Resource[] }
}

export interface Selection extends Kept {
  readonly 'with-child-controls'?: 'yes' | 'no'
  readonly 'with-ids'?: readonly string[]
  readonly matching?: readonly { readonly pattern?: string }[]
}

export interface Import extends Kept {
  readonly href: string
  readonly 'include-all'?: object
  readonly 'include-controls'?: readonly Selection[]
  readonly 'exclude-controls'?: readonly Selection[]
}

export interface Removal extends Kept {
  readonly 'by-name'?: string
  readonly 'by-class'?: string
  readonly 'by-id'?: string
  readonly 'by-item-name'?: string
  readonly 'by-ns'?: string
}

export interface Addition extends Kept {
  readonly position?: 'before' | 'after' | 'starting' | 'ending'
  readonly 'by-id'?: string
  readonly title?: string
  readonly params?: readonly Parameter[]
  readonly props?: readonly Property[]
  readonly links?: readonly Link[]
  readonly parts?: readonly Part[]
}

export interface Alteration extends Kept {
  readonly 'control-id': string
  readonly removes?: readonly Removal[]
  readonly adds?: readonly Addition[]
}

export type SetParameter = Kept & { readonly 'param-id': string }

export interface Profile extends Kept {
  readonly uuid: string
  readonly metadata: Metadata
  readonly imports: readonly Import[]
  readonly merge?: {
    readonly combine?: { readonly method?: 'use-first' | 'keep' | 'merge' }
    readonly flat?: object
    readonly 'as-is'?: boolean
    readonly custom?: object
  }
  readonly modify?: {
    readonly 'set-parameters'?: readonly SetParameter[]
    readonly alters?: readonly Alteration[]
  }
  readonly 'back-matter'?: { readonly resources?: readonly Resource[] }
}

export interface MapItem extends Kept {
  readonly type: string
  readonly 'id-ref': string
}

export interface MapEntry extends Kept {
  readonly uuid: string
  readonly relationship: string
  readonly sources: readonly MapItem[]
  readonly targets: readonly MapItem[]
  readonly 'matching-rationale'?: string
  readonly 'confidence-score'?: Kept
  readonly coverage?: Kept
  readonly props?: readonly Property[]
  readonly remarks?: string
}

export interface MappingCollection extends Kept {
  readonly uuid: string
  readonly metadata: Metadata
  readonly mappings: readonly (Kept & {
    readonly uuid: string
    readonly 'source-resource': { readonly href: string; readonly type: string }
    readonly 'target-resource': { readonly href: string; readonly type: string }
    readonly maps: readonly MapEntry[]
  })[]
}

export type Document =
  | { readonly model: 'catalog'; readonly content: Catalog }
  | { readonly model: 'profile'; readonly content: Profile }
  | { readonly model: 'mapping-collection'; readonly content: MappingCollection }
