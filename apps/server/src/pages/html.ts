/** Pages of plain markup. Promises that text is escaped wherever it stands, and that a page loads its own files alone. */
import type { ProblemError } from '../kernel/errors/problem.ts'
import type { SurfaceAnswer } from '../kernel/http/surfaces.ts'

/** Markup that is made here; all else is text. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | Markup | readonly Markup[]

/** Markup with values in it: text is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(
    parts.map((part, index) => `${part}${index < values.length ? written(values[index]) : ''}`).join(''),
  )
}

function written(value: Value | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return escaped(value)
  return value instanceof Markup ? value.text : value.map(({ text }) => text).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')

/** Content policy of a page: it loads files and sends forms to this server alone, and has nothing inline. */
export const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export interface Page {
  readonly title: string
  readonly body: Markup
  readonly status?: number
  /** Path of a script that makes the page more comfortable; it works without. */
  readonly script?: string
}

export function pageOf({ title, body, status = 200, script }: Page): SurfaceAnswer {
  const loaded = script === undefined ? '' : html`<script src="${script}" defer></script>`
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} – Parapet</title>
<link rel="stylesheet" href="/pages/style.css">
${loaded}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`
  return { status, type: 'text/html; charset=utf-8', body: text }
}

/** A refusal as a page: what happened and what to do. */
export function problemPage({ title, message, code, status }: ProblemError): SurfaceAnswer {
  const body = html`<p role="alert">${message}</p>
<p><a href="/errors/${code}">${code}</a>: what it means.</p>`
  return pageOf({ title, body, status })
}
