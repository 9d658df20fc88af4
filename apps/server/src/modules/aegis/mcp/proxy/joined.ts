/**
 * All servers of an agent behind one address: tools are named `<server>__<tool>`, and as no slug holds an underscore no two
 * tools share a name. Tested in bridge.test.ts.
 */
import type { Asked, PinnedTool } from '../call/types.ts'
import { type Members, textOf } from '../wire/json-rpc.ts'
import { isServed } from './joined-server.ts'
import { isUsable } from './tool-call.ts'

const separator = '__'

/** The request of one tool as its server gets it; null for a name that is none. */
export function within(asked: Asked): Asked | null {
  const name = textOf(asked.params.name) ?? ''
  const at = name.indexOf(separator)
  const server = asked.caller.joined?.get(name.slice(0, Math.max(at, 0)))
  if (at === -1 || server === undefined || isServed(server) !== null) return null
  const params: Members = { ...asked.params, name: name.slice(at + separator.length) }
  return { ...asked, params, caller: { ...asked.caller, server, joined: null } }
}

/** Usable tools of all servers under their joined names. */
export function joinedTools(asked: Asked): readonly PinnedTool[] {
  return [...(asked.caller.joined?.values() ?? [])].flatMap((server) => {
    if (isServed(server) !== null) return []
    const inside: Asked = { ...asked, caller: { ...asked.caller, server } }
    return server.approved.filter((tool) => isUsable(inside, tool)).map((tool) => renamed(server.row.slug, tool))
  })
}

function renamed(slug: string, tool: PinnedTool): PinnedTool {
  const name = `${slug}${separator}${tool.name}`
  return { ...tool, name, definition: { ...tool.definition, name } }
}
