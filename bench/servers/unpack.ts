import { systemClock } from '../../apps/server/src/kernel/base/clock.ts'
import type { DocumentFormat } from '../../apps/server/src/kernel/unpack/port.ts'
import { docx, pdf, xlsx } from '../../apps/server/src/kernel/unpack/testing/files.ts'
import { unpackEntry } from '../../apps/server/src/kernel/unpack/thread-entry.ts'
import { createUnpack } from '../../apps/server/src/kernel/unpack/unpack.ts'

export const createRoom = () => createUnpack({ entry: unpackEntry, clock: systemClock() })

/** Pages of 50 lines, as a report has them. */
export function files(): Readonly<Record<string, readonly [DocumentFormat, Buffer]>> {
  const lines = (page: number) =>
    Array.from(
      { length: 50 },
      (_, n) => `Page ${page}, line ${n}: evidence of control AC-${(n * 7) % 25} was reviewed and kept.`,
    )
  const pages = Array.from({ length: 100 }, (_, page) => lines(page + 1))
  const cells = pages.flat().map((text, n) => [`A${n + 1}`, text] as const)
  return {
    pdf_100_pages: ['pdf', pdf(pages.map((page) => page.join('\n')))],
    docx_5000_paragraphs: ['docx', docx(pages.flat())],
    xlsx_5000_cells: ['xlsx', xlsx(Object.fromEntries(cells))],
    html_5000_paragraphs: [
      'html',
      Buffer.from(
        pages
          .flat()
          .map((text) => `<p>${text}</p>`)
          .join(''),
      ),
    ],
  }
}
