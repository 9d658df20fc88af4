/** The models and routes a caller may use, as Anthropic lists them. Tested in ../../endpoints/vendor-lists.test.ts. */
import Type, { type Static } from 'typebox'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { nullable, strictObject } from '../../../../kernel/schema/types.ts'
import type { OpenAiModels } from '../openai/models.ts'

export const AnthropicModel = strictObject({
  type: Type.Literal('model'),
  id: Type.String(),
  display_name: Type.String(),
  created_at: Type.String({ description: 'RFC 3339; the beginning of 1970 where it is not known.' }),
})
export const AnthropicModels = strictObject({
  data: Type.Array(AnthropicModel),
  has_more: Type.Boolean(),
  first_id: nullable(Type.String()),
  last_id: nullable(Type.String()),
})

interface Paging {
  readonly limit?: number
  readonly after_id?: string
  readonly before_id?: string
}

type Listed = Static<typeof OpenAiModels>
const usualLimit = 20

/** A page of the list with the vendor's paging: forward from an id, or backward from one. */
export function anthropicModels(listed: Listed, paging: Paging): Static<typeof AnthropicModels> {
  const { limit = usualLimit, after_id: after, before_id: before } = paging
  const all = listed.data.map(shown)
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
  const to =
    before === undefined
      ? all.length
      : Math.max(
          0,
          all.findIndex(({ id }) => id === before),
        )
  const rest = all.slice(from, to)
  const data = before === undefined ? rest.slice(0, limit) : rest.slice(-limit)
  return {
    data,
    has_more: data.length < rest.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

/** @throws API-013 */
export function anthropicModel(listed: Listed, name: string): Static<typeof AnthropicModel> {
  const found = listed.data.find(({ id }) => id === name)
  if (found === undefined) throw apiErrors.notFound({ what: 'model' })
  return shown(found)
}

function shown({ id, created }: Listed['data'][number]): Static<typeof AnthropicModel> {
  return { type: 'model', id, display_name: id, created_at: new Date(created * 1000).toISOString() }
}
