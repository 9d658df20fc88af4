/** Tools of one server that pass for those of another. Pure. Tested in names.test.ts. */
import { editDistance, jaroWinkler, skeleton } from './skeleton.ts'

export interface NamedTool {
  readonly server_slug: string
  readonly name: string
}

export interface Shadow {
  readonly tool: string
  readonly server_slug: string
  readonly other: string
  readonly kind: 'same_name' | 'confusable' | 'similar' | 'mention'
}

const leastSimilarity = 0.93
/** Shorter names are alike by chance. */
const leastLength = 5
const mostShadows = 200

/** Names that stand in definitions of every kind of server and are no one's own. */
const common: ReadonlySet<string> = new Set([
  'search',
  'fetch',
  'read',
  'write',
  'list',
  'query',
  'create',
  'update',
  'delete',
  'echo',
  'help',
])

export interface ShadowQuestion {
  readonly own: readonly { readonly name: string; readonly text: string }[]
  /** Tools of the tenant's other servers. */
  readonly others: readonly NamedTool[]
}

/** `text` is the description that may name another server's tool. */
export function shadowsOf({ own, others }: ShadowQuestion): Shadow[] {
  const skeletons = others.map((other) => ({ ...other, bones: skeleton(other.name) }))
  return own
    .flatMap(({ name, text }) => {
      const bones = skeleton(name)
      const words = new Set(
        (text.match(/[\p{L}\p{N}_.-]{5,128}/gu) ?? []).map((word) => word.replace(/(?<![.-])[.-]+$/, '')),
      )
      return skeletons.flatMap((other): Shadow[] => {
        const kind = likeness({ name, bones }, other) ?? (isMentioned(words, other.name, name) ? 'mention' : null)
        return kind === null ? [] : [{ tool: name, server_slug: other.server_slug, other: other.name, kind }]
      })
    })
    .slice(0, mostShadows)
}

interface Boned {
  readonly name: string
  readonly bones: string
}

function likeness(one: Boned, other: Boned): Shadow['kind'] | null {
  if (one.name === other.name) return 'same_name'
  if (one.bones === other.bones) return 'confusable'
  if (Math.min(one.bones.length, other.bones.length) < leastLength) return null
  const isSimilar = editDistance(one.bones, other.bones) <= 1 || jaroWinkler(one.bones, other.bones) >= leastSimilarity
  return isSimilar ? 'similar' : null
}

/** A name of several parts is not an ordinary word. */
function isMentioned(words: ReadonlySet<string>, other: string, own: string): boolean {
  return other !== own && !common.has(other) && /[_.-]|[a-z][A-Z]/.test(other) && words.has(other)
}
