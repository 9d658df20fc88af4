/**
 * Texts of senders with values in them, as Liquid. Templates come from tenants, so each is bounded in length, time and
 * memory; there are no includes, and what a value says is never read as a template. Titles are one line. Tested in
 * templates.test.ts.
 */
import { Liquid } from 'liquidjs'
import { errors } from '../errors/errors.ts'

const longest = 5_000
/** Milliseconds for one text, and roughly the objects and characters that it makes. */
const renderMs = 250
const renderMemory = 100_000

const engine = new Liquid({
  templates: {},
  strictFilters: true,
  strictVariables: true,
  ownPropertyOnly: true,
  parseLimit: longest,
  renderLimit: renderMs,
  memoryLimit: renderMemory,
})
for (const tag of ['include', 'render', 'layout', 'block', 'liquid']) delete engine.tags[tag]

interface Template {
  readonly title: string
  readonly body: string
}

/** Built-in frames around the title and the body of the sender. */
const templates: Readonly<Record<string, Template>> = {
  plain: { title: '{{ title }}', body: '{{ body }}' },
  incident: {
    title: 'Incident: {{ title }}',
    body: '{{ body }}\n\nImpact: {{ impact }}\nNext update: {{ next_update }}',
  },
  maintenance: { title: 'Maintenance: {{ title }}', body: 'From {{ starts }} to {{ ends }}.\n\n{{ body }}' },
}

export interface Texts {
  readonly title: string
  readonly body: string
}

export interface Rendering extends Texts {
  readonly template: string | undefined
  readonly data: Readonly<Record<string, string>> | undefined
}

/** @throws PLAT-002 for a template that does not exist, PLAT-003 for one that cannot be rendered or takes too much */
export function renderTexts({ title, body, template, data }: Rendering): Texts {
  if (template === undefined && data === undefined) return { title: oneLine(title), body }
  const values = data ?? {}
  const own = { title: render(title, values, '/title'), body: render(body, values, '/body') }
  const frame = template === undefined ? templates.plain : templates[template]
  if (frame === undefined)
    throw errors
      .templateUnknown({ what: `There is no template of this name. Use ${Object.keys(templates).join(', ')}.` })
      .at([{ detail: 'names no template', pointer: '/template' }])
  const all = { ...values, ...own }
  return {
    title: oneLine(render(frame.title, all, '/data')).slice(0, 200),
    body: render(frame.body, all, '/data').slice(0, 4_000),
  }
}

/** @throws PLAT-003 */
function render(text: string, values: Readonly<Record<string, string>>, pointer: string): string {
  try {
    return engine.parseAndRenderSync(text, values)
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw errors
      .templateFailed({ what: 'The text cannot be rendered with the given data.' })
      .at([{ detail: String(said).slice(0, 200), pointer }])
  }
}

const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trim()
