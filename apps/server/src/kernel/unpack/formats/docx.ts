import type { Budget } from '../limits.ts'
import { Pieces } from '../pieces.ts'
import type { TextPiece } from '../port.ts'
import { need, readOffice, walkParagraphs } from './office.ts'

/** Paragraphs of the text, then those of its notes, comments, headers and footers. @throws UnpackError */
export async function readDocx(bytes: Uint8Array, budget: Budget): Promise<readonly TextPiece[]> {
  const parts = await readOffice(bytes, budget)
  const pieces = new Pieces(budget)
  let paragraph = 0
  walkParagraphs(need(parts, 'word/document.xml'), (text) => {
    paragraph += 1
    pieces.add({ paragraph }, text)
  })
  for (const [name, content] of parts) {
    const [, part] = /^word\/((?:footnotes|endnotes|comments|header\d*|footer\d*))\.xml$/.exec(name) ?? []
    if (part === undefined) continue
    let at = 0
    walkParagraphs(content, (text) => {
      at += 1
      pieces.add({ part, paragraph: at }, text)
    })
  }
  return pieces.all
}
