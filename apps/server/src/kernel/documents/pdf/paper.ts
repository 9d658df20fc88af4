/** Tagged pages: blocks one under the other, each an element of the structure tree. Tested in modules/platform/reports/pdf.test.ts. */
import type PDFDocument from 'pdfkit'

export type Pdf = InstanceType<typeof PDFDocument>
export type Element = PDFKit.PDFStructureElement

export const colors = { text: '#1a1a1a', muted: '#555555', rule: '#d0d0d0', ink: '#2b6cb0', shade: '#f2f4f7' } as const
export const page = { size: 'A4', left: 48, top: 48, width: 499, bottom: 785 } as const

export type Weight = 'regular' | 'bold'
/** Names that the font files give themselves: under any other pdfkit opens the first one anew with each change. */
export const faces = { regular: 'NotoSans-Regular', bold: 'NotoSans-Bold' } as const

export interface Writing {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
}

/** Where the next block of a document goes, and the element of the tree that it becomes a child of. */
export interface Place {
  readonly pdf: Pdf
  readonly parent: Element
}

interface Glyphs {
  readonly _font: { readonly font: { hasGlyphForCodePoint(codePoint: number): boolean } }
}

/** Letters that stand side by side as they are: neither joined, reordered nor marked. */
const sideBySide = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]*$/u
/** Substitution and positioning by the tables of the font, which take most of the time of a file and change nothing. */
const unshaped = Object.fromEntries(
  ['ccmp', 'locl', 'rlig', 'rclt', 'calt', 'clig', 'liga', 'kern', 'mark', 'mkmk', 'dist', 'frac', 'numr', 'dnom'].map(
    (feature) => [feature, false],
  ),
)

/** A text as pdfkit takes it: a character that the font lacks is `\u{…}`, so that nothing vanishes. */
export interface Shown {
  readonly text: string
  readonly options: PDFKit.Mixins.TextOptions
}

export function drawable(pdf: Pdf, text: string): Shown {
  // pdfkit does not publish the font that it opened; to open it a second time takes as long as a file.
  const { font } = (pdf as unknown as Glyphs)._font
  const lines = text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', ' ')
  const shown = lines.replaceAll(/[^\n -~]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0
    return code >= 32 && font.hasGlyphForCodePoint(code) ? char : `\\u{${code.toString(16)}}`
  })
  // Declared as names of features to add; the library takes those to leave out too.
  return { text: shown, options: sideBySide.test(shown) ? { features: unshaped as never } : {} }
}

export function pen(pdf: Pdf, { size, weight = 'regular', color = colors.text }: Writing): Pdf {
  return pdf.font(faces[weight]).fontSize(size).fillColor(color)
}

/** Begins a page where `height` does not fit on this one. */
export function room(pdf: Pdf, height: number): void {
  if (pdf.y + height > page.bottom && pdf.y > page.top) pdf.addPage()
}

/** An element with nothing in it yet, whose children are added while they are drawn. */
export function element(
  { pdf, parent }: Place,
  type: string,
  options: PDFKit.Mixins.StructureElementOptions = {},
): Element {
  const made = pdf.struct(type, options)
  parent.add(made)
  return made
}

/** An element whose content is what `draw` draws. */
export function content({ pdf, parent }: Place, type: string, { draw, ...options }: Content): void {
  parent.add(pdf.struct(type, options, [draw]))
}

export interface Content extends PDFKit.Mixins.StructureElementOptions {
  readonly draw: () => void
  /** Cells that a head of a table is for. */
  readonly scope?: 'Row' | 'Column'
  /** Left, top, right, bottom of a figure. */
  readonly bbox?: readonly [number, number, number, number]
}

/** Draws parts that text readers skip: rules, shades, page numbers. */
export function artifact(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact')
  draw()
  pdf.endMarkedContent()
}

export interface Block extends Writing {
  readonly type: 'H1' | 'H2' | 'H3' | 'P' | 'Caption' | 'LBody'
  /** Points left free below. */
  readonly after?: number
  /** Points that have to fit besides the text, so that no heading stands alone at the end of a page. */
  readonly keep?: number
}

export function write(place: Place, text: string, { type, after = 6, keep = 0, ...writing }: Block): void {
  const { pdf } = place
  pen(pdf, writing)
  const shown = drawable(pdf, text)
  const options = { ...shown.options, width: page.width }
  room(pdf, Math.min(pdf.heightOfString(shown.text, options) + keep, page.bottom - page.top))
  const draw = () => void pen(pdf, writing).text(shown.text, page.left, pdf.y, options)
  content(place, type, { draw })
  pdf.y += after
}
