import type { ServerPins, ServerRow } from '../declared/server-schema.ts'
import { type Members, textOf } from '../wire/json-rpc.ts'

/** Of a server that has not been inspected yet. */
export const noPins: ServerPins = {
  ...{ instructions: null, candidate_instructions: null, server_info: null, candidate_server_info: null },
  ...{ prompts: {}, candidate_prompts: null, resource_templates: {}, candidate_resource_templates: null },
}

/** The name that a server gives itself, which is shown and never relied on. */
export function infoOf(info: Members): ServerRow['server_info'] {
  const cut = (value: unknown, length: number): string => (textOf(value) ?? '').slice(0, length)
  const title = textOf(info.title)
  return {
    name: cut(info.name, 256),
    version: cut(info.version, 128),
    title: title === null ? null : title.slice(0, 256),
  }
}
