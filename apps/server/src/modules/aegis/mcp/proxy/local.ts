/** Requests that the firewall answers itself: the opening of a session, discovery, and the list of approved tools. Tested in proxy.test.ts. */
import type { Asked } from '../call/types.ts'
import { legacyVersions, modernVersion } from '../declared/words.ts'
import { type Members, objectOf, resultOf, textOf } from '../wire/json-rpc.ts'
import { metaKeys } from '../wire/metadata.ts'
import { joinedTools } from './joined.ts'
import { isUsable } from './tool-call.ts'

/** Capabilities that the firewall serves. */
const served = ['tools', 'resources', 'prompts', 'completions', 'logging'] as const

/** Those of the server that pass through, without what is experimental. */
export function capabilitiesOf({ caller }: Pick<Asked, 'caller'>): Members {
  const own = objectOf(caller.server.row.capabilities)
  return Object.fromEntries(served.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])))
}

/** An identity that is not the approved one waits for a person as instructions do: its texts reach no client. */
function identityOf({ caller }: Pick<Asked, 'caller'>): Members {
  const { server_info: seen, pins, name, slug } = caller.server.row
  const info = pins.candidate_server_info === null ? seen : null
  return { name: info?.name || slug, title: info?.title ?? name, version: info?.version || '0' }
}

const instructionsOf = ({ caller }: Pick<Asked, 'caller'>): Members =>
  caller.server.instructions === null ? {} : { instructions: caller.server.instructions }

export function discovered(asked: Asked): Members {
  return {
    ...resultOf(asked.id, {
      ...{ resultType: 'complete', supportedVersions: [modernVersion], capabilities: capabilitiesOf(asked) },
      ...instructionsOf(asked),
      ...{ ttlMs: 60_000, cacheScope: 'private', _meta: { [metaKeys.serverInfo]: identityOf(asked) } },
    }),
  }
}

/** The revision of a session: the one that the client wants where it is known, else the newest with sessions. */
export function negotiated(params: Members): string {
  const wanted = textOf(params.protocolVersion) ?? ''
  return (legacyVersions as readonly string[]).includes(wanted) ? wanted : legacyVersions[0]
}

/** The result of `initialize`; `spoken` is the upstream's own where it was asked. */
export function initialized(
  asked: Asked,
  { version, capabilities }: { readonly version: string; readonly capabilities: Members },
): Members {
  return {
    ...resultOf(asked.id, {
      protocolVersion: version,
      capabilities,
      serverInfo: identityOf(asked),
      ...instructionsOf(asked),
    }),
  }
}

/** Tools of one page. */
const pageLength = 200

/** Approved definitions of tools that the agent declares, never what the server lists now. */
export function listed(asked: Asked): Members {
  const { server, joined } = asked.caller
  const usable = joined === null ? server.approved.filter((tool) => isUsable(asked, tool)) : joinedTools(asked)
  const from = offsetOf(asked.params.cursor)
  const page = usable.slice(from, from + pageLength)
  const next = from + pageLength < usable.length ? { nextCursor: String(from + pageLength) } : {}
  const modern = asked.facts.era === 'modern' ? { resultType: 'complete', ttlMs: 5_000, cacheScope: 'private' } : {}
  return { ...resultOf(asked.id, { ...modern, tools: page.map(({ definition }) => definition ?? {}), ...next }) }
}

const offsetOf = (cursor: unknown): number =>
  typeof cursor === 'string' && /^\d{1,6}$/.test(cursor) ? Number(cursor) : 0
