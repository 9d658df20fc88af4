/**
 * Merkle trees of RFC 6962 section 2.1 over the hashes of records: root, audit path, and the check of a path. Pure. Tested
 * in chain.test.ts.
 */
import { sha256 } from '../../../kernel/crypto/digest.ts'

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)
const digest = (bytes: Uint8Array): Buffer => Buffer.from(sha256(bytes), 'hex')

const leafHash = (hash: string): Buffer => digest(Buffer.concat([leafPrefix, Buffer.from(hash, 'hex')]))
const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => digest(Buffer.concat([nodePrefix, left, right]))

export interface Inclusion {
  /** Hexadecimal. */
  readonly root: string
  /** Siblings from the leaf to the root, hexadecimal. */
  readonly path: readonly string[]
}

/**
 * Root over all hashes, and the path of the one at `index`.
 * @param hashes hexadecimal, at least one
 */
export function inclusionOf(hashes: readonly string[], index: number): Inclusion {
  let level = hashes.map(leafHash)
  let at = index
  const path: string[] = []
  while (level.length > 1) {
    const sibling = level[at ^ 1]
    if (sibling !== undefined) path.push(sibling.toString('hex'))
    const above: Buffer[] = []
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]]
      if (left !== undefined) above.push(right === undefined ? left : nodeHash(left, right))
    }
    level = above
    at >>= 1
  }
  return { root: level[0]?.toString('hex') ?? '', path }
}

export interface Inclusive {
  readonly hash: string
  readonly index: number
  readonly size: number
  readonly path: readonly string[]
  readonly root: string
}

/** Whether the hash stands at this place of a tree of this size with this root. */
export function isIncluded({ hash, index, size, path, root }: Inclusive): boolean {
  let node: Uint8Array = leafHash(hash)
  let at = index
  let last = size - 1
  const rest = [...path]
  while (last > 0) {
    if (at % 2 === 1 || at < last) {
      const sibling = rest.shift()
      if (sibling === undefined) return false
      const other = Buffer.from(sibling, 'hex')
      node = at % 2 === 1 ? nodeHash(other, node) : nodeHash(node, other)
    }
    at >>= 1
    last >>= 1
  }
  return rest.length === 0 && Buffer.from(node).toString('hex') === root
}
