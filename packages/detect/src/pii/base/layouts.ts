/**
 * All layouts of all identifiers as one tree, walked once from each place where a value may begin.
 * Promises at most `longestLayout` steps per place; does not judge validity. Tested in national/national.test.ts.
 */
import { digitValue, isBlank, isDash, isLetter, isWordUnit } from './characters.ts'
import type { Identifier } from './identifier.ts'

interface Node {
  digit: Node | undefined
  letter: Node | undefined
  blank: Node | undefined
  dash: Node | undefined
  readonly others: Map<number, Node>
  readonly identifiers: Identifier[]
}

const emptyNode = (): Node => ({
  digit: undefined,
  letter: undefined,
  blank: undefined,
  dash: undefined,
  others: new Map(),
  identifiers: [],
})

export interface LayoutTree {
  /** Calls back with the identifiers whose layout is printed at `start`, shortest first, and where it ends. */
  walk(text: string, start: number, onMatch: (identifiers: readonly Identifier[], end: number) => void): void
}

export function createLayoutTree(identifiers: readonly Identifier[]): LayoutTree {
  const root = emptyNode()
  for (const identifier of identifiers) {
    for (const layout of identifier.layouts) for (const plain of expand(layout)) insert(root, plain, identifier)
  }
  return {
    walk: (text, start, onMatch) => {
      let node = step(root, text.charCodeAt(start))
      for (let at = start + 1; node; at += 1) {
        const code = text.charCodeAt(at)
        if (node.identifiers.length > 0 && (!isWordUnit(code) || isExtension(text, at))) onMatch(node.identifiers, at)
        node = step(node, code)
      }
    },
  }
}

/** `x123`: an extension right after a telephone number. */
export const isExtension = (text: string, at: number): boolean =>
  (text.charCodeAt(at) | 32) === 120 && digitValue(text.charCodeAt(at + 1)) >= 0

/** Every `X` written out as digit and letter. */
function expand(layout: string): string[] {
  const at = layout.indexOf('X')
  if (at < 0) return [layout]
  const [head, tail] = [layout.slice(0, at), layout.slice(at + 1)]
  return [...expand(`${head}0${tail}`), ...expand(`${head}A${tail}`)]
}

function insert(root: Node, layout: string, identifier: Identifier): void {
  let node = root
  for (const char of layout) node = child(node, char)
  if (!node.identifiers.includes(identifier)) node.identifiers.push(identifier)
}

function child(node: Node, char: string): Node {
  switch (char) {
    case '0':
      node.digit ??= emptyNode()
      return node.digit
    case 'A':
      node.letter ??= emptyNode()
      return node.letter
    case ' ':
      node.blank ??= emptyNode()
      return node.blank
    case '-':
      node.dash ??= emptyNode()
      return node.dash
    default: {
      const next = node.others.get(char.charCodeAt(0)) ?? emptyNode()
      node.others.set(char.charCodeAt(0), next)
      return next
    }
  }
}

function step(node: Node, code: number): Node | undefined {
  if (digitValue(code) >= 0) return node.digit
  if (isLetter(code)) return node.letter
  if (isBlank(code)) return node.blank
  if (isDash(code)) return node.dash
  return node.others.size > 0 ? node.others.get(code) : undefined
}
