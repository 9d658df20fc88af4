import { readDocx } from '../formats/docx.ts'
import { readEmail } from '../formats/email.ts'
import { readGzip } from '../formats/gzip.ts'
import { readHtml } from '../formats/html.ts'
import { readPdf } from '../formats/pdf.ts'
import { readPptx } from '../formats/pptx.ts'
import { readTar } from '../formats/tar.ts'
import { readXlsx } from '../formats/xlsx.ts'
import { readYaml } from '../formats/yaml.ts'
import { readZip } from '../formats/zip.ts'
import { Budget, broken } from '../limits.ts'
import type { UnpackOrder } from '../order.ts'
import { Pieces } from '../pieces.ts'
import type { ArchiveEntry, ArchiveFormat, DocumentFormat, DocumentText, TextPiece } from '../port.ts'

/** The work in the thread. @throws UnpackError, or any error of a library for an unforeseen file */
export async function openFile({ format, bytes }: UnpackOrder): Promise<unknown> {
  const budget = new Budget(bytes)
  if (format === 'yaml') return readYaml(textOf(bytes))
  if (format === 'zip' || format === 'tar' || format === 'tar.gz' || format === 'gzip')
    return entriesOf(format, bytes, budget)
  return documentOf(format, bytes, budget)
}

async function entriesOf(format: ArchiveFormat, bytes: Uint8Array, budget: Budget): Promise<readonly ArchiveEntry[]> {
  if (format === 'zip') return readZip(bytes, budget)
  if (format === 'tar') return readTar(bytes, budget)
  const content = readGzip(bytes, budget)
  return format === 'gzip' ? [{ name: '', content }] : readTar(content, new Budget(content))
}

async function documentOf(format: DocumentFormat, bytes: Uint8Array, budget: Budget): Promise<DocumentText> {
  if (format === 'eml') return readEmail(bytes, budget)
  return { pieces: await readers[format](bytes, budget), attachments: [] }
}

const readers: Readonly<
  Record<
    Exclude<DocumentFormat, 'eml'>,
    (bytes: Uint8Array, budget: Budget) => readonly TextPiece[] | Promise<readonly TextPiece[]>
  >
> = {
  docx: readDocx,
  xlsx: readXlsx,
  pptx: readPptx,
  pdf: readPdf,
  html: (bytes, budget) => readHtml(textOf(bytes), budget),
  text: (bytes, budget) => {
    const pieces = new Pieces(budget)
    for (const [index, text] of textOf(bytes)
      .replaceAll('\r\n', '\n')
      .split(/\n[^\S\n]*\n/)
      .entries())
      pieces.add({ paragraph: index + 1 }, text)
    return pieces.all
  },
}

/** @throws UnpackError `broken` */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw broken('The file is not valid UTF-8.', error)
  }
}
