import { getDocumentProxy } from 'unpdf'
import { type Budget, broken, mostPages, tooLarge } from '../limits.ts'
import { Pieces } from '../pieces.ts'
import { type TextPiece, UnpackError } from '../port.ts'

/** Text of the pages; pictures of text are none. Scripts and forms in the file are not run. @throws UnpackError */
export async function readPdf(bytes: Uint8Array, budget: Budget): Promise<readonly TextPiece[]> {
  const pieces = new Pieces(budget)
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), {
      isEvalSupported: false,
      useSystemFonts: false,
      disableFontFace: true,
      verbosity: 0,
    })
    if (document.numPages > mostPages) throw tooLarge(`The file has more than ${mostPages} pages.`)
    for (let page = 1; page <= document.numPages; page += 1) pieces.add({ page }, await textOf(document, page))
    await document.cleanup()
  } catch (error) {
    if (error instanceof UnpackError) throw error
    if (error instanceof Error && error.name === 'PasswordException')
      throw new UnpackError('encrypted', 'The file is encrypted.', error)
    throw broken('The file is not a PDF, or is damaged.', error)
  }
  return pieces.all
}

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

async function textOf(document: Document, number: number): Promise<string> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
  page.cleanup()
  return text
}
