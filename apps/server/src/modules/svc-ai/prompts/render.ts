/**
 * Reads and renders templates of tenants. Promises that a template reads no file, includes no other, ends within limits of
 * time and memory, and sees the values of its declared variables alone. Tested in render.test.ts.
 */
import { Liquid, LiquidError, type Template } from 'liquidjs'
import type { Values, Variable } from '../declared/prompt-schema.ts'

/** The template or a value is not as declared; the text may be shown. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault'
}

/** Milliseconds of one template, far above the one or two it takes. */
const renderMs = 1_000
const memory = 1_000_000
const longestText = 64_000

const engine = new Liquid({
  // In memory, and empty: nothing is read from disk.
  templates: {},
  strictFilters: true,
  strictVariables: true,
  ownPropertyOnly: true,
  parseLimit: 40_000,
  renderLimit: renderMs,
  memoryLimit: memory,
})
for (const tag of ['include', 'render', 'layout', 'block', 'liquid'] as const) delete engine.tags[tag]

/** @throws TemplateFault for one that cannot be read, or names a variable that is not declared */
export function readTemplate(template: string, variables: readonly Variable[]): Template[] {
  const parsed = shown(() => engine.parse(template))
  const declared = new Set(variables.map(({ name }) => name))
  const unknown = shown(() => engine.globalVariablesSync(parsed)).filter((name) => !declared.has(String(name)))
  if (unknown.length > 0)
    throw new TemplateFault(`The template names variables that are not declared: ${unknown.slice(0, 10).join(', ')}.`)
  return parsed
}

/** @throws TemplateFault */
export function renderTemplate(template: string, variables: readonly Variable[], values: Values): string {
  const parsed = readTemplate(template, variables)
  const known = new Map(variables.map((variable) => [variable.name, variable]))
  for (const [name, value] of Object.entries(values)) {
    const variable = known.get(name)
    if (variable === undefined) throw new TemplateFault(`The prompt has no variable "${name}".`)
    if (typeof value !== variable.type) throw new TemplateFault(`The variable "${name}" is a ${variable.type}.`)
  }
  const missing = variables.filter(({ name, required }) => required && !Object.hasOwn(values, name))
  if (missing.length > 0) throw new TemplateFault(`The variable "${missing[0]?.name}" is required.`)
  const given = Object.fromEntries(
    variables.map(({ name }) => [name, Object.hasOwn(values, name) ? values[name] : null]),
  )
  const text: unknown = shown(() => engine.renderSync(parsed, given))
  if (String(text).length > longestText) throw new TemplateFault(`The prompt is longer than ${longestText} characters.`)
  return String(text)
}

function shown<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (LiquidError.is(error) || error instanceof Error) throw new TemplateFault(firstLine(error.message))
    throw error
  }
}

const firstLine = (message: string): string => `The template cannot be used: ${message.split('\n')[0]?.slice(0, 300)}.`
