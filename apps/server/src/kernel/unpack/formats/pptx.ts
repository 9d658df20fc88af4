import type { Budget } from '../limits.ts'
import { Pieces } from '../pieces.ts'
import type { TextPiece } from '../port.ts'
import { need, readOffice, relationId, relationsOf, walkParagraphs } from './office.ts'
import { walkXml } from './xml.ts'

/** Paragraphs of the slides in the order they are shown. @throws UnpackError */
export async function readPptx(bytes: Uint8Array, budget: Budget): Promise<readonly TextPiece[]> {
  const parts = await readOffice(bytes, budget)
  const main = 'ppt/presentation.xml'
  const relations = relationsOf(parts, main)
  const slides: string[] = []
  walkXml(need(parts, main), {
    open: (name, attributes) => {
      const slide = name === 'sldId' ? relations.get(relationId(attributes)) : undefined
      if (slide !== undefined) slides.push(slide)
    },
    close: () => undefined,
    text: () => undefined,
  })
  const pieces = new Pieces(budget)
  for (const [index, name] of slides.entries()) {
    let paragraph = 0
    walkParagraphs(need(parts, name), (text) => {
      paragraph += 1
      pieces.add({ slide: index + 1, paragraph }, text)
    })
  }
  return pieces.all
}
