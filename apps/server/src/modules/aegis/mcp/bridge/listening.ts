/**
 * Streams of changes between the eras: a modern client that subscribes hears an older server on a session of its own, and an
 * older client that listens within its session hears a modern server by a subscription. Tested in sdk-matrix.test.ts.
 */
import type { AbortWatch } from '../../../../kernel/base/abort.ts'
import { legacyVersions } from '../declared/words.ts'
import {
  ask,
  type Conversation,
  closeSession,
  conversationHeaders,
  modernParams,
  openSession,
} from '../upstream/ask.ts'
import { send, type UpstreamAnswer, type UpstreamLink } from '../upstream/exchange.ts'
import type { UpstreamServer } from '../upstream/server.ts'
import { isAnswerTo, type Members, objectOf, type RpcId, resultOf, textOf } from '../wire/json-rpc.ts'
import { mirrored } from '../wire/metadata.ts'

/** Kinds of changes by the name in a subscription: the capability that has them, and the notification that tells them. */
const listChanges = {
  toolsListChanged: ['tools', 'notifications/tools/list_changed'],
  promptsListChanged: ['prompts', 'notifications/prompts/list_changed'],
  resourcesListChanged: ['resources', 'notifications/resources/list_changed'],
} as const

const updated = 'notifications/resources/updated'
const subscriptionKey = 'io.modelcontextprotocol/subscriptionId'
/** Resources of one subscription. */
const mostResources = 100
/** Time of a stream that has no end of its own, in milliseconds. */
const streamMs = 3_600_000

interface Filter {
  readonly methods: ReadonlySet<string>
  readonly resources: ReadonlySet<string>
  /** As reported to the client. */
  readonly told: Members
}

/** The part of a client's request that the server can report. */
export function filterOf(asked: Members, capabilities: Members): Filter {
  const kinds = Object.entries(listChanges).filter(
    ([name, [capability]]) => asked[name] === true && objectOf(capabilities[capability]).listChanged === true,
  )
  const wanted = Array.isArray(asked.resourceSubscriptions) ? asked.resourceSubscriptions : []
  const canSubscribe = objectOf(capabilities.resources).subscribe === true
  const resources = canSubscribe ? wanted.flatMap((uri) => textOf(uri) ?? []).slice(0, mostResources) : []
  return {
    methods: new Set(kinds.map(([, [, method]]) => method)),
    resources: new Set(resources),
    told: {
      ...Object.fromEntries(kinds.map(([name]) => [name, true])),
      ...(resources.length === 0 ? {} : { resourceSubscriptions: resources }),
    },
  }
}

const passes = ({ methods, resources }: Filter, { method, params }: Members): boolean =>
  method === updated ? resources.has(textOf(objectOf(params).uri) ?? '') : methods.has(textOf(method) ?? '')

export interface Subscribing {
  readonly link: UpstreamLink
  readonly upstream: UpstreamServer
  readonly clientInfo: Members
  /** `params.notifications` of the client. */
  readonly asked: Members
  /** Of the client's request, which names the subscription. */
  readonly id: RpcId
  readonly signal: AbortWatch
}

/** The messages of a subscription at an older server; the last one is its answer. @throws UpstreamFault */
export async function* subscribed(subscribing: Subscribing): AsyncGenerator<Members, void, undefined> {
  const { link, upstream, clientInfo, asked, id, signal } = subscribing
  const opening = { version: legacyVersions[0], clientInfo, capabilities: {} }
  const { conversation, result } = await openSession(link, upstream, opening)
  let stream: UpstreamAnswer | null = null
  try {
    stream = await heard(subscribing, conversation)
    const isHeard = stream.form === 'stream'
    const filter = filterOf(isHeard ? asked : {}, objectOf(result.capabilities))
    for (const uri of filter.resources)
      await ask(link, upstream, conversation, { method: 'resources/subscribe', params: { uri }, signal })
    yield stamped(id, { method: 'notifications/subscriptions/acknowledged', params: { notifications: filter.told } })
    if (Object.keys(filter.told).length > 0)
      for await (const message of stream.messages) if (passes(filter, message)) yield stamped(id, message)
    yield { ...resultOf(id, { resultType: 'complete', _meta: { [subscriptionKey]: id } }) }
  } finally {
    stream?.cancel()
    await closeSession(link, upstream, conversation)
  }
}

const heard = ({ link, upstream, signal }: Subscribing, conversation: Conversation): Promise<UpstreamAnswer> =>
  send(link, upstream, {
    ...{ method: 'GET', message: null, headers: conversationHeaders(conversation, {}), signal, totalMs: streamMs },
  })

function stamped(id: RpcId, { method, params }: Members): Members {
  const own = objectOf(params)
  return { jsonrpc: '2.0', method, params: { ...own, _meta: { ...objectOf(own._meta), [subscriptionKey]: id } } }
}

export interface Overhearing {
  readonly link: UpstreamLink
  readonly upstream: UpstreamServer
  readonly capabilities: Members
  readonly clientInfo: Members
  readonly signal: AbortWatch
}

/** Changes of a modern server as an older client hears them; null where it tells none. @throws UpstreamFault */
export async function overheard(overhearing: Overhearing): Promise<UpstreamAnswer | null> {
  const { link, upstream, capabilities, clientInfo, signal } = overhearing
  const all = Object.fromEntries(Object.keys(listChanges).map((name) => [name, true]))
  const filter = filterOf(all, capabilities)
  if (filter.methods.size === 0) return null
  const id = 'listen'
  const params = modernParams({ notifications: filter.told }, { clientInfo })
  const message = { jsonrpc: '2.0', id, method: 'subscriptions/listen', params }
  const answer = await send(link, upstream, {
    ...{ method: 'POST', message, headers: mirrored(message), signal, totalMs: streamMs },
  })
  return { ...answer, messages: changes(answer.messages, id, filter) }
}

async function* changes(messages: AsyncIterable<Members>, id: RpcId, filter: Filter): AsyncGenerator<Members> {
  for await (const message of messages) {
    if (isAnswerTo(message, id)) return
    if (!passes(filter, message)) continue
    const { _meta: own, ...params } = objectOf(message.params)
    const { [subscriptionKey]: _id, ...meta } = objectOf(own)
    yield { ...message, params: { ...params, ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }) } }
  }
}
