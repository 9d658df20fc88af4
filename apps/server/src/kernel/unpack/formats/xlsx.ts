import type { Budget } from '../limits.ts'
import { Pieces } from '../pieces.ts'
import type { TextPiece } from '../port.ts'
import { need, type Parts, readOffice, relationId, relationsOf } from './office.ts'
import { walkXml } from './xml.ts'

/** Cells that hold something, sheet by sheet; a formula is given by its last value. @throws UnpackError */
export async function readXlsx(bytes: Uint8Array, budget: Budget): Promise<readonly TextPiece[]> {
  const parts = await readOffice(bytes, budget)
  const shared = sharedStrings(parts)
  const pieces = new Pieces(budget)
  for (const { sheet, part } of sheetsOf(parts))
    walkCells(need(parts, part), ({ cell, type, value }) =>
      pieces.add({ sheet, cell }, type === 's' ? (shared[Number(value)] ?? '') : value),
    )
  return pieces.all
}

function sheetsOf(parts: Parts): readonly { readonly sheet: string; readonly part: string }[] {
  const main = 'xl/workbook.xml'
  const relations = relationsOf(parts, main)
  const found: { sheet: string; part: string }[] = []
  walkXml(need(parts, main), {
    open: (name, attributes) => {
      const part = name === 'sheet' ? relations.get(relationId(attributes)) : undefined
      if (part !== undefined) found.push({ sheet: (attributes.name ?? '').slice(0, 100), part })
    },
    close: () => undefined,
    text: () => undefined,
  })
  return found
}

function sharedStrings(parts: Parts): readonly string[] {
  const part = parts.get('xl/sharedStrings.xml')
  const found: string[] = []
  if (part === undefined) return found
  let text = ''
  let inText = false
  walkXml(part, {
    open: (name) => {
      if (name === 'si') text = ''
      inText = name === 't'
    },
    close: (name) => {
      if (name === 't') inText = false
      if (name === 'si') found.push(text)
    },
    text: (more) => {
      if (inText) text += more
    },
  })
  return found
}

interface Cell {
  readonly cell: string
  readonly type: string
  readonly value: string
}

function walkCells(part: Uint8Array, found: (cell: Cell) => void): void {
  let cell = ''
  let type = ''
  let value = ''
  let inValue = false
  walkXml(part, {
    open: (name, attributes) => {
      if (name === 'c') {
        cell = (attributes.r ?? '').slice(0, 20)
        type = attributes.t ?? 'n'
        value = ''
      }
      inValue = name === 'v' || name === 't'
    },
    close: (name) => {
      inValue = false
      if (name === 'c') found({ cell, type, value })
    },
    text: (more) => {
      if (inValue) value += more
    },
  })
}
