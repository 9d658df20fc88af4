/** Reads the marks that a provider of the same form adds to its blocks; values of another shape are ignored. */
import Type, { type Static } from 'typebox'
import { fits } from '../../../../kernel/schema/fits.ts'
import type { AnswerEvent } from '../../call/call.ts'
import { anthropicForm, markNames } from '../../providers/adapters/anthropic/own-events.ts'

const kind = Type.Unsafe<'text' | 'thinking' | 'tool_use'>({ type: 'string', enum: ['text', 'thinking', 'tool_use'] })
const record = Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' })

const Begins = Type.Object({ kind, members: record })
const Ends = Type.Object({ kind, length: Type.Integer({ minimum: 0 }) })
const Whole = Type.Object({ block: record, deltas: Type.Array(Type.Unknown()) })
const Sealed = Type.Union([
  Type.Object({ type: Type.Literal('thinking'), signature: Type.String() }),
  Type.Object({ type: Type.Literal('redacted_thinking'), data: Type.String() }),
])

export type Mark =
  | ({ readonly mark: 'begins' } & Static<typeof Begins>)
  | ({ readonly mark: 'ends' } & Static<typeof Ends>)
  | ({ readonly mark: 'whole' } & Static<typeof Whole>)

type Raw = Extract<AnswerEvent, { readonly type: 'raw' }>

export function markOf({ event, item }: Raw): Mark | null {
  if (item.form !== anthropicForm) return null
  const { value } = item
  if (event === markNames.begins && fits(Begins, value)) return { mark: 'begins', ...value }
  if (event === markNames.ends && fits(Ends, value)) return { mark: 'ends', ...value }
  if (event === markNames.whole && fits(Whole, value)) return { mark: 'whole', ...value }
  return null
}

type Reasoned = Extract<AnswerEvent, { readonly type: 'reasoning_data' }>

export function sealedOf({ data }: Reasoned): Static<typeof Sealed> | null {
  return data.form === anthropicForm && fits(Sealed, data.value) ? data.value : null
}
