/**
 * OSCAL documents that are written: an imported one again, with an id and a revision of its own, and catalogs, profiles and
 * mapping collections made from rows. Everything that came in is written again. Pure. Tested in oscal.test.ts.
 */
import type { Catalog, Control, Group, Metadata, Profile } from './model.ts'

export const oscalVersion = '1.2.1'

export interface Stamp {
  readonly uuid: string
  /** ISO 8601. */
  readonly at: string
}

/** The same document under a new id, with the one it was read from as a revision. */
export function reissued<T extends { readonly uuid: string; readonly metadata: Metadata }>(
  document: T,
  { uuid, at }: Stamp,
): T {
  const { metadata } = document
  const revision = {
    title: metadata.title,
    version: metadata.version,
    'last-modified': metadata['last-modified'],
    'oscal-version': metadata['oscal-version'],
  }
  const revisions = [...(metadata.revisions ?? []), revision]
  return { ...document, uuid, metadata: { ...metadata, 'last-modified': at, revisions } }
}

export interface WrittenFramework {
  readonly title: string
  readonly edition: string
  readonly groups: readonly { readonly id: string; readonly title: string; readonly parent: string | null }[]
  readonly controls: readonly WrittenControl[]
}

export interface WrittenControl {
  readonly ref: string
  readonly parent_ref: string | null
  readonly group_ref: string | null
  readonly title: string
  readonly statement: string | null
  readonly guidance: string | null
  readonly withdrawn: boolean
}

/** A token as OSCAL writes ids: letters, digits, `.`, `-` and `_`, beginning with a letter or `_`. */
export function tokenOf(ref: string): string {
  const plain = ref.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return /^[\p{L}_]/u.test(plain) ? plain : `c-${plain}`
}

export const metadataOf = (title: string, version: string, at: string): Metadata => ({
  title,
  'last-modified': at,
  version,
  'oscal-version': oscalVersion,
})

export function catalogOf(framework: WrittenFramework, { uuid, at }: Stamp): Catalog {
  const byParent = new Map<string, WrittenControl[]>()
  for (const control of framework.controls) {
    const key = control.parent_ref ?? `group ${control.group_ref}`
    byParent.set(key, [...(byParent.get(key) ?? []), control])
  }
  const controlsOf = (key: string): readonly Control[] =>
    (byParent.get(key) ?? []).map((control) => {
      const children = controlsOf(control.ref)
      return { ...writtenControl(control), ...(children.length === 0 ? {} : { controls: children }) }
    })
  const groupsOf = (parent: string | null): readonly Group[] =>
    framework.groups
      .filter((group) => group.parent === parent)
      .map(({ id, title }) => {
        const groups = groupsOf(id)
        const controls = controlsOf(`group ${id}`)
        return {
          ...{ id: tokenOf(id), title },
          ...(groups.length === 0 ? {} : { groups }),
          ...(controls.length === 0 ? {} : { controls }),
        }
      })
  const groups = groupsOf(null)
  const controls = controlsOf('group null')
  return {
    uuid,
    metadata: metadataOf(framework.title, framework.edition, at),
    ...(groups.length === 0 ? {} : { groups }),
    ...(controls.length === 0 ? {} : { controls }),
  }
}

function writtenControl({ ref, title, statement, guidance, withdrawn }: WrittenControl): Control {
  const id = tokenOf(ref)
  const parts = [
    ...(statement === null ? [] : [{ id: `${id}_smt`, name: 'statement', prose: statement }]),
    ...(guidance === null ? [] : [{ id: `${id}_gdn`, name: 'guidance', prose: guidance }]),
  ]
  const props = [{ name: 'label', value: ref }, ...(withdrawn ? [{ name: 'status', value: 'withdrawn' }] : [])]
  return { id, title, props, ...(parts.length === 0 ? {} : { parts }) }
}

export interface WrittenSelection {
  readonly title: string
  readonly edition: string
  readonly href: string
  readonly refs: readonly string[]
  readonly parameters: Readonly<Record<string, readonly string[]>>
}

/** The tenant's selection of controls and its values of parameters. */
export function profileOf({ title, edition, href, refs, parameters }: WrittenSelection, { uuid, at }: Stamp): Profile {
  const set = Object.entries(parameters).map(([id, values]) => ({ 'param-id': id, values }))
  return {
    uuid,
    metadata: metadataOf(title, edition, at),
    imports: [
      refs.length === 0
        ? { href, 'exclude-controls': [{ matching: [{ pattern: '*' }] }], 'include-all': {} }
        : { href, 'include-controls': [{ 'with-ids': refs.map(tokenOf) }] },
    ],
    merge: { 'as-is': true },
    ...(set.length === 0 ? {} : { modify: { 'set-parameters': set } }),
  }
}
