/** Which controls of a catalog an import of a profile selects. Pure. Tested in resolve.test.ts. */
import { DocumentFault } from './fault.ts'
import type { Catalog, Control, Group, Import, Selection } from './model.ts'

export type Body = Pick<Catalog, 'params' | 'groups' | 'controls'>

export const unresolved = (index: number, detail: string): DocumentFault =>
  new DocumentFault('unresolved', 'The profile cannot be resolved.', [{ pointer: `/profile/imports/${index}`, detail }])

/** Parent of each control, null at the top. */
export function parentsOf({ groups, controls }: Body): ReadonlyMap<string, string | null> {
  const parents = new Map<string, string | null>()
  const walk = (all: readonly Control[], parent: string | null): void => {
    for (const control of all) {
      parents.set(control.id, parent)
      walk(control.controls ?? [], control.id)
    }
  }
  const walkGroups = (all: readonly Group[]): void => {
    for (const group of all) {
      walkGroups(group.groups ?? [])
      walk(group.controls ?? [], null)
    }
  }
  walkGroups(groups ?? [])
  walk(controls ?? [], null)
  return parents
}

type Parents = ReadonlyMap<string, string | null>

export function idsOf(one: Import, parents: Parents, index: number): ReadonlySet<string> {
  const included = one['include-controls']
  const all = included === undefined || one['include-all'] !== undefined
  const chosen = new Set(all ? parents.keys() : included.flatMap((selection) => selected(selection, parents, index)))
  for (const selection of one['exclude-controls'] ?? [])
    for (const id of selected(selection, parents, index)) chosen.delete(id)
  return chosen
}

function selected(selection: Selection, parents: Parents, index: number): readonly string[] {
  const named = selection['with-ids'] ?? []
  const missing = named.filter((id) => !parents.has(id))
  if (missing.length > 0)
    throw unresolved(index, `selects ${missing.slice(0, 5).join(', ')}, which the imported catalog does not have`)
  const patterns = (selection.matching ?? []).flatMap(({ pattern }) => (pattern === undefined ? [] : [globOf(pattern)]))
  const matched = [...parents.keys()].filter((id) => patterns.some((matches) => matches(id)))
  const found = [...named, ...matched]
  if (selection['with-child-controls'] !== 'yes') return found
  const roots = new Set(found)
  return [...parents.keys()].filter((id) => hasRoot(id, roots, parents))
}

function hasRoot(id: string, roots: ReadonlySet<string>, parents: Parents): boolean {
  for (let at: string | null = id; at !== null; at = parents.get(at) ?? null) if (roots.has(at)) return true
  return false
}

/** `*` stands for any text and `?` for one character. Runs in time linear in the text for each `*`. */
function globOf(pattern: string): (text: string) => boolean {
  const pieces = pattern.split('*')
  const one = (text: string, piece: string, at: number): boolean =>
    at + piece.length <= text.length && [...piece].every((letter, i) => letter === '?' || text[at + i] === letter)
  return (text) => {
    let at = 0
    for (const [index, piece] of pieces.entries()) {
      const isLast = index === pieces.length - 1
      if (index === 0) {
        if (!one(text, piece, 0)) return false
        at = piece.length
      } else if (isLast) return text.length - piece.length >= at && one(text, piece, text.length - piece.length)
      else {
        while (at + piece.length <= text.length && !one(text, piece, at)) at += 1
        if (at + piece.length > text.length) return false
        at += piece.length
      }
      if (isLast) return at === text.length
    }
    return false
  }
}
