import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { type Budget, mostDepth, nested } from '../limits.ts'
import { Pieces } from '../pieces.ts'
import type { TextPiece, TextPosition } from '../port.ts'

type Node = DefaultTreeAdapterTypes.Node

const silent = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math'])
const inline = new Set(
  'a abbr b bdi bdo br cite code data dfn em font i kbd label mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** Text of a page by its blocks, as a reader sees it, and text hidden by style. @throws UnpackError */
export function readHtml(text: string, budget: Budget, more: TextPosition = {}): readonly TextPiece[] {
  const pieces = new Pieces(budget)
  let paragraph = 0
  let line = ''
  const end = (): void => {
    if (line.trim() !== '') {
      paragraph += 1
      pieces.add({ ...more, paragraph }, line)
    }
    line = ''
  }
  const walk = (node: Node, depth: number): void => {
    if (depth > mostDepth) throw nested()
    if (node.nodeName === '#text' && 'value' in node) line += node.value.replaceAll('\n', ' ')
    if (node.nodeName === 'br') line += '\n'
    if (!('childNodes' in node) || silent.has(node.nodeName)) return
    const isBlock = !inline.has(node.nodeName)
    if (isBlock) end()
    for (const child of node.childNodes) walk(child, depth + 1)
    if (isBlock) end()
  }
  walk(parse(text), 0)
  end()
  return pieces.all
}
