/**
 * Declared mails: subject, text and HTML as Liquid templates with the schema of their data. They are read when they are
 * declared, so a template that is wrong stops the start. In HTML every value is escaped, and there is no way around it; no
 * template includes a file; a loop ends at limits of time and memory. Tested in define.test.ts.
 */
import { Liquid, type Template } from 'liquidjs'
import type { Static, TObject } from 'typebox'
import { fits } from '../schema/fits.ts'
import type { Letter, Unsubscribe } from './port.ts'

export interface MailInput<D extends TObject> {
  /** `<module>.<mail>`, for messages of errors. */
  readonly name: string
  readonly subject: string
  readonly text: string
  /** The content of the HTML part; the page around it is the kernel's. Without it a letter is text only. */
  readonly html?: string
  /** Values are text, numbers, booleans and lists; templates know nothing else. */
  readonly data: D
}

export interface Mail<D extends TObject> {
  readonly name: string
  /** @throws Error when the data do not fit the schema, or a template runs into a limit */
  render(data: Static<D>, envelope: Envelope): Letter
}

export interface Envelope {
  readonly to: string
  readonly unsubscribe?: Unsubscribe
}

/** Characters of one template. */
const longestTemplate = 20_000
/** Milliseconds for one template: far above the one or two it takes, since it counts the pauses of a busy machine too. */
const renderMs = 10_000
/** Objects and characters made by one template, roughly. */
const renderMemory = 1_000_000
const longestSubject = 200

/** Reads other templates, or writes what is not escaped. */
const removedTags = ['include', 'render', 'layout', 'block', 'liquid'] as const
const removedFilters = ['raw'] as const

const textEngine = createEngine(false)
const htmlEngine = createEngine(true)

/** @throws Error for a template that cannot be read */
export function defineMail<D extends TObject>({ name, data: schema, ...templates }: MailInput<D>): Mail<D> {
  const subject = parsed(name, textEngine, templates.subject)
  const text = parsed(name, textEngine, templates.text)
  const html = templates.html === undefined ? null : parsed(name, htmlEngine, templates.html)
  return {
    name,
    render: (data, { to, unsubscribe }) => {
      if (!fits(schema, data)) throw new TypeError(`the data of the mail ${name} have another form than declared`)
      const line = oneLine(textEngine.renderSync(subject, data))
      return {
        to,
        subject: line,
        text: textEngine.renderSync(text, data),
        ...(html === null ? {} : { html: pageOf(line, htmlEngine.renderSync(html, data)) }),
        ...(unsubscribe === undefined ? {} : { unsubscribe }),
      }
    },
  }
}

function createEngine(escapes: boolean): Liquid {
  const engine = new Liquid({
    // In memory, and empty: nothing is read from disk.
    templates: {},
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    parseLimit: longestTemplate,
    renderLimit: renderMs,
    memoryLimit: renderMemory,
    ...(escapes ? { outputEscape: 'escape' as const } : {}),
  })
  for (const tag of removedTags) delete engine.tags[tag]
  for (const filter of removedFilters) delete engine.filters[filter]
  engine.registerFilter('web_link', webLink)
  return engine
}

function parsed(name: string, engine: Liquid, template: string): Template[] {
  try {
    return engine.parse(template)
  } catch (error) {
    throw new Error(`the mail ${name} has a template that cannot be read`, { cause: error })
  }
}

/** For `href`: an address that a mail program may open. @throws TypeError for one of another scheme */
function webLink(value: unknown): string {
  const url = new URL(String(value))
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new TypeError('a link of a mail is http or https')
  return url.href
}

const controls = /\p{Cc}+/gu

const oneLine = (text: string): string => text.replaceAll(controls, ' ').trim().slice(0, longestSubject)

/** Styles stand in the elements, and nothing is loaded: many mail programs drop the one and ask about the other. */
function pageOf(title: string, content: string): string {
  const shown = htmlEngine.parseAndRenderSync('{{ title }}', { title })
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${shown}</title></head>
<body style="margin:0;padding:24px;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1a1a1a">
<div style="max-width:560px;margin:0 auto">
${content.trim()}
</div>
</body>
</html>
`
}
