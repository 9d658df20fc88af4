/**
 * Names of documents as Converse takes them: few characters, no dots, and no name twice in a conversation. Promises
 * that a document keeps its name however the conversation goes on, so that its cache entry stays valid. Pure. Tested in
 * encode.test.ts.
 */
import type { Block } from './block.ts'

const longest = 200

export function documentName(name: string | null): string {
  const plain = (name ?? '')
    .replace(/[^A-Za-z0-9 ()[\]-]+/g, '-')
    .replace(/ {2,}/g, ' ')
    .slice(0, longest)
    .trim()
  return plain === '' ? 'document' : plain
}

/** Blocks in their order, in which the second document of a name is told from the first by a number. */
export function documentNamer(): (blocks: readonly Block[]) => Block[] {
  // Whether case tells names apart is nowhere said.
  const taken = new Set<string>()
  const free = (name: string): string => {
    let found = name
    for (let count = 2; taken.has(found.toLowerCase()); count += 1)
      found = `${name.slice(0, longest - String(count).length - 1)}-${count}`
    taken.add(found.toLowerCase())
    return found
  }
  const named = (blocks: readonly Block[]): Block[] =>
    blocks.map((block) => {
      const { document, toolResult } = block
      if (hasName(document)) return { ...block, document: { ...document, name: free(document.name) } }
      return hasContent(toolResult)
        ? { ...block, toolResult: { ...toolResult, content: named(toolResult.content) } }
        : block
    })
  return named
}

function hasName(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

function hasContent(value: unknown): value is { readonly content: readonly Block[] } {
  return typeof value === 'object' && value !== null && 'content' in value && Array.isArray(value.content)
}
