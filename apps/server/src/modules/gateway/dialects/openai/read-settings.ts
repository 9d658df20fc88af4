/** Settings that OpenAI writes in several forms; an unknown form is kept as it is. Tested in read-chat.test.ts. */
import Type from 'typebox'
import { fits } from '../../../../kernel/schema/fits.ts'
import type { OutputFormat, Reasoning, ToolChoice } from '../../call/call.ts'
import type { VendorMembers } from './vendor-members.ts'

const NamedTool = Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: Type.String() }) })

type Said = string | Readonly<Record<string, unknown>> | null | undefined

export function readToolChoice(choice: Said, members: VendorMembers): ToolChoice {
  if (choice === null || choice === undefined) return null
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (fits(NamedTool, choice)) return { name: choice.function.name }
  members.keep('/tool_choice', choice)
  return null
}

const JsonSchemaFormat = Type.Object({
  type: Type.Literal('json_schema'),
  json_schema: Type.Object({
    name: Type.String(),
    schema: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }),
    strict: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  }),
})
const knownOfFormat: ReadonlySet<string> = new Set(['type', 'json_schema'])
const knownOfSchema: ReadonlySet<string> = new Set(['name', 'schema', 'strict'])
/** The schema defines the format; this member only describes it. */
const aboutSchema: ReadonlySet<string> = new Set(['description'])

export function readFormat(
  format: Readonly<Record<string, unknown>> | null | undefined,
  members: VendorMembers,
): OutputFormat {
  if (format === null || format === undefined) return null
  if (format.type === 'text' || format.type === 'json_object') {
    members.keepRest(format, knownOfFormat, '/response_format')
    return { type: format.type }
  }
  if (!fits(JsonSchemaFormat, format)) {
    members.keep('/response_format', format)
    return null
  }
  const { name, schema, strict } = format.json_schema
  members.keepRest(format, knownOfFormat, '/response_format')
  members.keepRest(format.json_schema, knownOfSchema, '/response_format/json_schema', aboutSchema)
  return { type: 'json_schema', name, schema, strict: strict ?? null }
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export function readEffort(effort: string | null | undefined, at: string, members: VendorMembers): Reasoning | null {
  const known = efforts.find((word) => word === effort)
  if (known !== undefined) return { effort: known }
  members.keep(at, effort)
  return null
}
