import type { Budget } from '../limits.ts'
import { broken } from '../limits.ts'
import { type ArchiveEntry, UnpackError } from '../port.ts'
import { walkXml } from './xml.ts'
import { readZip } from './zip.ts'

/** Compound files hold encrypted office files, and those of before 2007. */
const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex')

export type Parts = ReadonlyMap<string, Uint8Array>

/** The XML parts of an office file. @throws UnpackError */
export async function readOffice(bytes: Uint8Array, budget: Budget): Promise<Parts> {
  if (compoundFile.equals(bytes.subarray(0, compoundFile.length)))
    throw new UnpackError('encrypted', 'The file is encrypted, or of an office before 2007.')
  const isWanted = (name: string): boolean => {
    // In whatever folder: one that is renamed is still one.
    if (/vbaProject\.bin$/i.test(name)) throw new UnpackError('macros', 'The file holds macros.')
    return /\.(?:xml|rels)$/i.test(name)
  }
  const entries: readonly ArchiveEntry[] = await readZip(bytes, budget, isWanted)
  const parts = new Map(entries.map(({ name, content }) => [name, content]))
  const types = parts.get('[Content_Types].xml')
  if (types === undefined) throw broken('The file is not an office file.')
  if (/macroEnabled|vbaProject/i.test(Buffer.from(types).toString('utf8')))
    throw new UnpackError('macros', 'The file holds macros.')
  return parts
}

/** @throws UnpackError `broken` */
export function need(parts: Parts, name: string): Uint8Array {
  const part = parts.get(name)
  if (part === undefined) throw broken(`The file has no part ${name}.`)
  return part
}

/** Targets of a part's relations by their id, as names of parts. */
export function relationsOf(parts: Parts, name: string): ReadonlyMap<string, string> {
  const folder = name.slice(0, name.lastIndexOf('/') + 1)
  const rels = parts.get(`${folder}_rels/${name.slice(folder.length)}.rels`)
  const found = new Map<string, string>()
  if (rels === undefined) return found
  walkXml(rels, {
    open: (tag, { Id: id = '', Target: target = '', TargetMode: mode }) => {
      if (tag === 'Relationship' && mode !== 'External')
        found.set(id, target.startsWith('/') ? target.slice(1) : `${folder}${target}`)
    },
    close: () => undefined,
    text: () => undefined,
  })
  return found
}

/** Of an element that points to a part; the prefix of the name is the writer's choice. */
export function relationId(attributes: Readonly<Record<string, string>>): string {
  const name = Object.keys(attributes).find((one) => /:id$/i.test(one))
  return name === undefined ? '' : (attributes[name] ?? '')
}

/** Calls back with the text of each paragraph, which is an element of this name with runs of text in `t`. */
export function walkParagraphs(part: Uint8Array, paragraph: (text: string) => void): void {
  let text = ''
  let inText = false
  walkXml(part, {
    open: (name) => {
      if (name === 't') inText = true
      else if (name === 'tab') text += '\t'
      else if (name === 'br' || name === 'cr') text += '\n'
    },
    close: (name) => {
      if (name === 't') inText = false
      if (name !== 'p') return
      paragraph(text)
      text = ''
    },
    text: (more) => {
      if (inText) text += more
    },
  })
}
