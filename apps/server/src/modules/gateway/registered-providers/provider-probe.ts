/**
 * The checks of a provider: its name is resolved, its address dialed, and with each key its models are listed and a tiny
 * call is made. Promises that nothing of a caller's is sent and nothing stored, and that a key which may list models but
 * use none does not pass where a model is known. Tested in provider-probe.test.ts.
 */
import { EgressError } from '../../../kernel/egress/errors.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { type CanonicalCall, emptyCall } from '../call/call.ts'
import { serves } from '../plan/targets.ts'
import { faultOfEgress, inOurWords, UpstreamFault } from '../providers/fault.ts'
import type { Provider, ProviderSecret } from '../providers/provider.ts'
import { capabilitiesOf } from '../providers/vendors/model-facts.ts'
import { adapterOf, addressOf } from '../providers/vendors/registry.ts'
import { createUpstream, type Upstream } from '../providers/vendors/upstream.ts'
import type { TestProvider, TestReport } from '../schemas/provider.ts'
import { refusedAddress } from './refused-address.ts'

type Check = TestReport['checks'][number]

/** Models kept of one provider's list. */
const mostModels = 2000

/** @throws GW-023 */
export async function probe(kernel: Kernel, provider: Provider, input: TestProvider): Promise<TestReport> {
  const adapter = adapterOf(provider.kind)
  if (adapter.over === 'process') {
    const offline = { name: 'offline', ok: true, ms: 0, detail: null }
    return { ok: true, checks: [offline], models_found: [...adapter.knownModels] }
  }
  const reached = await reach(kernel, provider)
  if (!reached.every(({ ok }) => ok)) return { ok: false, checks: [...reached], models_found: [] }
  const found = new Set<string>()
  const checks = [...reached]
  for (const key of keysOf(provider, input.key_id))
    checks.push(...(await withKey(kernel, { provider, key, wanted: input.model ?? null, found })))
  return { ok: checks.every(({ ok }) => ok), checks, models_found: [...found].slice(0, mostModels) }
}

/** The name and a connection, before any key is shown. @throws GW-023 */
async function reach(kernel: Kernel, provider: Provider): Promise<readonly Check[]> {
  const address = addressOf(provider) ?? ''
  const resolved = await check(kernel, 'resolve', async () => {
    const checked = await kernel.egress.resolveAndCheckBase(address)
    if (!checked.ok) throw refusedAddress(checked.rule)
  })
  const dialed = await check(kernel, 'dial', () => dial(kernel, new URL(address), provider.timeouts.connectMs))
  return [resolved, dialed]
}

async function dial({ egress }: Kernel, { protocol, hostname, port }: URL, timeoutMs: number): Promise<void> {
  const isSafe = protocol === 'https:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const standard = isSafe ? 443 : 80
  try {
    const tls = isSafe ? {} : null
    const socket = await egress.dial({ host, port: port === '' ? standard : Number(port), tls, timeoutMs })
    socket.destroy()
  } catch (error) {
    throw error instanceof EgressError ? faultOfEgress(error) : error
  }
}

/** An old version in its overlap says nothing about the key in use. */
function keysOf({ secrets }: Provider, wanted: string | undefined): readonly (ProviderSecret | null)[] {
  const chosen = secrets.filter(({ id, standby }) => standby !== true && (wanted === undefined || id === wanted))
  return chosen.length > 0 ? chosen : [null]
}

interface Trial {
  readonly provider: Provider
  readonly key: ProviderSecret | null
  /** The model to be called; null for one that is known. */
  readonly wanted: string | null
  /** Names that were listed, for all keys. */
  readonly found: Set<string>
}

async function withKey(kernel: Kernel, { provider, key, wanted, found }: Trial): Promise<readonly Check[]> {
  // A cached value does not show whether the secret can be read now.
  if (key?.reference !== undefined) kernel.namedSecrets.forget(key.reference)
  const upstream = createUpstream(kernel)
  const suffix = key === null ? '' : `:${key.id}`
  const listed = await check(kernel, `models${suffix}`, async () =>
    keepNames(await upstream.models(provider, key), found),
  )
  const models = wanted === null ? modelsToTry(provider, found) : [wanted]
  if (models.length === 0) return [listed, { name: `call${suffix}`, ok: true, ms: 0, detail: noModel }]
  const called = await check(kernel, `call${suffix}`, () => callFirst(upstream, { provider, key, models }))
  return [listed, called]
}

const noModel = 'skipped: no model of this provider is known. Name one, and it is called.'

function keepNames(names: readonly string[], found: Set<string>): void {
  for (const name of names) if (/^[\x21-\x7e]{1,256}$/.test(name)) found.add(name)
}

/** A vendor's list begins with any of its models, and some take neither words nor texts to embed. */
const mostTried = 3
const otherKinds = /dall-e|image|whisper|tts|audio|realtime|transcri|moderation|rerank|sora|video/i

/** Those named by the tenant, then those in the catalogue, then those just listed. */
function modelsToTry(provider: Provider, found: ReadonlySet<string>): readonly string[] {
  const named = provider.models.filter((name) => !name.includes('*'))
  const known = [...new Set([...named, ...provider.knownModels, ...found])]
  const usable = known.filter((name) => serves(provider, name) && !otherKinds.test(name))
  const chatting = usable.filter((name) => !embeds(provider, name))
  return [...chatting, ...usable.filter((name) => embeds(provider, name))].slice(0, mostTried)
}

const embeds = ({ kind }: Provider, model: string): boolean => capabilitiesOf({ kind, model }).embeddings

interface Called {
  readonly provider: Provider
  readonly key: ProviderSecret | null
  readonly models: readonly string[]
}

/** A model that was not named may be one that takes no such call, so the next is tried. @throws UpstreamFault */
async function callFirst(upstream: Upstream, { provider, key, models }: Called): Promise<void> {
  for (const [index, model] of models.entries()) {
    try {
      return await callOnce(upstream, { provider, key, model })
    } catch (error) {
      const isLast = index === models.length - 1
      if (isLast || !(error instanceof UpstreamFault) || error.kind !== 'bad_request') throw error
    }
  }
}

interface OneCall {
  readonly provider: Provider
  readonly key: ProviderSecret | null
  readonly model: string
}

async function callOnce(upstream: Upstream, { provider, key, model }: OneCall): Promise<void> {
  const target = { provider, model }
  const call = embeds(provider, model) ? tinyEmbedding : tinyChat
  const { signal } = new AbortController()
  for await (const _ of upstream.ask({ tenantId: null, call, target, secret: key, stream: false, signal, hops: 1 })) {
    // Read to its end, so that a broken answer shows.
  }
}

const said = { role: 'user', parts: [{ type: 'text', text: 'Say OK.' }] } as const
const tinyChat: CanonicalCall = {
  ...emptyCall,
  turns: [{ ...said, toolCalls: [], toolCallId: null, name: null }],
  maxTokens: 5,
}
const tinyEmbedding: CanonicalCall = { ...emptyCall, embed: { inputs: ['OK'], dimensions: null, encoding: null } }

async function check({ clock }: Kernel, name: string, work: () => Promise<void>): Promise<Check> {
  const startedMs = clock.monotonic()
  const done = (ok: boolean, detail: string | null): Check => ({
    name,
    ok,
    ms: Math.round((clock.monotonic() - startedMs) * 1000) / 1000,
    detail,
  })
  try {
    await work()
    return done(true, null)
  } catch (error) {
    if (!(error instanceof UpstreamFault)) throw error
    return done(false, `${error.kind}: ${inOurWords(error)}`.slice(0, 500))
  }
}
