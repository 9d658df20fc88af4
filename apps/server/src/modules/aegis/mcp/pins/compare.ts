/**
 * Compares the tools that are stored with a live list. A tool that went while another came with nearly the same words was
 * renamed, which pins alone would not show. Pure. Tested in pins.test.ts.
 */
import { canonicalJson } from '../../../../kernel/crypto/canonical-json.ts'
import { type Definition, pinOf } from './pin.ts'

export interface LiveTool {
  readonly name: string
  readonly definition: Definition
  readonly pin: string
  /** Place in the list. */
  readonly position: number
}

export interface KnownTool {
  readonly id: string
  readonly name: string
  readonly status: 'pending' | 'approved' | 'changed' | 'denied' | 'removed'
  readonly pin_sha256: string | null
  readonly candidate_sha256: string | null
  readonly definition: Definition | null
  readonly candidate: Definition | null
}

export interface Comparison<K extends KnownTool> {
  readonly added: readonly LiveTool[]
  /** Whose definition is another one than the last check saw; `candidate_sha256` is null where that is the approved one. */
  readonly changed: readonly { readonly known: K; readonly live: LiveTool }[]
  /** Listed again after they were gone, and those whose definition is again what was approved. */
  readonly restored: readonly { readonly known: K; readonly live: LiveTool }[]
  /** Gone from the list, but for those that are denied. */
  readonly removed: readonly K[]
  /** Pairs of gone and added tools that are nearly the same. */
  readonly renamed: readonly { readonly from: K; readonly to: LiveTool }[]
}

/** The tools of a list; a name that stands twice is refused by leaving both out. */
export function liveTools(definitions: readonly Definition[]): LiveTool[] {
  const named = definitions.flatMap((definition, position) => {
    const { name } = definition
    const isName = typeof name === 'string' && name.length > 0 && name.length <= 256
    return isName ? [{ name, definition, pin: pinOf(definition), position }] : []
  })
  const counts = new Map<string, number>()
  for (const { name } of named) counts.set(name, (counts.get(name) ?? 0) + 1)
  return named.filter(({ name }) => counts.get(name) === 1)
}

export function compare<K extends KnownTool>(known: readonly K[], live: readonly LiveTool[]): Comparison<K> {
  const byName = new Map(known.map((tool) => [tool.name, tool]))
  const names = new Set(live.map(({ name }) => name))
  const added = live.filter(({ name }) => !byName.has(name))
  const gone = known.filter(({ name, status }) => status !== 'removed' && !names.has(name))
  const changed: { known: K; live: LiveTool }[] = []
  const restored: { known: K; live: LiveTool }[] = []
  for (const tool of live) {
    const before = byName.get(tool.name)
    if (before === undefined) continue
    const isAway = before.status === 'removed' || before.status === 'changed'
    const seen = before.candidate_sha256 ?? before.pin_sha256
    if (isAway && before.pin_sha256 === tool.pin) restored.push({ known: before, live: tool })
    else if (before.status === 'removed' || seen !== tool.pin) changed.push({ known: before, live: tool })
  }
  // A decision against a tool stands while it is away: else a server would undo it by listing the tool again.
  const removed = gone.filter(({ status }) => status !== 'denied')
  return { added, changed, restored, removed, renamed: renames(gone, added) }
}

/** Jaccard index from which two definitions under different names are one that was renamed. */
export const leastLikeness = 0.8
const shingleLength = 5

function renames<K extends KnownTool>(gone: readonly K[], added: readonly LiveTool[]) {
  const free = new Set(added)
  const texts = new Map(added.map((tool) => [tool, shingles(tool.definition)]))
  return gone.flatMap((from) => {
    const own = shingles(from.definition ?? from.candidate ?? {})
    const [best] = [...free]
      .map((to) => ({ to, likeness: jaccard(own, texts.get(to) ?? new Set()) }))
      .filter(({ likeness }) => likeness >= leastLikeness)
      .sort((one, other) => other.likeness - one.likeness)
    if (best === undefined) return []
    free.delete(best.to)
    return [{ from, to: best.to }]
  })
}

/** Every run of five characters of the canonical form without the name. */
export function shingles({ name: _name, ...rest }: Definition): ReadonlySet<string> {
  const text = canonicalJson(rest)
  const found = new Set<string>()
  for (let at = 0; at + shingleLength <= text.length; at += 1) found.add(text.slice(at, at + shingleLength))
  return found
}

/** `|A ∩ B| ÷ |A ∪ B|`, 0..1; 0 for two empty sets. */
export function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const each of one) if (other.has(each)) common += 1
  const all = one.size + other.size - common
  return all === 0 ? 0 : common / all
}
