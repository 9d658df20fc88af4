/** Charts as vectors, each a figure with its text alternative. Tested in modules/platform/reports/pdf.test.ts. */
import { alternative, type Chart } from '../charts.ts'
import { drawingOf, type Shape } from '../drawing.ts'
import { colors, content, drawable, type Pdf, type Place, page, pen, room, write } from './paper.ts'

const size = 8.5

export function figure(place: Place, chart: Chart): void {
  const { pdf } = place
  const { width, height, shapes } = drawingOf(chart)
  write(place, chart.title, { type: 'H3', size: 10, weight: 'bold', after: 4, keep: Math.min(height, 400) })
  const scale = Math.min(1, page.width / width, (page.bottom - page.top - 40) / height)
  room(pdf, height * scale)
  const top = pdf.y
  const bbox: [number, number, number, number] = [page.left, top, page.left + width * scale, top + height * scale]
  const draw = () => {
    pdf.save().translate(page.left, top).scale(scale)
    for (const shape of shapes) drawShape(pdf, shape)
    pdf.restore()
  }
  content(place, 'Figure', { draw, alt: alternative(chart), bbox })
  pdf.x = page.left
  pdf.y = top + height * scale + 10
}

function drawShape(pdf: Pdf, shape: Shape): void {
  if (shape.form === 'bar') {
    if (shape.width > 0) pdf.rect(shape.x, shape.y, shape.width, shape.height).fill(colors.ink)
    return
  }
  if (shape.form === 'text') {
    drawText(pdf, shape)
    return
  }
  const [first = [0, 0], ...rest] = shape.points
  pdf.moveTo(first[0], first[1])
  for (const [x, y] of rest) pdf.lineTo(x, y)
  if (shape.tone === 'line') pdf.lineWidth(1.5).stroke(colors.ink)
  else pdf.lineWidth(0.5).stroke(colors.muted)
}

function drawText(pdf: Pdf, { x, y, anchor, text }: Extract<Shape, { form: 'text' }>): void {
  pen(pdf, { size })
  const shown = drawable(pdf, text)
  const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * pdf.widthOfString(shown.text, shown.options)
  pdf.text(shown.text, x - shift, y, { ...shown.options, lineBreak: false, baseline: 'alphabetic' })
}
