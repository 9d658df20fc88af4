/**
 * Answers a question from passages through the gateway. Promises that every model call is one of the caller's own, under
 * policy, budget, audit and kill switch; that passages above the clearance of the provider are not sent; and that an answer
 * without support is refused. Tested in chat.test.ts.
 */
import type { Asker, ChatCompletion } from '../../gateway/api.ts'
import { type DataClass, higherClass, rankOf } from '../chunking/scan-words.ts'
import type { Citation, Groundedness, Trace } from '../declared/conversation-schema.ts'
import { errors } from '../errors/errors.ts'
import { type BoundModel, boundChatModel, destinationOf } from '../providers/bindings.ts'
import type { SvcAiServices } from '../services/svc-ai-services.ts'
import { type Conversation, modelMessages, notFoundWord } from './messages.ts'
import type { Passage } from './passage.ts'
import { type Question, type Retrieved, retrieve } from './retrieve.ts'
import { verifyAnswer } from './verify.ts'

export interface Asking {
  readonly asker: Asker
  /** Null asks the model without passages. */
  readonly question: Question | null
  readonly conversation: Omit<Conversation, 'passages' | 'mark'>
  /** Least groundedness of an answer that is given. */
  readonly least: number
  /** Refuses an answer without any source, which a conversation may have. */
  readonly needsSources?: true
}

export interface Answered {
  readonly content: string
  readonly status: 'answered' | 'partial' | 'not_found'
  readonly citations: Citation[]
  readonly groundedness: Groundedness | null
  readonly completion: ChatCompletion | null
  readonly passages: readonly Passage[]
  readonly trace: Trace
}

export const notFoundText = 'The answer was not found in your sources.'
/** Groundedness from which an answer counts as supported. */
const supported = 0.6

/** @throws SVC-001, SVC-002, SVC-003, SVC-005, SVC-006, and as a call of the gateway */
export async function answerQuestion(services: SvcAiServices, asking: Asking): Promise<Answered> {
  const { kernel } = services
  const { question, asker } = asking
  const begun = kernel.clock.monotonic()
  const retrieved = question === null ? null : await retrieve(services, question)
  const found = { retrieved, retrieveMs: kernel.clock.monotonic() - begun }
  // Without any source a conversation is one with the model alone.
  const needsSupport = asking.needsSources === true || (retrieved?.sources ?? 0) > 0
  if (retrieved !== null && needsSupport && retrieved.passages.length === 0) return notFound(traceOf(found, {}), [])
  const bound = await boundChatModel(kernel, { tenantId: asker.actor.tenantId })
  const cleared = await clearedPassages(services, { asker, bound, passages: retrieved?.passages ?? [] })
  const sentAt = kernel.clock.monotonic()
  const completion = await complete(services, asking, { bound, passages: cleared })
  const verifyAt = kernel.clock.monotonic()
  const verified = judged(completion, { cleared, least: asking.least, needsSupport })
  const withheld = (retrieved?.passages.length ?? 0) - cleared.length
  const trace = traceOf(found, {
    ...{ withheld, rejected: verified.rejected, generateMs: verifyAt - sentAt },
    verifyMs: kernel.clock.monotonic() - verifyAt,
  })
  const { rejected: _rejected, ...said } = verified
  return { ...said, completion, trace, passages: cleared }
}

function notFound(trace: Trace, passages: readonly Passage[]): Answered {
  const empty = { content: notFoundText, citations: [], groundedness: null, completion: null }
  return { ...empty, status: 'not_found', passages, trace }
}

interface Sending {
  readonly asker: Asker
  readonly bound: BoundModel
  readonly passages: readonly Passage[]
}

/** Those that the bound model may be sent. @throws SVC-006 where there is none */
async function clearedPassages(
  { gateway }: SvcAiServices,
  { asker, bound, passages }: Sending,
): Promise<readonly Passage[]> {
  const cleared = new Set<DataClass>()
  for (const name of new Set(passages.map(({ classification }) => classification)))
    if ((await gateway.providerClearance(asker, destinationOf(bound), name)).cleared) cleared.add(name)
  const kept = passages.filter(({ classification }) => cleared.has(classification))
  const [least] = passages.map(({ classification }) => classification).sort((a, b) => rankOf(a) - rankOf(b))
  // A stopped or unknown model clears nothing: the call itself says why.
  if (kept.length === 0 && least !== undefined) {
    const anything = await gateway.providerClearance(asker, destinationOf(bound), 'public')
    if (anything.cleared) throw errors.notCleared({ dataClass: least })
    return passages.slice(0, 0)
  }
  return kept
}

function complete(
  { gateway, kernel }: SvcAiServices,
  { asker, conversation }: Asking,
  { bound, passages }: Omit<Sending, 'asker'>,
): Promise<ChatCompletion> {
  const { temperature, max_tokens: tokens, timeout_ms: timeout } = bound
  const classification = passages.map((passage) => passage.classification).reduce<DataClass>(higherClass, 'public')
  return gateway.complete(asker, {
    ...destinationOf(bound),
    messages: [...modelMessages({ ...conversation, passages, mark: kernel.random.hex(8) })],
    metadata: { tag: 'svc-ai', classification },
    cache: { mode: 'off' },
    ...(temperature === null ? {} : { temperature }),
    ...(tokens === null ? {} : { max_tokens: tokens }),
    ...(timeout === null ? {} : { timeout_ms: timeout }),
  })
}

interface Judged extends Pick<Answered, 'content' | 'status' | 'citations' | 'groundedness'> {
  readonly rejected: number
}

interface Judging {
  readonly cleared: readonly Passage[]
  readonly least: number
  /** There were sources to answer from. */
  readonly needsSupport: boolean
}

function judged(completion: ChatCompletion, { cleared, least, needsSupport }: Judging): Judged {
  const said = completion.choices[0]?.message.content ?? ''
  const { text, citations, groundedness, rejected } = verifyAnswer(said, cleared)
  if (!needsSupport) return { content: text, status: 'answered', citations: [], groundedness: null, rejected }
  const score = groundedness?.score ?? 0
  if (text.includes(notFoundWord) || score < least)
    return { content: notFoundText, status: 'not_found', citations: [], groundedness, rejected }
  return { content: text, status: score >= supported ? 'answered' : 'partial', citations, groundedness, rejected }
}

interface FoundPassages {
  readonly retrieved: Retrieved | null
  readonly retrieveMs: number
}

interface Told {
  readonly withheld?: number
  readonly rejected?: number
  readonly generateMs?: number
  readonly verifyMs?: number
}

export function traceOf(
  { retrieved, retrieveMs }: FoundPassages,
  { withheld = 0, rejected = 0, generateMs = 0, verifyMs = 0 }: Told,
): Trace {
  return {
    retriever: retrieverOf(retrieved),
    candidates: retrieved?.candidates ?? 0,
    returned: retrieved?.passages.length ?? 0,
    withheld: { provider_clearance: withheld },
    quarantined: [...(retrieved?.quarantined ?? [])],
    citations_rejected: rejected,
    timings_ms: { retrieve: tenths(retrieveMs), generate: tenths(generateMs), verify: tenths(verifyMs) },
  }
}

function retrieverOf(retrieved: Retrieved | null): Trace['retriever'] {
  if (retrieved === null) return { mode: 'none', rm3: false, fusion: null, lexical_reason: null }
  const { expanded: rm3, lexicalReason: reason } = retrieved
  return {
    mode: reason === null ? 'hybrid' : 'lexical',
    rm3,
    fusion: reason === null ? 'rrf' : null,
    lexical_reason: reason,
  }
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10
