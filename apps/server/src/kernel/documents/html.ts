/** A document as one HTML file that loads nothing. Pure. Tested in modules/platform/reports/formats.test.ts. */
import { alternative, type Chart } from './charts.ts'
import type { Cell, DocumentSection, DocumentTable, Figure, WrittenDocument } from './document.ts'
import { drawingOf, type Shape } from './drawing.ts'

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const shown = (cell: Cell): string => (cell === null ? '–' : escapeHtml(String(cell)))

const style = `body{font:14px/1.5 sans-serif;color:#1a1a1a;max-width:960px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{border-bottom:1px solid #ccc;margin-top:2rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}
dt{color:#555}dd{margin:0;font-weight:600}table{border-collapse:collapse;width:100%;margin:1rem 0;font-size:12px}
caption{text-align:left;font-weight:600}th,td{border:1px solid #ddd;padding:.25rem .4rem;text-align:left;overflow-wrap:anywhere}`

export function htmlOf(document: WrittenDocument): string {
  const { title, snapshot_at: at, origin, notes, sections } = document
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>As of <time datetime="${escapeHtml(at)}">${escapeHtml(at)}</time>. ${escapeHtml(origin)}</p>
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('\n')}
${sections.map(sectionHtml).join('\n')}
</body>
</html>
`
}

function sectionHtml({ title, description, figures, charts, tables }: DocumentSection): string {
  return `<section><h2>${escapeHtml(title)}</h2>
<p>${escapeHtml(description)}</p>
${figures.length === 0 ? '' : `<dl>${figures.map(figureHtml).join('')}</dl>`}
${charts.map(chartSvg).join('\n')}
${tables.map(tableHtml).join('\n')}
</section>`
}

const figureHtml = ({ label, value }: Figure): string => `<dt>${escapeHtml(label)}</dt><dd>${shown(value)}</dd>`

function tableHtml({ title, columns, rows }: DocumentTable): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('')
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${shown(cell)}</td>`).join('')}</tr>`).join('\n')
  return `<table><caption>${escapeHtml(title)}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

/** The text alternative names the values. */
export function chartSvg(chart: Chart): string {
  const { width, height, shapes } = drawingOf(chart)
  return `<figure><figcaption>${escapeHtml(chart.title)}</figcaption><svg xmlns="http://www.w3.org/2000/svg" role="img" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${escapeHtml(alternative(chart))}</title>${shapes.map(shapeSvg).join('')}</svg></figure>`
}

function shapeSvg(shape: Shape): string {
  if (shape.form === 'bar')
    return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" fill="#2b6cb0"/>`
  if (shape.form === 'text')
    return `<text x="${shape.x}" y="${shape.y}" text-anchor="${shape.anchor}" font-size="12">${escapeHtml(shape.text)}</text>`
  const stroke = shape.tone === 'line' ? 'stroke="#2b6cb0" stroke-width="2"' : 'stroke="#767676"'
  return `<polyline points="${shape.points.map((point) => point.join(',')).join(' ')}" fill="none" ${stroke}/>`
}
