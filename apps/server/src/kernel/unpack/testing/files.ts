/** Files as their formats have them, made byte by byte, so that a test can also make those that no program writes. */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly content: string | Uint8Array
  /** Of the general purpose bits: 1 says encrypted. */
  readonly flags?: number
  /** Unix mode of the entry, for instance of a link. */
  readonly mode?: number
}

export function zip(parts: readonly ZipPart[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let at = 0
  for (const { name, content, flags = 0, mode = 0o100644 } of parts) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(flags, 2)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(bytes.length, 18)
    facts.writeUInt16LE(Buffer.byteLength(name), 22)
    const header = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, Buffer.from(name), packed])
    const more = Buffer.alloc(14)
    more.writeUInt32LE((mode << 16) >>> 0, 6)
    more.writeUInt32LE(at, 10)
    central.push(Buffer.concat([Buffer.from('504b01021403', 'hex'), facts, more, Buffer.from(name)]))
    local.push(header)
    at += header.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...local, directory, Buffer.from('504b0506', 'hex'), end])
}

export function tar(
  entries: readonly { readonly name: string; readonly content: string; readonly type?: string }[],
): Buffer {
  const blocks = entries.flatMap(({ name, content, type = '0' }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write('0000644\0', 100)
    header.write(Buffer.byteLength(content).toString(8).padStart(11, '0'), 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const relations = (targets: readonly (readonly [id: string, target: string])[]): string =>
  `<Relationships>${targets.map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`).join('')}</Relationships>`

export interface Office {
  /** Entries beside the usual ones, or instead of them. */
  readonly more?: readonly ZipPart[]
  readonly types?: string
}

const office = (parts: readonly ZipPart[], { more = [], types = '<Types/>' }: Office): Buffer =>
  zip([{ name: '[Content_Types].xml', content: types }, ...parts, ...more])

export function docx(paragraphs: readonly string[], over: Office = {}): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  return office([{ name: 'word/document.xml', content: `<w:document><w:body>${body}</w:body></w:document>` }], over)
}

export function xlsx(cells: Readonly<Record<string, string>>, over: Office = {}): Buffer {
  const names = Object.values(cells)
  const strings = names.map((text) => `<si><t>${text}</t></si>`).join('')
  const row = Object.keys(cells).map((cell, index) => `<c r="${cell}" t="s"><v>${index}</v></c>`)
  const sheet = `<worksheet><sheetData><row>${row.join('')}<c r="Z9"><f>1+1</f><v>2</v></c></row></sheetData></worksheet>`
  return office(
    [
      { name: 'xl/workbook.xml', content: '<workbook><sheets><sheet name="Plan" r:id="rId7"/></sheets></workbook>' },
      { name: 'xl/_rels/workbook.xml.rels', content: relations([['rId7', 'worksheets/one.xml']]) },
      { name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` },
      { name: 'xl/worksheets/one.xml', content: sheet },
    ],
    over,
  )
}

export function pptx(slides: readonly string[]): Buffer {
  const ids = slides.map((_, n) => [`rId${n}`, `slides/slide${9 - n}.xml`] as const)
  const order = ids.map(([id]) => `<p:sldId r:id="${id}"/>`).join('')
  return office(
    [
      { name: 'ppt/presentation.xml', content: `<p:presentation><p:sldIdLst>${order}</p:sldIdLst></p:presentation>` },
      { name: 'ppt/_rels/presentation.xml.rels', content: relations(ids) },
      ...slides.map((text, n) => ({
        name: `ppt/slides/slide${9 - n}.xml`,
        content: `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`,
      })),
    ],
    {},
  )
}

/** One page for each text, a line for each of its lines. @param trailer what stands in the trailer beside root and size */
export function pdf(pages: readonly string[], trailer = ''): Buffer {
  const kids = pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, n) => {
      const lines = text.split('\n').map((line) => `(${line.replaceAll(/[()\\]/g, '\\$&')}) Tj T*`)
      const content = `BT /F1 11 Tf 50 780 Td 14 TL ${lines.join(' ')} ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * n} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
