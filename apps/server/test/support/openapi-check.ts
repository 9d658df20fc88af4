import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Answer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>> }
        >
      >
    >
  >
}

const pointerPart = (text: string): string => text.replaceAll('~', '~0').replaceAll('/', '~1')

export type AnswerChecker = (answer: Answer) => readonly string[]

const checkers = new Map<string, AnswerChecker>()

/**
 * Holds every answer against the OpenAPI document with a validator that shares no code with ours: declared status,
 * declared media type, body of the declared form, and the headers every answer carries. One for each text of a document:
 * most worlds publish the same, and to compile a validator takes long.
 */
export function openApiChecker(document: string): AnswerChecker {
  const known = checkers.get(document) ?? checkerOf(JSON.parse(document))
  checkers.set(document, known)
  return known
}

function checkerOf(document: Document): AnswerChecker {
  const { paths } = document
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const patterns = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  // A literal path wins over one with parameters, as in the router.
  patterns.sort((a, b) => (a.path.match(/\{/g)?.length ?? 0) - (b.path.match(/\{/g)?.length ?? 0))
  const validators = new Map<string, ValidateFunction>()

  const bodyErrors = (pointer: string, body: unknown): readonly string[] => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    validators.set(pointer, validate)
    return validate(body)
      ? []
      : (validate.errors ?? []).map(
          (error) => `body${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`,
        )
  }

  return (answer) => {
    const problems = headerErrors(answer)
    const path = answer.path.split('?')[0] ?? ''
    const found = patterns.find(
      ({ pattern, path: declared }) =>
        pattern.test(path) && paths[declared]?.[answer.method.toLowerCase()] !== undefined,
    )
    if (found === undefined) return problems
    const response = paths[found.path]?.[answer.method.toLowerCase()]?.responses[String(answer.status)]
    if (response === undefined)
      return [...problems, `status ${answer.status} is not declared: ${answer.body.slice(0, 300)}`]
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? ''
    if (response.content === undefined) return problems
    if (!(type in response.content)) return [...problems, `media type ${type} is not declared`]
    // A file of many JSON lines is no JSON.
    if (!/[/+]json$/.test(type)) return problems
    const pointer = `/paths/${pointerPart(found.path)}/${answer.method.toLowerCase()}/responses/${answer.status}/content/${pointerPart(type)}/schema`
    return [...problems, ...bodyErrors(pointer, JSON.parse(answer.body))]
  }
}

const required = [
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-content-type-options',
  'content-security-policy',
  'cache-control',
  'traceparent',
]

function headerErrors(answer: Answer): readonly string[] {
  const missing = required
    .filter((name) => answer.headers[name] === undefined)
    .map((name) => `header ${name} is missing`)
  const retry = answer.status === 429 && answer.headers['retry-after'] === undefined ? ['429 without Retry-After'] : []
  return [...missing, ...retry]
}
