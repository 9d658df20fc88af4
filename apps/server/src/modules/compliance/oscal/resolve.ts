/**
 * Resolves a profile into a catalog: import, merge, modify (NIST, OSCAL profile resolution). A selected enhancement whose
 * parent is not selected takes the place of its parent instead of being lost. Pure. Tested in resolve.test.ts.
 */
import { DocumentFault } from './fault.ts'
import type { Catalog, Control, Group, Import, Profile } from './model.ts'
import { altered, withParameters } from './modify.ts'
import { type Body, idsOf, parentsOf, unresolved } from './select.ts'

export interface Resolution {
  readonly catalog: Catalog
  /** Selected controls whose parent is not selected. */
  readonly promoted: readonly string[]
}

export interface ResolutionInput {
  readonly profile: Profile
  /** The catalog that each import names, in the order of the imports. */
  readonly bases: readonly Catalog[]
  readonly uuid: string
  /** ISO 8601. */
  readonly at: string
}

/** @throws DocumentFault */
export function resolveProfile({ profile, bases, uuid, at }: ResolutionInput): Resolution {
  if (profile.merge?.custom !== undefined)
    throw new DocumentFault('unresolved', 'Profiles with a custom structure are not resolved. Use as-is or flat.', [
      { pointer: '/profile/merge/custom', detail: 'is not supported' },
    ])
  const promoted: string[] = []
  const parts = profile.imports.map((one, index) => {
    const base = bases[index]
    if (base === undefined) throw unresolved(index, 'has no framework that it imports')
    return selectedPart(one, base, { index, promoted })
  })
  const merged = mergedParts(parts, profile)
  const modified = altered(withParameters(merged, profile.modify?.['set-parameters'] ?? []), profile)
  const resources = backMatterOf(profile, bases)
  const catalog = {
    uuid,
    metadata: resolvedMetadata(profile, at),
    ...modified,
    ...(resources.length === 0 ? {} : { 'back-matter': { resources } }),
  }
  return { catalog, promoted }
}

function resolvedMetadata({ uuid, metadata }: Profile, at: string): Catalog['metadata'] {
  const props = Array.isArray(metadata.props) ? metadata.props : []
  const links = Array.isArray(metadata.links) ? metadata.links : []
  return {
    ...metadata,
    'last-modified': at,
    props: [...props, { name: 'resolution-tool', value: 'Parapet' }],
    links: [...links, { href: `urn:uuid:${uuid}`, rel: 'source-profile' }],
  }
}

interface Selecting {
  readonly index: number
  readonly promoted: string[]
}

function selectedPart(one: Import, base: Catalog, { index, promoted }: Selecting): Body {
  const parents = parentsOf(base)
  const chosen = idsOf(one, parents, index)
  return {
    ...(base.params === undefined ? {} : { params: base.params }),
    groups: keptGroups(base.groups ?? [], chosen, promoted),
    controls: keptControls(base.controls ?? [], { chosen, promoted, isOrphan: false }),
  }
}

interface Keeping {
  readonly chosen: ReadonlySet<string>
  readonly promoted: string[]
  readonly isOrphan: boolean
}

/** A control that is not chosen leaves its chosen children in its place. */
function keptControls(controls: readonly Control[], keeping: Keeping): readonly Control[] {
  const { chosen, promoted, isOrphan } = keeping
  return controls.flatMap(({ controls: children = [], ...control }) => {
    if (!chosen.has(control.id)) return keptControls(children, { ...keeping, isOrphan: true })
    if (isOrphan) promoted.push(control.id)
    const kept = keptControls(children, { chosen, promoted, isOrphan: false })
    return [kept.length === 0 ? control : { ...control, controls: kept }]
  })
}

function keptGroups(groups: readonly Group[], chosen: ReadonlySet<string>, promoted: string[]): readonly Group[] {
  return groups.flatMap(({ groups: inner = [], controls = [], ...group }) => {
    const kept = keptGroups(inner, chosen, promoted)
    const own = keptControls(controls, { chosen, promoted, isOrphan: false })
    if (kept.length === 0 && own.length === 0) return []
    return [
      { ...group, ...(kept.length === 0 ? {} : { groups: kept }), ...(own.length === 0 ? {} : { controls: own }) },
    ]
  })
}

function mergedParts(parts: readonly Body[], { merge }: Profile): Body {
  const combined = combine(parts, merge?.combine?.method ?? 'keep')
  const params = combined.flatMap((part) => part.params ?? [])
  const common = params.length === 0 ? {} : { params }
  if (merge?.['as-is'] === true) {
    const groups = sameGroups(combined.flatMap((part) => part.groups ?? []))
    const controls = combined.flatMap((part) => part.controls ?? [])
    return { ...common, ...(groups.length === 0 ? {} : { groups }), ...(controls.length === 0 ? {} : { controls }) }
  }
  const controls = combined.flatMap((part) => [...(part.groups ?? []).flatMap(controlsIn), ...(part.controls ?? [])])
  return { ...common, controls }
}

const controlsIn = (group: Group): readonly Control[] => [
  ...(group.groups ?? []).flatMap(controlsIn),
  ...(group.controls ?? []),
]

/** A control that two imports bring: both (`keep`, refused because ids are unique), or the first. */
function combine(parts: readonly Body[], method: 'use-first' | 'keep' | 'merge'): readonly Body[] {
  const seen = new Set<string>()
  const first = (controls: readonly Control[]): readonly Control[] =>
    controls.flatMap(({ controls: children = [], ...control }) => {
      if (seen.has(control.id)) {
        if (method === 'keep')
          throw new DocumentFault(
            'unresolved',
            `Two imports bring ${control.id}. Set merge.combine to use-first or merge.`,
          )
        return first(children)
      }
      seen.add(control.id)
      const kept = first(children)
      return [kept.length === 0 ? control : { ...control, controls: kept }]
    })
  const inGroups = (groups: readonly Group[]): readonly Group[] =>
    groups.map((group) => ({
      ...group,
      ...(group.groups === undefined ? {} : { groups: inGroups(group.groups) }),
      ...(group.controls === undefined ? {} : { controls: first(group.controls) }),
    }))
  return parts.map((part) => ({
    ...part,
    groups: inGroups(part.groups ?? []),
    controls: first(part.controls ?? []),
  }))
}

/** Groups of one id that several imports bring are one group. */
function sameGroups(groups: readonly Group[]): readonly Group[] {
  const merged = new Map<string, Group>()
  for (const group of groups) {
    const key = group.id ?? `#${merged.size}`
    const known = merged.get(key)
    if (known === undefined) merged.set(key, group)
    else
      merged.set(key, {
        ...known,
        groups: [...(known.groups ?? []), ...(group.groups ?? [])],
        controls: [...(known.controls ?? []), ...(group.controls ?? [])],
      })
  }
  return [...merged.values()].map(({ groups: inner = [], controls = [], ...group }) => ({
    ...group,
    ...(inner.length === 0 ? {} : { groups: inner }),
    ...(controls.length === 0 ? {} : { controls }),
  }))
}

/** Resources of all documents, each once. */
function backMatterOf(profile: Profile, bases: readonly Catalog[]) {
  const all = [profile, ...bases].flatMap((document) => document['back-matter']?.resources ?? [])
  return [...new Map(all.map((resource) => [resource.uuid, resource])).values()]
}
