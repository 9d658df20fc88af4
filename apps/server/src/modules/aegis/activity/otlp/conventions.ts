/**
 * Names of the OpenTelemetry semantic conventions for generative AI, by version. They are still in development and were
 * renamed more than once, so a span is read by the version that its `schema_url` names and, for what is missing then, by
 * the other versions, the newest first. Pure. Tested in conventions.test.ts.
 */

export type Meaning =
  | 'operation'
  | 'provider'
  | 'model'
  | 'conversation'
  | 'tool'
  | 'tokensIn'
  | 'tokensOut'
  | 'mcpMethod'
  | 'mcpServer'
  | 'host'
  | 'httpMethod'
  | 'bytesOut'
  | 'errorType'
  | 'cost'
  | 'answerId'

export type Names = Readonly<Record<Meaning, readonly string[]>>

interface Convention {
  /** From this version on. */
  readonly since: readonly [major: number, minor: number]
  readonly names: Names
}

const newest: Names = {
  operation: ['gen_ai.operation.name'],
  provider: ['gen_ai.provider.name'],
  model: ['gen_ai.response.model', 'gen_ai.request.model'],
  conversation: ['gen_ai.conversation.id', 'session.id'],
  tool: ['gen_ai.tool.name'],
  tokensIn: ['gen_ai.usage.input_tokens'],
  tokensOut: ['gen_ai.usage.output_tokens'],
  mcpMethod: ['mcp.method.name'],
  mcpServer: ['mcp.server.name'],
  host: ['server.address'],
  httpMethod: ['http.request.method'],
  bytesOut: ['http.request.body.size'],
  errorType: ['error.type'],
  cost: ['gen_ai.usage.cost'],
  answerId: ['gen_ai.response.id'],
}

const v1_36: Names = { ...newest, provider: ['gen_ai.system'] }

const v1_26: Names = {
  ...v1_36,
  tokensIn: ['gen_ai.usage.prompt_tokens'],
  tokensOut: ['gen_ai.usage.completion_tokens'],
  host: ['server.address', 'net.peer.name'],
  httpMethod: ['http.method'],
  bytesOut: ['http.request_content_length'],
}

/** The newest first. */
const conventions: readonly Convention[] = [
  { since: [1, 37], names: newest },
  { since: [1, 27], names: v1_36 },
  { since: [0, 0], names: v1_26 },
]

const fallbacks = new Map<string, Names>()

/** The names to look for, in order. @param schemaUrl for example `https://opentelemetry.io/schemas/1.37.0` */
export function namesFor(schemaUrl: string): Names {
  const own = conventionOf(schemaUrl)
  const key = own.since.join('.')
  const known = fallbacks.get(key)
  if (known !== undefined) return known
  const meanings = Object.keys(newest) as readonly Meaning[]
  const ordered = [own, ...conventions]
  const names: Record<Meaning, readonly string[]> = { ...own.names }
  for (const meaning of meanings) names[meaning] = [...new Set(ordered.flatMap((each) => each.names[meaning]))]
  fallbacks.set(key, names)
  return names
}

const versionAtEnd = /\/(\d{1,4})\.(\d{1,4})\.\d{1,4}$/
const [newestConvention] = conventions

function conventionOf(schemaUrl: string): Convention {
  const [, major, minor] = versionAtEnd.exec(schemaUrl) ?? []
  const isAtMost = ([sinceMajor, sinceMinor]: Convention['since']): boolean =>
    Number(major) > sinceMajor || (Number(major) === sinceMajor && Number(minor) >= sinceMinor)
  const found = major === undefined ? newestConvention : conventions.find(({ since }) => isAtMost(since))
  if (found === undefined) throw new RangeError(`No convention for ${schemaUrl}`)
  return found
}

/** Attributes with contents of calls, which are not kept. */
export const isContent = (name: string): boolean =>
  /^gen_ai\.(input|output|prompt|completion|system_instructions|tool\.call\.(arguments|result)|content)/.test(name)
