/**
 * Prompts and templates of resources reach a client only in the form that was approved: a list is held against the pins as
 * it passes, and a prompt that is new or different is refused. Pure. Tested in pinned-lists.test.ts.
 */
import type { Asked } from '../call/types.ts'
import type { ListPins } from '../declared/server-schema.ts'
import { pinOf } from '../pins/pin.ts'
import { type Members, objectOf, textOf } from '../wire/json-rpc.ts'

interface PinnedList {
  readonly member: string
  readonly key: string
  readonly pins: (pins: Asked['caller']['server']['row']['pins']) => ListPins
}

const lists: Readonly<Record<string, PinnedList>> = {
  'prompts/list': { member: 'prompts', key: 'name', pins: ({ prompts }) => prompts },
  'resources/templates/list': {
    ...{ member: 'resourceTemplates', key: 'uriTemplate', pins: ({ resource_templates: templates }) => templates },
  },
}

const pinAt = (pins: ListPins, name: string): string | null => (Object.hasOwn(pins, name) ? (pins[name] ?? null) : null)

/** The answer with the approved definitions alone. */
export function onlyPinned({ method, caller }: Pick<Asked, 'method' | 'caller'>, answer: Members): Members {
  const list = lists[method]
  const result = objectOf(answer.result)
  const items = list === undefined ? null : result[list.member]
  if (list === undefined || !Array.isArray(items)) return answer
  const pins = list.pins(caller.server.row.pins)
  const kept = items.filter((item) => {
    const definition = objectOf(item)
    return pinAt(pins, textOf(definition[list.key]) ?? '') === pinOf(definition)
  })
  return { ...answer, result: { ...result, [list.member]: kept } }
}

/** A prompt whose current form is not approved. */
export function isUnpinned({ method, params, caller }: Pick<Asked, 'method' | 'params' | 'caller'>): boolean {
  if (method !== 'prompts/get') return false
  const { prompts, candidate_prompts: seen } = caller.server.row.pins
  const name = textOf(params.name) ?? ''
  const pin = pinAt(prompts, name)
  return pin === null || (seen !== null && pinAt(seen, name) !== pin)
}
