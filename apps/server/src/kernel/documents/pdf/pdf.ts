/**
 * A document as a tagged PDF: headings, tables and figures in reading order, bookmarks, embedded fonts. Its dates are those
 * of the snapshot and its id comes from the content, so that equal documents give equal bytes. Tested in modules/platform/reports/pdf.test.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DocumentSection, WrittenDocument } from '../document.ts'
import { figure } from './figure.ts'
import { fonts } from './fonts.ts'
import { artifact, colors, drawable, element, faces, type Pdf, type Place, page, pen, write } from './paper.ts'
import { pairs, table } from './table.ts'

/** @throws Error where the fonts are missing */
export async function pdfOf(document: WrittenDocument): Promise<Uint8Array> {
  const pdf = await opened(document)
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  head({ pdf, parent: root }, document)
  for (const section of document.sections) {
    await nextTurn()
    await drawSection({ pdf, parent: root }, section)
  }
  root.end()
  feet(pdf, document)
  pdf.end()
  const parts: Uint8Array[] = []
  for await (const part of pdf) parts.push(part)
  return Buffer.concat(parts)
}

async function opened(document: WrittenDocument): Promise<Pdf> {
  // With its tables of fonts and scripts it is some megabytes, which a server without PDF does not hold.
  const { default: PDFDocument } = await import('pdfkit')
  const { regular, bold } = fonts()
  const at = new Date(document.snapshot_at)
  const pdf = new PDFDocument({
    ...{ pdfVersion: '1.7', tagged: true, lang: 'en-US', displayTitle: true, bufferPages: true, size: page.size },
    margins: { top: page.top, left: page.left, right: page.left, bottom: 841.89 - page.bottom },
    // The id of the file is a digest of these, the content's own digest among them.
    info: {
      ...{ Title: document.title, Creator: `Parapet ${document.product_version}`, Producer: 'pdfkit' },
      ...{ Subject: document.subject },
      ...{ Keywords: `sha256:${document.digest}`, CreationDate: at, ModDate: at },
    },
    font: regular,
  })
  pdf.registerFont(faces.regular, regular).registerFont(faces.bold, bold)
  return pdf
}

function head(place: Place, { title, snapshot_at: at, origin, notes }: WrittenDocument): void {
  write(place, title, { type: 'H1', size: 20, weight: 'bold', after: 4 })
  write(place, `As of ${at}. ${origin}`, { type: 'P', size: 9, color: colors.muted, after: 10 })
  for (const note of notes) write(place, note, { type: 'P', size: 9, after: 10 })
}

async function drawSection(
  place: Place,
  { title, description, figures, charts, tables }: DocumentSection,
): Promise<void> {
  const { pdf } = place
  const parent = element(place, 'Sect')
  const made = { pdf, parent }
  write(made, title, { type: 'H2', size: 14, weight: 'bold', after: 3, keep: 90 })
  const bookmark = pdf.outline.addItem(title)
  write(made, description, { type: 'P', size: 9, color: colors.muted, after: 8 })
  if (figures.length > 0)
    pairs(
      made,
      figures.map(({ label, value }) => [label, value] as const),
    )
  for (const chart of charts) {
    figure(made, chart)
    bookmark.addItem(chart.title)
  }
  for (const one of tables) {
    await table(made, one)
    bookmark.addItem(one.title)
  }
  if (figures.length + charts.length + tables.length === 0) write(made, 'No data.', { type: 'P', size: 9 })
  parent.end()
  pdf.y += 8
}

/** Title, moment and number at the end of each page. */
function feet(pdf: Pdf, { title, snapshot_at: at }: WrittenDocument): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let index = start; index < start + count; index += 1) {
    pdf.switchToPage(index)
    artifact(pdf, () => {
      pen(pdf, { size: 7.5, color: colors.muted })
      const { text, options } = drawable(pdf, `${title.slice(0, 80)} · ${at} · ${index + 1} / ${count}`)
      pdf.text(text, page.left, page.bottom + 18, { ...options, lineBreak: false })
    })
  }
}
