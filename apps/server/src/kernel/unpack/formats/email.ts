import PostalMime from 'postal-mime'
import { type Budget, broken } from '../limits.ts'
import { Pieces } from '../pieces.ts'
import type { Attachment, DocumentText, TextPiece } from '../port.ts'
import { readHtml } from './html.ts'

const longestHeaders = 1_048_576
const mostLevels = 20

/** Subject, then paragraphs of the text, or of its HTML where there is no text. @throws UnpackError */
export async function readEmail(bytes: Uint8Array, budget: Budget): Promise<DocumentText> {
  const letter = await parsed(bytes)
  const subject = new Pieces(budget)
  subject.add({ part: 'subject' }, letter.subject ?? '')
  const text = letter.text?.trim() ? paragraphs(letter.text, budget) : readHtml(letter.html ?? '', budget)
  const attachments = letter.attachments.map(({ filename, mimeType, content }, index): Attachment => {
    budget.entry()
    const bytesOf = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
    budget.unpack(bytesOf.byteLength)
    return { name: baseName(filename) ?? `attachment-${index + 1}`, mediaType: mimeType, content: bytesOf }
  })
  return { pieces: [...subject.all, ...text], attachments }
}

async function parsed(bytes: Uint8Array) {
  try {
    const letter = await PostalMime.parse(bytes, { maxHeadersSize: longestHeaders, maxNestingDepth: mostLevels })
    if (letter.headers.length === 0) throw broken('The file is not a letter.')
    return letter
  } catch (error) {
    throw broken('The file is not a letter, or nests too deep.', error)
  }
}

function paragraphs(text: string, budget: Budget): readonly TextPiece[] {
  const pieces = new Pieces(budget)
  for (const [index, paragraph] of text
    .replaceAll('\r\n', '\n')
    .split(/\n[^\S\n]*\n/)
    .entries())
    pieces.add({ paragraph: index + 1 }, paragraph)
  return pieces.all
}

/** A name of the letter, never a path. */
function baseName(name: string | null): string | null {
  const base = (name ?? '').split(/[/\\]/).at(-1)?.trim() ?? ''
  return base === '' || base === '..' || base === '.' ? null : base.slice(0, 255)
}
